package dev.oriel.sim.machine.words;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.CAUSES;
import static dev.oriel.sim.machine.layout.WordLayout.COMPARISON;
import static dev.oriel.sim.machine.layout.WordLayout.PARTS;
import static dev.oriel.sim.machine.layout.WordLayout.SCOPE;
import static dev.oriel.sim.machine.layout.WordLayout.TAKEN;
import static dev.oriel.sim.machine.layout.WordLayout.TICK;
import static dev.oriel.sim.machine.layout.WordLayout.UPDATES;
import static dev.oriel.sim.machine.layout.WordLayout.VIEW;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.ReleaseClocks;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.PendingAtomicLayout;
import java.util.Arrays;

/**
 * Writes of words that agents synchronise on. {@link ReleaseClocks} holds the release clocks of the
 * next write; the caller sets them just before. A value that a poll might miss is a finding,
 * whatever the schedule.
 */
public final class WordWrites {
  private static final Atomic[] ATOMICS = Atomic.values();

  private final MachineModel model;
  private final WordLayout table;
  private final SyncWords words;
  private final ReleaseClocks releaseClocks;
  private final LockHolders locks;
  private final ComponentClocks clocks;
  private final EnabledDirtySet enabledDirty;
  private final OrderingAssumptions kept;
  private final FindingReporter reports;
  private final boolean overwrites;
  private final boolean races;
  private final boolean writers;
  private final boolean atomicity;

  /** The index of the last written message. */
  private int entered;

  /** Provenance of the next written value or operand; the caller sets it just before the write. */
  private long from;

  public WordWrites(
      MachineModel model,
      SyncWords words,
      ReleaseClocks releaseClocks,
      LockHolders locks,
      ComponentClocks clocks,
      DetectorSet detectors,
      EnabledDirtySet enabledDirty,
      OrderingAssumptions kept,
      FindingReporter reports) {
    this.model = model;
    this.table = model.words;
    this.words = words;
    this.releaseClocks = releaseClocks;
    this.locks = locks;
    this.clocks = clocks;
    this.enabledDirty = enabledDirty;
    this.kept = kept;
    this.reports = reports;
    overwrites = detectors.finds(Kind.OVERWRITE);
    races = detectors.finds(Kind.RACE) && !model.ordered;
    writers = detectors.finds(Kind.WRITERS);
    atomicity = detectors.finds(Kind.ATOMICITY) && !kept.atomic && !model.profile.platform();
  }

  /** Sets the provenance of the next written value, or of the next write's operand. */
  public void from(long origin) {
    from = origin;
  }

  private long from() {
    long origin = from;
    from = 0;
    return origin;
  }

  /**
   * Writes a word with the release clocks that were set just before.
   *
   * @param after the message after which the write enters coherence order, from {@link
   *     SyncWords#predecessor}
   * @param agent the clock component of the writer
   * @param compare the value that a compare-and-swap expects; for a {@code SET}, 0, or another
   *     value if the word must not hold 0, as for an unlock
   * @param alone whether the word must have a single writer, as a store to a slot requires
   * @param reads whether the write reads the old value, and so continues its release sequence
   * @return the old value
   */
  public long write(
      MachineState s,
      int agent,
      int word,
      int after,
      int change,
      long operand,
      long compare,
      int scope,
      int causes,
      boolean alone,
      boolean reads) {
    long operandOrigin = from();
    int before = table.message(word, after);
    int other = s.words[before + AGENT];
    long old = words.value(s, word, after);
    requireOrdered(s, agent, word, alone);
    long next = ATOMICS[change].apply(old, operand, compare);
    if (!ATOMICS[change].writes()) {
      words.footprint.read(word);
      return old;
    }
    if (writers && ATOMICS[change] == Atomic.SET && compare != 0 && old == 0) {
      throw new FindingException(reports.notLocked(word, words.number(s, word, after), agent));
    }
    if (writers && next == 0 && old != 0 && locks.notItsHolder(s, word, other, agent)) {
      throw new FindingException(
          reports.unlocked(word, words.number(s, word, after), other, agent));
    }
    if (next == 0) {
      locks.given(s, word);
    }
    int afterAll = reads ? s.causes.joined(causes, s.words[before + CAUSES]) : causes;
    requireTaken(s, word, after, next, agent, afterAll);
    boolean chained = reads || (alone && other == agent);
    if (chained && other >= 0) {
      releaseClocks.chain(s, before, agent);
    }
    boolean adds = ATOMICS[change] == Atomic.ADD;
    boolean set =
        ATOMICS[change] == Atomic.SET || (ATOMICS[change] == Atomic.CAS && old == compare);
    long origin = set ? operandOrigin : next == old ? words.origin(s, word, after) : 0;
    int marked = reads ? scope | UPDATES : scope;
    enter(s, word, after, next, origin, agent, marked, 0, afterAll, adds);
    return old;
  }

