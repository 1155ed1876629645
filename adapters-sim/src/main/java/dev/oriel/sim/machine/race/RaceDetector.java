package dev.oriel.sim.machine.race;

import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.report.ConflictingAccess;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import java.util.Arrays;

/**
 * The race detector: checks every access against all earlier ones of the same bytes. It keeps
 * intervals of bytes, each with its last weak write and all accesses since. Synchronising accesses
 * race with weak ones only, and need no order among themselves. So no synchronising access can
 * replace one of another component. Intervals are split where an access begins or ends, and never
 * joined. So the order of independent accesses does not show in a state.
 */
public final class RaceDetector {
  private final MachineModel model;
  private final AgentLayout agents;
  private final OrderingAssumptions kept;
  private final ObservedOrder knowledge;
  private final NicVisibility sight;
  private final int[] first;
  private final int accesses;
  private final int fields;

  /** The unordered access that the last check found, see {@link #other}. */
  private int otherComponent;

  private int otherTick;
  private boolean otherWrote;
  private int otherByte;

  public RaceDetector(MachineModel model, OrderingAssumptions kept, NicVisibility sight) {
    this.kept = kept;
    this.sight = sight;
    this.model = model;
    agents = model.agents;
    knowledge = new ObservedOrder(model, kept, sight);
    accesses = ShadowLayout.accesses(model);
    fields = ShadowLayout.FIELDS + 2 * accesses;
    first = model.firstShadow;
  }

  /**
   * Records an access and checks it.
   *
   * @param memory rank * buffers + buffer
   * @param marks the kind of access, as {@link ShadowLayout} marks it; two that synchronise never
   *     race
   * @param seen the causal clock of the accessing agent, as a number of {@link CausalClockIndex}
   * @return whether every earlier conflicting access of these bytes is ordered before it
   */
  public boolean access(
      MachineState s, int component, int memory, int from, int length, int marks, int seen) {
    if (length == 0) {
      return true;
    }
    int[] shadow = s.shadow;
    int base = first[memory];
    int begin = split(s, memory, from, 0);
    int end = split(s, memory, from + length, begin);
    int tick = s.clocks.at(component, component) << ShadowLayout.MARKS | marks;
    boolean write = (marks & ShadowLayout.WRITE) != 0;
    boolean strong = (marks & (ShadowLayout.STRONG | ShadowLayout.CELL)) != 0;
    boolean clean = true;
    for (int i = begin; i < end; i++) {
      int at = base + 1 + i * fields;
      int writer = shadow[at + 1];
      if (clean
          && writer >= 0
          && !ordered(s, writer, shadow[at + 2], component, tick, -1)
          && !(write && seenThere(s, memory, shadow[at], writer, shadow[at + 2], seen))
          && !(model.cells && overwritten(s, memory, at, component, tick))) {
        clean = races(writer, shadow[at + 2], true, Math.max(from, shadow[at]));
      }
      for (int r = 0, p = at + ShadowLayout.FIELDS; clean && r < shadow[at + 3]; r++, p += 2) {
        boolean conflict = ((shadow[p + 1] | tick) & ShadowLayout.WRITE) != 0;
        if (conflict
            && !ordered(s, shadow[p], shadow[p + 1], component, tick, seen)
            && !cellKnown(s, memory, shadow[at], shadow[p + 1], component, tick)
            && !found(s, memory, i, shadow[p], shadow[p + 1], component, tick)) {
          boolean wrote = (shadow[p + 1] & ShadowLayout.WRITE) != 0;
          clean = races(shadow[p], shadow[p + 1], wrote, Math.max(from, shadow[at]));
        }
      }
      if (write && !strong) {
        int others = at + ShadowLayout.FIELDS;
        for (int p = others; p < others + 2 * shadow[at + 3]; p++) {
          shadow[p] = 0;
        }
        shadow[at + 1] = component;
        shadow[at + 2] = tick;
        shadow[at + 3] = 0;
      } else {
        if ((marks & ShadowLayout.CELL) != 0) {
          forget(s, at, component, tick, seen);
        }
        note(shadow, at, component, tick);
      }
    }
    return clean;
  }

