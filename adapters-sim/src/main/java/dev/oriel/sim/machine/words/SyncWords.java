package dev.oriel.sim.machine.words;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.CARRIES;
import static dev.oriel.sim.machine.layout.WordLayout.CAUSES;
import static dev.oriel.sim.machine.layout.WordLayout.PARTS;
import static dev.oriel.sim.machine.layout.WordLayout.RELEASES;
import static dev.oriel.sim.machine.layout.WordLayout.SCOPE;
import static dev.oriel.sim.machine.layout.WordLayout.TAKEN;
import static dev.oriel.sim.machine.layout.WordLayout.TICK;
import static dev.oriel.sim.machine.layout.WordLayout.UPDATES;
import static dev.oriel.sim.machine.layout.WordLayout.VIEW;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Words that agents synchronise on. Each word holds, in coherence order, every message that a read
 * may still return, with its release clocks. {@link WordLayout} gives the layout; {@link
 * WordWrites} makes the writes.
 *
 * <p>Coherence order is not execution order. A write enters after any message, on two conditions.
 * The writing lane is ordered after no later message. The write separates no atomic from the
 * message that the atomic read. So an atomic reads its predecessor in coherence order, which need
 * not be the newest message.
 *
 * <p>An await may return any value that satisfies it. It returns the oldest such value where each
 * later value releases at least as much ({@link WordLayout#uneven} gives the exceptions). This
 * loses no outcome: a lane that reads a later value is only ordered after more. All that it may
 * then do it may also do after the oldest value. For the excepted words, an await may return any
 * satisfying value, unless the lane acquires from it at least what it acquires from an older one.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class SyncWords {
  private static final int SET = Atomic.SET.ordinal();

  private final MachineModel model;
  private final WordLayout table;
  private final ComponentClocks clocks;
  private final OrderingAssumptions kept;
  private final NicVisibility sight;
  private final boolean narrows;
  private final boolean overwrites;
  private final boolean races;
  private final FindingReporter reports;
  private boolean partial;
  private final AwaitHistory remembered;

  /** Whether a write always enters after the last message. */
  private final boolean inOrder;

  /** How many clocks a lane may join from a message. */
  private final int learnable;

  /**
   * By rank: words in which a strong read may return an interface's write that is not visible yet.
   */
  private final int[][] hidden;

  private int[] candidates = new int[8];

  /** Reads that could have returned another value, and writes. */
  public final StepFootprint footprint = new StepFootprint();

  public SyncWords(
      MachineModel model,
      ComponentClocks clocks,
      NicVisibility sight,
      DetectorSet detectors,
      OrderingAssumptions kept,
      FindingReporter reports) {
    this.kept = kept;
    this.sight = sight;
    this.model = model;
    this.table = model.words;
    this.clocks = clocks;
    this.reports = reports;
    this.remembered = new AwaitHistory(model);
    narrows = detectors.finds(Kind.SCOPE);
    overwrites = detectors.finds(Kind.OVERWRITE);
    races = detectors.finds(Kind.RACE) && !model.ordered;
    learnable = model.levels == 1 ? 1 : MachineModel.SYS + model.world + 1;
    inOrder = model.ordered || kept.storesInOrder;
    hidden = new int[model.world][];
    Arrays.setAll(hidden, this::hidden);
  }

  private int[] hidden(int rank) {
    return model.profile.hides()
        ? IntStream.range(0, table.count)
            .filter(w -> table.owner[w] == rank && table.finders[table.kindOf[w]] > 0)
            .toArray()
        : new int[0];
  }

  /** Whether the clocks of all other lanes were consulted since the last call. */
  public boolean asks() {
    return remembered.asks();
  }

  public int count(MachineState s, int word) {
    return s.words[table.fields[word] + 1];
  }

  private int firstValue(int word) {
    return table.firstValue[word];
  }

  public long value(MachineState s, int word, int index) {
    return s.wordValues[firstValue(word) + index];
  }

  public long last(MachineState s, int word) {
    return value(s, word, count(s, word) - 1);
  }

  /** Provenance of that message's value, see {@code WordProvenance}. */
  public long origin(MachineState s, int word, int index) {
    if (!model.origins.on) {
      return 0;
    }
    boolean unwritten = agent(s, word, index) < 0 && value(s, word, index) == 0;
    return unwritten ? model.origins.unwritten() : s.wordValues[table.origin(word, index)];
  }

  public long lastOrigin(MachineState s, int word) {
    return origin(s, word, count(s, word) - 1);
  }

  /** Provenance of the value that the lane read last. */
  public long originFound(MachineState s, int word, int lane) {
    return origin(s, word, s.words[reader(word, lane) + VIEW] - s.words[table.fields[word]]);
  }

  public int agent(MachineState s, int word, int index) {
    return s.words[table.message(word, index) + AGENT];
  }

  /**
   * The message after which the lane's next write of the word enters coherence order. All that the
   * lane is ordered after comes before the write. Nothing comes between an atomic and the message
   * that it reads.
   */
  public int predecessor(MachineState s, int word, int lane, ChoiceSource branch) {
    return predecessorFrom(s, word, inOrder ? 0 : oldest(s, word, lane), branch);
  }

  /** The same, where {@code oldest} is the last message that must precede the write. */
  public int predecessorFrom(MachineState s, int word, int oldest, ChoiceSource branch) {
    int last = count(s, word) - 1;
    int ways = 1;
    for (int i = inOrder ? last : oldest; i < last; i++) {
      ways += updates(s, word, i + 1) ? 0 : 1;
    }
    int left = ways == 1 ? 0 : branch.choose(ways);
    int index = last;
    while (left > 0) {
      index--;
      left -= updates(s, word, index + 1) ? 0 : 1;
    }
    return index;
  }

  /** Whether an atomic wrote the message, which is then adjacent to its predecessor. */
  private boolean updates(MachineState s, int word, int index) {
    return (s.words[table.message(word, index) + SCOPE] & UPDATES) != 0;
  }

  /** The clock that the last message releases at the widest scope. */
  public int released(MachineState s, int word) {
    return s.words[table.message(word, count(s, word) - 1) + RELEASES];
  }

  /** A snapshot of the causal clock of the last message's writer. */
  public int causes(MachineState s, int word) {
    return s.words[table.message(word, count(s, word) - 1) + CAUSES];
  }

  /** The number of a message among all that the word ever had. */
  public int number(MachineState s, int word, int index) {
    return s.words[table.fields[word]] + index;
  }

  /** The number of the last message. */
  int newest(MachineState s, int word) {
    return number(s, word, count(s, word) - 1);
  }

  private int reader(int word, int lane) {
    int reader = table.reader(word, lane);
    if (reader < 0) {
      throw new AssertionError("no reader of this word: lane=" + lane);
    }
    return table.reader(table.kindOf[word], table.fields[word], reader);
  }

  /** The oldest message that a read of the lane may still return. */
  public int oldest(MachineState s, int word, int lane) {
    return oldest(model, sight, s, word, lane);
  }

  /** The same, for callers without a {@code SyncWords}. */
  public static int oldest(
      MachineModel model, NicVisibility sight, MachineState s, int word, int lane) {
    WordLayout table = model.words;
    int header = table.fields[word];
    int reader = table.reader(table.kindOf[word], header, table.reader(word, lane));
    int view = Math.max(0, s.words[reader + VIEW] - s.words[header]);
    int leader = model.agents.leader[lane];
    int last = s.words[header + 1] - 1;
    int m = table.firstMessage[word] + last * table.message;
    for (int i = last; i > view; i--, m -= table.message) {
      if (s.words[m + AGENT] < 0
          || sight.reaches(s, s.words[m + AGENT], s.words[m + TICK], leader)) {
        return i;
      }
      if (foundBefore(model, s, word, i, leader, false)) {
        return i;
      }
      if (model.cells && cellKnown(model, s, word, m, leader)) {
        return i;
      }
    }
    return view;
  }

  /**
   * Whether the message belongs to a store of its whole cell that the component is ordered after.
   */
  public static boolean cellKnown(
      MachineModel model, MachineState s, int word, int m, int component) {
    WordLayout table = model.words;
    int stored = s.words[m + table.stored];
    return stored > 0
        && stored
            <= s.clocks.at(
                component, model.agents.cells.of(table.memory(model, word), table.offset[word]));
  }

  /**
   * Whether the component is ordered after a strong read that returned the message. With {@code
   * renamed}, the read must also be ordered before accesses through an alias of the memory.
   */
  public static boolean foundBefore(
      MachineModel model, MachineState s, int word, int index, int component, boolean renamed) {
    WordLayout table = model.words;
    int finders = table.finders[table.kindOf[word]];
    int found = table.found(word, index, 0);
    for (int r = 0; r < finders; r++) {
      int tick = s.words[found + r];
      if (tick == 0) {
        continue;
      }
      int finder = finder(model, word, r) + (renamed ? 1 : 0);
      if (tick <= s.clocks.at(component, finder)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the component is ordered after a step that made an interface's message visible, once a
   * strong read had returned the message.
   */
  public static boolean shownBefore(
      MachineModel model, MachineState s, int word, int index, int component) {
    WordLayout table = model.words;
    int finders = table.finders[table.kindOf[word]];
    for (int r = 0; r < finders; r++) {
      int tick = s.words[table.shown(word, index, r)];
      if (tick > 0 && tick <= s.clocks.at(component, finder(model, word, r))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Records that the lane makes interface writes visible. It concerns messages of its rank's words
   * that a strong read returned, if the lane is ordered after that read.
   */
  public void consist(MachineState s, int lane) {
    int leader = model.agents.leader[lane];
    for (int w : hidden[model.rank(lane)]) {
      int reader = table.reader(w, lane);
      for (int i = 0; reader >= 0 && i < count(s, w); i++) {
        int agent = agent(s, w, i);
        int at = table.shown(w, i, reader);
        if (agent >= 0
            && model.agents.placed[agent]
            && s.words[at] == 0
            && foundBefore(model, s, w, i, leader, false)) {
          s.words[at] = clocks.tick(s, leader);
        }
      }
    }
  }

  /**
   * The clock component with which that reader reads the word. Call it only for a reader that has
   * read a message: some ranks have fewer readers than others.
   */
  private static int finder(MachineModel model, int word, int reader) {
    return model.agents.leader[model.words.laneOf(word, reader)];
  }

  /**
   * Whether the component, which is about to write the word, is ordered after the message or after
   * an earlier strong read that returned it. The read of a GPU proves nothing to an interface that
   * does not see the message yet, nor to another GPU.
   */
  boolean sees(MachineState s, int word, int index, int component) {
    int m = table.message(word, index);
    int agent = s.words[m + AGENT];
    boolean sees = agent < 0 || sight.reaches(s, agent, s.words[m + TICK], component);
    sees = sees || (model.cells && cellKnown(model, s, word, m, component));
    AgentLayout agents = model.agents;
    boolean owner =
        agents.interfaceOf[component] < 0 && agents.rankOf[component] == table.owner[word];
    if (!sees && !owner && sight.hides(agent, component)) {
      return shownBefore(model, s, word, index, component);
    }
    int finders = table.finders[table.kindOf[word]];
    for (int r = 0; !sees && r < finders; r++) {
      int tick = s.words[table.found(word, index, r)];
      if (tick > 0) {
        int finder = finder(model, word, r);
        int known = s.clocks.at(component, finder);
        sees = tick <= (finder == component ? known - 1 : known);
      }
    }
    return sees;
  }

  /**
   * The oldest message that the lane may read and that satisfies the comparison; -1 if there is
   * none.
   */
  public int find(MachineState s, int word, int lane, int comparison, long value) {
    int count = count(s, word);
    int values = firstValue(word);
    for (int i = oldest(s, word, lane); i < count; i++) {
      if (OperandTable.compares(comparison, s.wordValues[values + i], value)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * An await returns a satisfying message, of which there must be one. A packet's flag releases its
   * bytes, and memory holds those of the newest packet. A later packet that the reader need not
   * know of is therefore in a race with the read, whatever its flag.
   */
  public void take(
      MachineState s,
      int word,
      int lane,
      int comparison,
      long value,
      boolean acquire,
      int scope,
      ChoiceSource branch) {
    int found = find(s, word, lane, comparison, value);
    if (overwrites) {
      for (int i = found + 1; i < count(s, word); i++) {
        if (!OperandTable.compares(comparison, value(s, word, i), value)) {
          throw new FindingException(
              reports.gone(word, lane, value(s, word, found), number(s, word, i)));
        }
      }
    }
    boolean packet = table.isPacket(model, word);
    if (packet && races && found + 1 < count(s, word)) {
      throw new FindingException(
          reports.laterPacket(word, number(s, word, found + 1), agent(s, word, found + 1), lane));
    }
    if (table.uneven(word)) {
      footprint.read(word);
      found = choose(s, word, found, lane, comparison, value, scope, branch);
    }
    partial |= packet && (s.words[table.message(word, found) + SCOPE] & PARTS) != 0;
    int tick = clocks.taken(s, lane, packet, s.words[table.message(word, found) + CAUSES]);
    remembered.add(s, word, lane, comparison, value, tick);
    if (!packet) {
      observe(s, word, found, lane, acquire, scope);
    }
    view(s, word, lane, found);
    report(s, lane, word, found);
  }

  /**
   * Whether any await so far took a packet that a write of a part of it left. A part may become
   * visible later than another part that was written after it, and this is not looked at.
   */
  public boolean partial() {
    return partial;
  }

  /**
   * Chooses a satisfying message from which the lane does not acquire all that an older one
   * releases.
   */
  private int choose(
      MachineState s,
      int word,
      int oldest,
      int lane,
      int comparison,
      long value,
      int scope,
      ChoiceSource branch) {
    int ways = 0;
    for (int i = oldest; i < count(s, word); i++) {
      boolean other = OperandTable.compares(comparison, value(s, word, i), value);
      for (int k = 0; other && k < ways; k++) {
        other = !covers(s, word, i, candidates[k], lane, scope);
      }
      if (other) {
        if (ways == candidates.length) {
          candidates = Arrays.copyOf(candidates, 2 * ways);
        }
        candidates[ways++] = i;
      }
    }
    return candidates[ways == 1 ? 0 : branch.choose(ways)];
  }

  /**
   * Whether the lane acquires at least as much from a message as from an older one. False if a
   * scope is too narrow for the newer message. Also false if one is too narrow for the older
   * message and a narrow scope ends the execution.
   */
  private boolean covers(MachineState s, int word, int index, int older, int lane, int scope) {
    if (apart(s, word, index, lane, scope) || (narrows && apart(s, word, older, lane, scope))) {
      return false;
    }
    int more = table.message(word, index);
    int less = table.message(word, older);
    boolean all = s.causes.covers(s.words[more + CAUSES], s.words[less + CAUSES]);
    boolean none = s.words[less + AGENT] < 0 || apart(s, word, older, lane, scope);
    for (int i = 0; all && !none && i < learnable; i++) {
      all = s.releases.covers(row(s, more, lane, i), row(s, less, lane, i));
    }
    return all;
  }

  /**
   * One of the clocks that a lane joins from a message. Parts below the widest scope are numbered
   * by level, those of the widest scope by the group of the releasing component.
   */
  private int row(MachineState s, int message, int lane, int part) {
    int agent = s.words[message + AGENT];
    int release = agent < 0 ? -1 : model.levels == 1 ? 0 : release(agent, lane, part);
    return release < 0 ? 0 : s.words[message + RELEASES + release];
  }

  private int release(int agent, int lane, int part) {
    if (part == MachineModel.CTA) {
      return model.apart(agent, lane) == 0 ? WordLayout.FOR_LANE : -1;
    }
    if (part == MachineModel.CLUSTER) {
      int cluster = model.clusterOf(model.agents.leader[lane]);
      return cluster < 0 ? -1 : table.inCluster(cluster);
    }
    int rank = model.rank(lane);
    if (part == MachineModel.NEAR) {
      return model.isOutside(lane) ? -1 : table.inGroup(rank);
    }
    int group = part - MachineModel.SYS;
    return group == rank && !model.hasOutside(rank) ? -1 : table.outOfGroup(group);
  }

  /**
   * A read returns that very message, whatever its value. It satisfied an await together with
   * others, or every value does.
   */
  public void takeAny(MachineState s, int word, int index, int lane, boolean acquire, int scope) {
    clocks.awaited(s, lane, false);
    takeMessage(s, word, index, lane, acquire, scope);
  }

  /** Takes that message of the word. */
  public void takeMessage(
      MachineState s, int word, int index, int lane, boolean acquire, int scope) {
    footprint.read(word);
    clocks.taken(s, lane, false, s.words[table.message(word, index) + CAUSES]);
    observe(s, word, index, lane, acquire, scope);
    view(s, word, lane, index);
    report(s, lane, word, index);
  }

  /** A single read of a word: it returns any value that the lane may still read. */
  public long readAny(
      MachineState s, int word, int lane, int order, int scope, ChoiceSource branch) {
    // In one total order no read returns an overwritten value.
    boolean newest = model.ordered || kept.acquiresAll;
    int oldest = newest ? count(s, word) - 1 : oldest(s, word, lane);
    int found = oldest + branch.choose(count(s, word) - oldest);
    long value = value(s, word, found);
    boolean acquire = AccessOrders.acquires(order) || kept.acquiresAll;
    takeAny(s, word, found, lane, acquire, scope);
    return value;
  }

  /** Whether the lane has not read that message of the slot yet. */
  public boolean unread(MachineState s, int slot, int index, int lane) {
    return s.words[reader(slot, lane) + VIEW] != number(s, slot, index);
  }

  /**
   * Whether a write of a buffer's word reads the value that it replaces. A set without a used
   * result is a store: it acquires nothing and ends the release sequence. In one total order it is
   * ordered after the message that it replaces.
   */
  public boolean reads(int change, boolean result) {
    return result || change != SET || model.ordered;
  }

  /**
   * Moves the lane's view to the message that its next store replaces; the lane acquires nothing.
   */
  public void replace(MachineState s, int word, int index, int lane, int scope) {
    reaches(s, word, index, lane, scope);
    view(s, word, lane, index);
  }

  /**
   * The lane reads the message for its order only: it observes what the message releases, and no
   * await is counted. Returns the message's causal clock.
   */
  public int takeUnseen(MachineState s, int word, int index, int lane, int scope) {
    observe(s, word, index, lane, false, scope);
    view(s, word, lane, index);
    report(s, lane, word, index);
    return s.words[table.message(word, index) + CAUSES];
  }

  /** Requires that the scopes of all messages after that one reach the lane, and its scope them. */
  public void requireReached(MachineState s, int word, int index, int lane, int scope) {
    for (int i = index + 1; i < count(s, word); i++) {
      reaches(s, word, i, lane, scope);
    }
  }

  /**
   * True if that write is the packet's last message and the causal clock {@code seen} includes the
   * await that consumed it.
   */
  public static boolean knownTaken(
      MachineModel model, MachineState s, int packet, int agent, int tick, int seen) {
    WordLayout table = model.words;
    int kind = table.kindOf[packet];
    int at = table.fields[packet];
    int last = s.words[at + 1] - 1;
    int m = table.messages(kind, at) + last * table.message;
    if (s.words[m + AGENT] != agent || s.words[m + TICK] != tick) {
      return false;
    }
    for (int r = 0; r < table.readers[kind]; r++) {
      int reader = table.reader(kind, at, r);
      int lane = table.laneOf(packet, r);
      if (lane >= 0
          && s.words[reader + VIEW] == s.words[at] + last
          && s.words[reader + TAKEN] <= s.known(seen, CausalClockIndex.column(model, lane, true))) {
        return true;
      }
    }
    return false;
  }

  /** Dates the message back to that tick, at which its agent issued the write. */
  public void happened(MachineState s, int word, int index, int tick) {
    s.words[table.message(word, index) + TICK] = tick;
  }

  private void view(MachineState s, int word, int lane, int index) {
    s.words[reader(word, lane) + VIEW] = number(s, word, index);
  }

  /** Whether an interface wrote the message that the lane read last. */
  public boolean fromInterface(MachineState s, int word, int lane) {
    int index = s.words[reader(word, lane) + VIEW] - s.words[table.fields[word]];
    int agent = s.words[table.message(word, index) + AGENT];
    return agent >= 0 && model.agents.interfaceOf[agent] >= 0;
  }

  /** Orders the lane after what the message releases, if both scopes reach that far. */
  private void observe(MachineState s, int word, int index, int lane, boolean acquire, int scope) {
    int m = table.message(word, index);
    int agent = s.words[m + AGENT];
    if (model.ordered) {
      // In one total order a reader is ordered after all that the writer did before.
      int top = agent < 0 ? 0 : s.words[m + RELEASES];
      clocks.join(s, model.agents.leader[lane], s.releases, top);
      return;
    }
    int reach = !acquire ? -1 : kept.scopes ? model.levels - 1 : model.level(scope);
    int found = table.foundReleases(word, table.reader(word, lane));
    if (found >= 0) {
      acquireFound(s, found, lane, reach);
    }
    if (agent < 0 || !reaches(s, word, index, lane, scope)) {
      return;
    }
    for (int i = 0; i < learnable; i++) {
      int level = Math.min(i, model.levels - 1);
      int row = row(s, m, lane, i);
      boolean acquired = level <= reach;
      int into = acquired ? model.agents.leader[lane] : ClockIndex.pending(model, lane, level);
      clocks.join(s, into, s.releases, row);
      if (found >= 0 && !acquired) {
        s.words[found + level] = s.releases.joined(s.words[found + level], row);
      }
    }
    if (table.finders[table.kindOf[word]] > 0) {
      found(s, word, index, lane);
    }
  }

  /** Acquires, up to that level, what earlier relaxed reads of the word observed. */
  private void acquireFound(MachineState s, int found, int lane, int reach) {
    for (int v = 0; v <= reach; v++) {
      clocks.join(s, model.agents.leader[lane], s.releases, s.words[found + v]);
      s.words[found + v] = 0;
    }
  }

  /**
   * Whether the scopes of the message and of the lane's access to it reach one another. Where the
   * lane knew of the message before, it does not matter, and the lane learns nothing.
   */
  private boolean reaches(MachineState s, int word, int index, int lane, int scope) {
    boolean apart = apart(s, word, index, lane, scope);
    if (apart && narrows && !knew(s, word, index, lane)) {
      int agent = s.words[table.message(word, index) + AGENT];
      throw new FindingException(reports.narrow(word, number(s, word, index), agent, lane));
    }
    return !apart;
  }

  /** Whether the lane sees the message, or found it or a later one, before the step it takes. */
  private boolean knew(MachineState s, int word, int index, int lane) {
    return s.words[reader(word, lane) + VIEW] >= number(s, word, index)
        || sees(s, word, index, model.agents.leader[lane]);
  }

  /**
   * Whether the scope of the message, or that of the lane's access, is too narrow for the other.
   */
  private boolean apart(MachineState s, int word, int index, int lane, int scope) {
    int m = table.message(word, index);
    int agent = s.words[m + AGENT];
    int apart = agent < 0 ? 0 : model.apart(agent, lane);
    return apart > 0 && !kept.scopes && (reach(s, m) < apart || scope < apart);
  }

  /** Records that the lane read the message, unless the lane is ordered after the write itself. */
  private void found(MachineState s, int word, int index, int lane) {
    int m = table.message(word, index);
    int leader = model.agents.leader[lane];
    int at = table.found(word, index, table.reader(word, lane));
    if (s.words[at] == 0 && !sight.reaches(s, s.words[m + AGENT], s.words[m + TICK], leader)) {
      s.words[at] = clocks.tick(s, leader);
    }
  }

  /** How far the message reaches; everywhere under profiles that keep stores in order. */
  private int reach(MachineState s, int message) {
    return kept.storesInOrder
        ? MachineModel.SYS
        : s.words[message + SCOPE] & ~(UPDATES | CARRIES | PARTS);
  }

  /** Reports that the lane read the word's message of that index. */
  private void report(MachineState s, int lane, int word, int index) {
    if (reports.records()) {
      reports.taken(lane, word, number(s, word, index), value(s, word, index));
    }
  }
}