  /**
   * Rejects a write that conflicts with an earlier one that is not ordered before it. A store to a
   * slot conflicts with every such write. On another word only a write from a place conflicts with
   * which this one is not atomic.
   */
  private void requireOrdered(MachineState s, int agent, int word, boolean alone) {
    if (!writers && !atomicity) {
      return;
    }
    for (int i = words.count(s, word) - 1; i >= 0 && !ordered(s, agent, word, i, alone); i--) {
      int other = s.words[table.message(word, i) + AGENT];
      int number = words.number(s, word, i);
      if (alone && writers) {
        throw new FindingException(reports.writers(word, number, other, agent));
      }
      if (!alone && atomicity && apart(other, agent)) {
        throw new FindingException(reports.atomicity(word, number, other, agent));
      }
    }
  }

  /**
   * Whether the message is ordered before the agent's write. The writer of a slot does not read it,
   * so it need not see the earlier value.
   */
  private boolean ordered(MachineState s, int agent, int word, int index, boolean alone) {
    int m = table.message(word, index);
    int other = s.words[m + AGENT];
    boolean known =
        other < 0
            || other == agent
            || s.words[m + TICK] <= s.clocks.at(agent, other)
            || (model.cells && SyncWords.cellKnown(model, s, word, m, agent));
    return model.ordered || (known && (alone || words.sees(s, word, index, agent)));
  }

  /** Whether two components write from places that are not atomic with each other. */
  private boolean apart(int one, int other) {
    int through = model.agents.interfaceOf[other];
    return model.agents.interfaceOf[one] != through
        || (through >= 0 && model.agents.rankOf[one] != model.agents.rankOf[other]);
  }

  /** The index of the last written message. */
  public int entered() {
    return entered;
  }

  /**
   * Writes a word by a weak store, which need not be the only writer and in general releases
   * nothing.
   *
   * @param cell the component that counts stores of the word's cell, if the whole cell is stored at
   *     once; otherwise -1
   */
  public void overwrite(MachineState s, int agent, int word, long value, int cell, int causes) {
    overwrite(s, agent, word, value, cell, MachineModel.SYS, causes);
  }

  /**
   * Writes a packet, or the packet that a write of a part of it leaves.
   *
   * @param whole whether all of it was written
   */
  public void packet(MachineState s, int agent, int word, long flag, boolean whole, int causes) {
    int scope = whole ? MachineModel.SYS : MachineModel.SYS | PARTS;
    overwrite(s, agent, word, flag, -1, scope, causes);
  }

  private void overwrite(
      MachineState s, int agent, int word, long value, int cell, int scope, int causes) {
    long origin = from();
    int last = words.count(s, word) - 1;
    requireTaken(s, word, last, value, agent, causes);
    if (model.ordered) {
      releaseClocks.all(s, agent);
      enter(s, word, last, value, origin, agent, scope, 0, causes, false);
      clocks.advance(s, agent);
    } else {
      releaseClocks.none();
      if (placedWhole(agent)) {
        releaseClocks.all(s, agent);
      }
      int lane = model.agents.interfaceOf[agent] < 0 ? model.agents.laneOf[agent] : -1;
      if (kept.storesInOrder && lane >= 0) {
        releaseClocks.ofLane(s, lane, MachineModel.SYS, false);
      }
      if (cell >= 0) {
        releaseClocks.also(s, clocks.keep(s, cell));
      }
      int stored = cell >= 0 ? clocks.tick(s, cell) : 0;
      enter(s, word, last, value, origin, agent, scope, stored, causes, false);
    }
  }

  /**
   * Whether the component places each write from front to back. Then the word's release is all that
   * the component wrote so far, see {@code DataWords.place}.
   */
  boolean placedWhole(int agent) {
    return model.whole && model.agents.interfaceOf[agent] >= 0;
  }

  private void enter(
      MachineState s,
      int word,
      int after,
      long value,
      long origin,
      int agent,
      int scope,
      int stored,
      int causes,
      boolean adds) {
    int index = after + 1 - trim(s, word);
    int at = table.fields[word];
    int count = s.words[at + 1];
    if (count == table.room[table.kindOf[word]]) {
      throw table.full(model, word);
    }
    if (index < count) {
      moveUp(s, word, index, count);
    }
    entered = index;
    int m = table.message(word, index);
    s.words[m + AGENT] = agent;
    s.words[m + TICK] = clocks.tick(s, agent);
    s.words[m + SCOPE] = scope;
    s.words[m + CAUSES] = causes;
    releaseClocks.into(s, m);
    if (model.cells) {
      s.words[m + table.stored] = stored;
    }
    Arrays.fill(s.words, table.found(word, index, 0), table.found(word, index + 1, 0), 0);
    s.wordValues[table.firstValue[word] + index] = value;
    if (model.origins.on) {
      s.wordValues[table.origin(word, index)] = origin;
    }
    s.words[at + 1]++;
    words.footprint.changed(word);
    wake(word);
    reports.written(word, words.number(s, word, index), words.newest(s, word), adds);
  }