  /**
   * Drops accesses that precede a store of the cell: an agent ordered after the store is ordered
   * after all of them. Strong reads that are unordered with the store stay. So does the last weak
   * write, which races with later strong reads.
   */
  private void forget(MachineState s, int at, int component, int tick, int seen) {
    int[] shadow = s.shadow;
    int first = at + ShadowLayout.FIELDS;
    int end = first + 2 * shadow[at + 3];
    int stay = first;
    for (int p = first; p < end; p += 2) {
      if (poll(shadow[p + 1]) && !before(s, shadow[p], shadow[p + 1], component, tick, seen)) {
        shadow[stay] = shadow[p];
        shadow[stay + 1] = shadow[p + 1];
        stay += 2;
      }
    }
    Arrays.fill(shadow, stay, end, 0);
    shadow[at + 3] = (stay - first) / 2;
  }

  /** Whether the access is a read that synchronises. */
  private static boolean poll(int tick) {
    return (tick & (ShadowLayout.STRONG | ShadowLayout.WRITE)) == ShadowLayout.STRONG;
  }

  private boolean races(int component, int tick, boolean wrote, int at) {
    otherComponent = component;
    otherTick = tick >> ShadowLayout.MARKS;
    otherWrote = wrote;
    otherByte = at;
    return false;
  }

  /** The unordered access that the last check found. */
  public ConflictingAccess other() {
    return new ConflictingAccess(otherComponent, otherTick, otherByte, otherWrote);
  }

  private boolean ordered(MachineState s, int other, int then, int component, int tick, int seen) {
    if ((then & tick & ShadowLayout.STRONG) != 0) {
      if (((then | tick) & ShadowLayout.PUT) == 0 || poll(then) || poll(tick)) {
        return true;
      }
    } else if (((then | tick) & ShadowLayout.CELL) != 0
        && (poll(then) || poll(tick))
        && sameName(then, tick)) {
      return true;
    }
    return before(s, other, then, component, tick, seen);
  }

  /** Whether both accesses use one name of the memory, or aliases do not matter. */
  private boolean sameName(int then, int tick) {
    return ((then ^ tick) & ShadowLayout.ALIAS) == 0 || kept.aliased;
  }

  /** Whether the earlier access is ordered before that component's access now. */
  private boolean before(MachineState s, int other, int then, int component, int tick, int seen) {
    int event = then >> ShadowLayout.MARKS;
    if (knowledge.renamed(other, then, component, tick)) {
      return event <= s.clocks.at(component, other + 1);
    }
    if (other == component) {
      return event <= s.settled[component] || event == tick >> ShadowLayout.MARKS;
    }
    boolean wrote = (then & ShadowLayout.WRITE) != 0;
    int known = s.clocks.at(component, wrote ? sight.column(other, component) : other);
    if (event <= known) {
      return true;
    }
    // A fetch that precedes this write in every case does not depend on it.
    return agents.source[other] >= 0
        && s.known(seen, CausalClockIndex.fetchColumn(model, other)) >= event;
  }

  /**
   * Whether the earlier access is a strong write that the component observed, or whose replacement
   * it observed.
   */
  private boolean found(
      MachineState s, int memory, int i, int other, int then, int component, int tick) {
    if ((then & (ShadowLayout.WRITE | ShadowLayout.CELL)) != ShadowLayout.WRITE) {
      return false;
    }
    int at = first[memory] + 1 + i * fields;
    int event = then >> ShadowLayout.MARKS;
    boolean renamed = knowledge.renamed(other, then, component, tick);
    return knowledge.found(
        s, memory, s.shadow[at], end(s, memory, i), other, event, component, renamed);
  }

  /** One past the last byte of the interval. */
  private int end(MachineState s, int memory, int i) {
    boolean last = i + 1 == s.shadow[first[memory]];
    return last ? model.bytes[memory] : s.shadow[first[memory] + 1 + (i + 1) * fields];
  }

  /**
   * The first byte from {@code from} on whose last write is not ordered before the read, which may
   * thus return the previous value; {@code end} if there is none. An access must have begun at
   * {@code from}.
   */
  public int unknown(
      MachineState s, int component, int memory, int from, int end, boolean strong, boolean alias) {
    int tick =
        s.clocks.at(component, component) << ShadowLayout.MARKS
            | (alias ? ShadowLayout.ALIAS : 0)
            | (strong ? ShadowLayout.STRONG : 0);
    int i = split(s, memory, from, 0);
    int at = from;
    while (at < end && knowsLast(s, memory, i, component, tick)) {
      at = end(s, memory, i++);
    }
    return Math.min(at, end);
  }

  /** The end of the bytes that were accessed together with the one at {@code at}. */
  public int end(MachineState s, int memory, int at, int end) {
    return Math.min(end, end(s, memory, split(s, memory, at, 0)));
  }

  /**
   * Whether the component is ordered after the last write; later writes may have replaced the weak
   * one. So may an update that was issued before the weak write and took effect after it.
   */
  private boolean knowsLast(MachineState s, int memory, int i, int component, int tick) {
    int[] shadow = s.shadow;
    int at = first[memory] + 1 + i * fields;
    int end = at + ShadowLayout.FIELDS + 2 * shadow[at + 3];
    boolean replaced = false;
    boolean renamed = false;
    for (int p = at + ShadowLayout.FIELDS; p < end; p += 2) {
      boolean write = (shadow[p + 1] & ShadowLayout.WRITE) != 0;
      replaced |= write;
      renamed |= write && !sameName(shadow[p + 1], tick);
    }
    return replaced
        ? knowledge.knowsLast(s, memory, shadow[at], component, renamed)
        : shadow[at + 1] < 0
            || ordered(s, shadow[at + 1], shadow[at + 2], component, tick, -1)
            || knowledge.followsWords(s, memory, shadow[at], end(s, memory, i), component);
  }

  /**
   * Whether an interface wrote a packet there, and the agent of this write is ordered after an
   * await that took it. Bytes that were seen in their place cannot arrive after a write that was
   * sent because of them. This holds for the packet's own bytes only, not for others of the same
   * request.
   */
  private boolean seenThere(MachineState s, int memory, int at, int writer, int then, int seen) {
    int buffer = memory % model.buffers;
    return model.scan.format[buffer] >= 0
        && agents.placed[writer]
        && SyncWords.knownTaken(
            model,
            s,
            model.words.packet(model, memory / model.buffers, buffer, at),
            writer,
            then >> ShadowLayout.MARKS,
            seen);
  }

  /**
   * Whether the last weak write precedes a store of its cell that the component is ordered after.
   */
  private boolean overwritten(MachineState s, int memory, int at, int component, int tick) {
    int[] shadow = s.shadow;
    int end = at + ShadowLayout.FIELDS + 2 * shadow[at + 3];
    boolean known = false;
    for (int p = at + ShadowLayout.FIELDS; p < end && !known; p += 2) {
      known = cellKnown(s, memory, shadow[at], shadow[p + 1], component, tick);
    }
    return known;
  }

  /**
   * Whether the access was a store of the cell, and the component is ordered after the last such
   * store.
   */
  private boolean cellKnown(MachineState s, int memory, int at, int then, int component, int tick) {
    return (then & ShadowLayout.CELL) != 0
        && sameName(then, tick)
        && agents.cells.known(s.clocks, memory, at, component);
  }

  /**
   * Records the access. Accesses are sorted by component, one for each kind: the last one implies
   * the others.
   */
  private void note(int[] shadow, int at, int component, int tick) {
    int count = shadow[at + 3];
    int p = at + ShadowLayout.FIELDS;
    int end = p + 2 * count;
    int kind = tick & ShadowLayout.KIND;
    while (p < end
        && (shadow[p] < component
            || (shadow[p] == component && (shadow[p + 1] & ShadowLayout.KIND) < kind))) {
      p += 2;
    }
    if (p < end && shadow[p] == component && (shadow[p + 1] & ShadowLayout.KIND) == kind) {
      shadow[p + 1] = tick;
      return;
    }
    if (count == accesses) {
      throw model.sizes.grow("accesses of an interval", accesses + 1);
    }
    System.arraycopy(shadow, p, shadow, p + 2, end - p);
    shadow[p] = component;
    shadow[p + 1] = tick;
    shadow[at + 3]++;
  }

  /**
   * The number of the interval that starts at {@code at}, split off if necessary.
   *
   * @param from the number of an interval that does not start after it
   */
  private int split(MachineState s, int memory, int at, int from) {
    int[] shadow = s.shadow;
    int base = first[memory];
    int count = shadow[base];
    if (at >= model.bytes[memory]) {
      return count;
    }
    int low = from;
    int high = count - 1;
    if (low < high && shadow[base + 1 + (low + 1) * fields] >= at) {
      // Most accesses by far are of bytes that were accessed together before.
      low += shadow[base + 1 + (low + 1) * fields] == at ? 1 : 0;
      high = low;
    }
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (shadow[base + 1 + middle * fields] <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int interval = base + 1 + low * fields;
    if (shadow[interval] == at) {
      return low;
    }
    if (base + 1 + (count + 1) * fields > first[memory + 1]) {
      throw model.sizes.grow(ShadowLayout.part(model, memory), count + 1);
    }
    System.arraycopy(shadow, interval, shadow, interval + fields, (count - low) * fields);
    shadow[interval + fields] = at;
    shadow[base]++;
    return low + 1;
  }
}