  /** Makes room for a message before others, and renumbers the views of their readers. */
  private void moveUp(MachineState s, int word, int index, int count) {
    int kind = table.kindOf[word];
    int m = table.message(word, index);
    int moved = count - index;
    System.arraycopy(s.words, m, s.words, m + table.message, moved * table.message);
    int found = table.found(word, index, 0);
    int founds = table.founds[kind];
    System.arraycopy(s.words, found, s.words, found + founds, moved * founds);
    int value = table.firstValue[word] + index;
    System.arraycopy(s.wordValues, value, s.wordValues, value + 1, moved);
    if (model.origins.on) {
      int origin = table.origin(word, index);
      System.arraycopy(s.wordValues, origin, s.wordValues, origin + 1, moved);
    }
    int number = words.number(s, word, index);
    for (int r = 0; r < table.readers[kind]; r++) {
      int view = table.reader(kind, table.fields[word], r) + VIEW;
      s.words[view] += s.words[view] >= number ? 1 : 0;
    }
    PendingAtomicLayout.moveUp(model, s, word, number);
  }

  private void wake(int word) {
    int kind = table.kindOf[word];
    enabledDirty.lanesOf(table.owner[word]);
    for (int r = 0; kind >= table.signals + model.buffers && r < table.readers[kind]; r++) {
      enabledDirty.lanesOf(model.rank(table.laneOf(word, r)));
    }
  }

  /** Drops messages that no read can return any more. Returns how many. */
  private int trim(MachineState s, int word) {
    int kind = table.kindOf[word];
    int at = table.fields[word];
    int keep = s.words[at] + s.words[at + 1] - 1;
    // With many lanes, the first one that may still read the oldest message spares the others.
    for (int r = 0; r < table.readers[kind] && keep > s.words[at]; r++) {
      int lane = table.laneOf(word, r);
      if (lane >= 0) {
        keep = Math.min(keep, s.words[at] + words.oldest(s, word, lane));
      }
    }
    keep = PendingAtomicLayout.oldest(model, s, word, keep);
    int gone = keep - s.words[at];
    if (gone == 0) {
      return 0;
    }
    int left = s.words[at + 1] - gone;
    System.arraycopy(
        s.words, table.message(word, gone), s.words, table.message(word, 0), left * table.message);
    int founds = table.founds[kind];
    System.arraycopy(
        s.words, table.found(word, gone, 0), s.words, table.found(word, 0, 0), left * founds);
    int values = table.firstValue[word];
    System.arraycopy(s.wordValues, values + gone, s.wordValues, values, left);
    if (model.origins.on) {
      int origins = table.origin(word, 0);
      System.arraycopy(s.wordValues, origins + gone, s.wordValues, origins, left);
    }
    s.words[at] = keep;
    s.words[at + 1] = left;
    return gone;
  }

  /**
   * Rejects a new value that an earlier await could have returned in place of the one it took. It
   * does so if the new value fails the await's comparison and the await does not happen before the
   * write. A value that enters before the message that the lane read is no such value: a lane that
   * reads it keeps waiting for the later one.
   *
   * <p>A packet's flag releases its bytes, and memory holds those of the newest packet. So a packet
   * that is not ordered after such an await is a race.
   */
  private void requireTaken(MachineState s, int word, int after, long next, int agent, int causes) {
    boolean packet = races && table.isPacket(model, word);
    if (!overwrites && !packet) {
      return;
    }
    int kind = table.kindOf[word];
    int awaits = table.awaits[kind];
    int number = words.number(s, word, after);
    for (int r = 0; r < awaits * table.readers[kind]; r++) {
      int fields = table.reader(kind, table.fields[word], r / awaits);
      int reader = fields + 2 * (r % awaits);
      if (s.words[reader + TAKEN] == 0 || s.words[fields + VIEW] > number) {
        continue;
      }
      int other = table.laneOf(word, r / awaits);
      int column = CausalClockIndex.column(model, other, table.isPacket(model, word));
      int known = causes == 0 ? 0 : s.causes.at(causes, column);
      if (s.words[reader + TAKEN] <= known) {
        continue;
      }
      boolean satisfies =
          OperandTable.compares(
              s.words[reader + COMPARISON], next, s.wordValues[table.values[word] + r]);
      if (overwrites && !satisfies) {
        throw new FindingException(reports.overwritten(word, words.newest(s, word), agent, other));
      }
      if (packet) {
        throw new FindingException(reports.packetAgain(word, agent, other));
      }
    }
  }
}
