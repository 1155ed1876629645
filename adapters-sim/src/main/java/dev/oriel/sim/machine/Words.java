package dev.oriel.sim.machine;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.Operands;
import dev.oriel.sim.machine.Finding.Kind;
import java.util.Arrays;

/**
 * Words that agents synchronise on: every value that a reader may still find, oldest first, and
 * what finding it orders. See {@link WordTable} for where it lies.
 *
 * <p>An await takes the oldest value that satisfies it, which orders least where all writers name
 * one scope; where they do not, it takes any. That a poll might have missed a value is a finding,
 * whatever the schedule.
 */
final class Words {
  private static final int AGENT = 0;
  private static final int TICK = 1;
  private static final int SCOPE = 2;
  private static final int CAUSES = 3;
  private static final int HEADS = 4;

  private static final int VIEW = 0;
  private static final int TAKEN = WordTable.TAKEN;
  private static final int COMPARISON = WordTable.TAKEN + 1;

  private static final Atomic[] ATOMICS = Atomic.values();

  private final Model model;
  private final WordTable table;
  private final Clocks clocks;
  private final Wakes wakes;
  private final Kept kept;
  private final boolean narrows;
  private final boolean overwrites;
  private final boolean writers;
  private final boolean atomicity;
  private final Reports reports;
  private final Remembered remembered;
  private final int[] heads;

  /** Whether the next write releases all that its agent knows, and so all that it did before. */
  private boolean whole;

  /** What was read where it might have been otherwise, and what was changed. */
  final Footprint footprint = new Footprint();

  Words(Model model, Clocks clocks, Detectors detectors, Wakes wakes, Kept kept, Reports reports) {
    this.kept = kept;
    this.wakes = wakes;
    this.model = model;
    this.table = model.words;
    this.clocks = clocks;
    narrows = detectors.finds(Kind.SCOPE);
    overwrites = detectors.finds(Kind.OVERWRITE);
    writers = detectors.finds(Kind.WRITERS);
    atomicity = detectors.finds(Kind.ATOMICITY) && !kept.atomic && !model.profile.platform();
    this.reports = reports;
    this.remembered = new Remembered(model);
    this.heads = new int[model.levels];
  }

  /** Whether it was asked what all others know, since this was last asked. */
  boolean asks() {
    return remembered.asks();
  }

  static void clear(Model model, State s) {
    WordTable table = model.words;
    for (int w = 0; w < table.count; w++) {
      int at = table.fields[w];
      s.words[at + 1] = 1;
      s.words[table.firstMessage[w] + AGENT] = -1;
    }
  }

  /** The word begins with that value. */
  static void begin(Model model, State s, int word, long value) {
    WordTable table = model.words;
    s.wordValues[table.firstValue[word]] = value;
  }

  /** Mixes the words into a fingerprint: kept rows by what they hold, not by their number. */
  static void digest(Model model, State s, Fingerprint into) {
    WordTable table = model.words;
    for (int w = 0; w < table.count; w++) {
      int kind = table.kindOf[w];
      int at = table.fields[w];
      int messages = table.messages(kind, at);
      for (int i = at; i < messages; i++) {
        into.add(s.words[i]);
      }
      int values = table.values[w];
      for (int i = 0; i < table.awaits[kind] * table.readers[kind] + s.words[at + 1]; i++) {
        into.add(s.wordValues[values + i]);
      }
      for (int m = 0; m < s.words[at + 1]; m++) {
        int field = messages + m * table.message;
        into.add(s.words[field + AGENT]);
        into.add(s.words[field + TICK] * 2L + s.words[field + SCOPE]);
        into.add(s.causes.hash(s.words[field + CAUSES]));
        for (int v = 0; v < model.levels; v++) {
          into.add(s.heads.hash(s.words[field + HEADS + v]));
        }
      }
    }
  }

  int count(State s, int word) {
    return s.words[table.fields[word] + 1];
  }

  private int message(int word, int index) {
    return table.firstMessage[word] + index * table.message;
  }

  private int firstValue(int word) {
    return table.firstValue[word];
  }

  long value(State s, int word, int index) {
    return s.wordValues[firstValue(word) + index];
  }

  long last(State s, int word) {
    return value(s, word, count(s, word) - 1);
  }

  int agent(State s, int word, int index) {
    return s.words[message(word, index) + AGENT];
  }

  /** The row that the last value releases to everybody. */
  int released(State s, int word) {
    return s.words[message(word, count(s, word) - 1) + HEADS + model.levels - 1];
  }

  /** The number of a message among all that the word ever had. */
  int number(State s, int word, int index) {
    return s.words[table.fields[word]] + index;
  }

  private int reader(int word, int lane) {
    int reader = table.reader(word, lane);
    if (reader < 0) {
      throw new AssertionError("no reader of this word: lane=" + lane);
    }
    return table.reader(table.kindOf[word], table.fields[word], reader);
  }

  /** The oldest message that the lane may still find. */
  int oldest(State s, int word, int lane) {
    return oldest(model, s, word, lane);
  }

  /** The same, for who only looks. */
  static int oldest(Model model, State s, int word, int lane) {
    WordTable table = model.words;
    int header = table.fields[word];
    int reader = table.reader(table.kindOf[word], header, table.reader(word, lane));
    int view = Math.max(0, s.words[reader + VIEW] - s.words[header]);
    int clock = ClockRows.of(model, model.agents.leader[lane]);
    int last = s.words[header + 1] - 1;
    int m = table.firstMessage[word] + last * table.message;
    for (int i = last; i > view; i--, m -= table.message) {
      if (s.words[m + AGENT] < 0 || s.words[m + TICK] <= s.clocks[clock + s.words[m + AGENT]]) {
        return i;
      }
    }
    return view;
  }

  /** The oldest message that the lane may find and that satisfies; -1 if there is none. */
  int find(State s, int word, int lane, int comparison, long value) {
    int count = count(s, word);
    int values = firstValue(word);
    for (int i = oldest(s, word, lane); i < count; i++) {
      if (Operands.compares(comparison, s.wordValues[values + i], value)) {
        return i;
      }
    }
    return -1;
  }

  private int satisfies(State s, int word, int index, int comparison, long value) {
    return Operands.compares(comparison, value(s, word, index), value) ? 1 : 0;
  }

  /** How many messages that the lane may find satisfy. */
  int satisfying(State s, int word, int lane, int comparison, long value) {
    int satisfying = 0;
    for (int i = oldest(s, word, lane); i < count(s, word); i++) {
      satisfying += satisfies(s, word, i, comparison, value);
    }
    return satisfying;
  }

  /** Takes the oldest satisfying message, which must be there. */
  void take(State s, int word, int lane, int comparison, long value, boolean acquire, int scope) {
    take(s, word, lane, comparison, value, acquire, scope, 0);
  }

  /** Takes the satisfying message of that number, which must be there, the oldest being 0. */
  void take(
      State s,
      int word,
      int lane,
      int comparison,
      long value,
      boolean acquire,
      int scope,
      int which) {
    int found = find(s, word, lane, comparison, value);
    if (overwrites) {
      for (int i = found + 1; i < count(s, word); i++) {
        if (!Operands.compares(comparison, value(s, word, i), value)) {
          throw new FindingException(
              reports.gone(word, lane, value(s, word, found), number(s, word, i)));
        }
      }
    }
    for (int left = which; left > 0; left -= satisfies(s, word, found, comparison, value)) {
      found++;
    }
    view(s, word, lane, found);
    boolean packet = table.isPacket(model, word);
    int tick = clocks.taken(s, lane, packet, s.words[message(word, found) + CAUSES]);
    remembered.add(s, word, lane, comparison, value, tick);
    if (!packet) {
      observe(s, word, found, lane, acquire, scope);
    }
    reports.taken(lane, word, number(s, word, found));
  }

  /**
   * Takes that very message, whatever its value: it satisfied together with others, or any does.
   */
  void takeAny(State s, int word, int index, int lane, boolean acquire, int scope) {
    clocks.awaited(s, lane, false);
    takeIt(s, word, index, lane, acquire, scope);
  }

  private void takeIt(State s, int word, int index, int lane, boolean acquire, int scope) {
    footprint.read(word);
    view(s, word, lane, index);
    clocks.taken(s, lane, false, s.words[message(word, index) + CAUSES]);
    observe(s, word, index, lane, acquire, scope);
    reports.taken(lane, word, number(s, word, index));
  }

  /** Takes that message of a slot as a part of a sum. */
  void takePart(State s, int slot, int index, int lane, boolean acquire, int scope) {
    boolean nothing = s.words[reader(slot, lane) + VIEW] == number(s, slot, index);
    takeIt(s, slot, index, lane, acquire, scope);
    if (nothing) {
      reports.leftOut(lane, slot);
    }
  }

  /**
   * The lane finds the last message without looking at its value: it learns what the message
   * releases, and awaits nothing. Returns the message's causal row.
   */
  int takeUnseen(State s, int word, int lane, int scope) {
    int last = count(s, word) - 1;
    view(s, word, lane, last);
    observe(s, word, last, lane, false, scope);
    reports.taken(lane, word, number(s, word, last));
    return s.words[message(word, last) + CAUSES];
  }

  /**
   * Whether that write of that component is the packet's last one, and who stands behind that row
   * stands behind an await that took it.
   */
  static boolean knownTaken(Model model, State s, int packet, int agent, int tick, int seen) {
    WordTable table = model.words;
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
          && s.words[reader + TAKEN]
              <= SeenRows.known(s, seen, SeenRows.column(model, lane, true))) {
        return true;
      }
    }
    return false;
  }

  private void view(State s, int word, int lane, int index) {
    s.words[reader(word, lane) + VIEW] = number(s, word, index);
  }

  /** Whether the message that the lane found last was written by an interface. */
  boolean fromInterface(State s, int word, int lane) {
    int index = s.words[reader(word, lane) + VIEW] - s.words[table.fields[word]];
    int agent = s.words[message(word, index) + AGENT];
    return agent >= 0 && model.agents.interfaceOf[agent] >= 0;
  }

  /** Orders the lane behind what the message releases, if both scopes reach that far. */
  private void observe(State s, int word, int index, int lane, boolean acquire, int scope) {
    int m = message(word, index);
    int agent = s.words[m + AGENT];
    if (agent < 0) {
      return;
    }
    if (model.profile.ordered()) {
      // In one total order whoever finds a value is behind all that its writer did before.
      int top = s.words[m + HEADS + model.levels - 1];
      clocks.join(s, ClockRows.of(model, model.agents.leader[lane]), s.heads, top);
      return;
    }
    int apart = model.apart(agent, lane);
    if (apart > 0 && !kept.scopes && (reach(s, m) < apart || scope < apart)) {
      if (narrows) {
        throw new FindingException(reports.narrow(word, number(s, word, index), agent, lane));
      }
      return;
    }
    int level = model.level(apart);
    int into =
        acquire
            ? ClockRows.of(model, model.agents.leader[lane])
            : ClockRows.pending(model, lane, level);
    clocks.join(s, into, s.heads, s.words[m + HEADS + level]);
  }

  /** How far the message reaches; where stores are in order, everywhere. */
  private int reach(State s, int message) {
    return kept.storesInOrder ? Model.SYS : s.words[message + SCOPE];
  }

  /** What the next write of a lane releases: all before it, or what its last fence ordered. */
  void laneHeads(State s, int lane, int scope, boolean releases) {
    if (model.profile.ordered()) {
      allHeads(s, model.agents.leader[lane]);
      return;
    }
    int reach = kept.scopes ? model.levels - 1 : model.level(scope);
    whole = releases && reach == model.levels - 1;
    int all = releases ? clocks.keep(s, model.agents.leader[lane]) : 0;
    for (int v = 0; v < model.levels; v++) {
      heads[v] = releases && v <= reach ? all : fenced(s, lane, v);
    }
  }

  private int fenced(State s, int lane, int level) {
    return level == model.levels - 1
        ? clocks.fencedRow(s, lane)
        : s.heads.keep(s.clocks, ClockRows.fenced(model, lane, level));
  }

  /** The next write releases all that its component knows, as that of an interface does. */
  void allHeads(State s, int component) {
    int row = clocks.keep(s, component);
    whole = true;
    for (int v = 0; v < model.levels; v++) {
      heads[v] = row;
    }
  }

  /** The next write releases what that kept row knows. */
  void heads(int row) {
    whole = false;
    Arrays.fill(heads, row);
  }

  /** The next write releases nothing. */
  void noHeads() {
    Arrays.fill(heads, 0);
    whole = false;
  }

  /**
   * Changes a word; what it releases was set just before.
   *
   * @param agent the component that does it
   * @param alone whether the word must have one writer, as a plain store needs it
   * @return what the word held
   */
  long write(
      State s,
      int agent,
      int word,
      int change,
      long operand,
      long compare,
      int scope,
      int causes,
      boolean alone) {
    int lastMessage = message(word, count(s, word) - 1);
    int other = s.words[lastMessage + AGENT];
    long old = last(s, word);
    boolean ordered =
        model.profile.ordered()
            || other < 0
            || other == agent
            || s.words[lastMessage + TICK] <= s.clocks[ClockRows.of(model, agent) + other];
    if (!ordered && (writers || atomicity)) {
      if (alone && writers) {
        throw new FindingException(reports.writers(word, newest(s, word), other, agent));
      }
      boolean apart =
          model.agents.interfaceOf[other] != model.agents.interfaceOf[agent]
              || (model.agents.interfaceOf[agent] >= 0
                  && model.agents.rankOf[other] != model.agents.rankOf[agent]);
      if (apart && !alone && atomicity) {
        throw new FindingException(reports.atomicity(word, newest(s, word), other, agent));
      }
    }
    long next = ATOMICS[change].apply(old, operand, compare);
    if (!ATOMICS[change].writes()) {
      return old;
    }
    if (writers && next == 0 && old != 0 && notItsHolder(s, word, other, agent)) {
      throw new FindingException(reports.unlocked(word, newest(s, word), other, agent));
    }
    if (model.scan.anyLock && next == 0) {
      s.locks[word >> 6] &= ~(1L << word);
    }
    requireTaken(s, word, next, agent, causes);
    boolean chained = ATOMICS[change] != Atomic.SET || !alone || other == agent;
    if (chained && other >= 0 && !(whole && other == agent)) {
      // A chain: whoever finds the new value is ordered behind what the old one released, too.
      for (int v = 0; v < model.levels; v++) {
        heads[v] = s.heads.joined(heads[v], s.words[lastMessage + HEADS + v]);
      }
    }
    append(s, word, next, agent, scope, causes, ATOMICS[change] == Atomic.ADD);
    return old;
  }

  /**
   * Gives a word a value by a plain store, which need not be alone and in general releases nothing.
   */
  void overwrite(State s, int agent, int word, long value, int causes) {
    requireTaken(s, word, value, agent, causes);
    if (model.profile.ordered()) {
      allHeads(s, agent);
      append(s, word, value, agent, Model.SYS, causes, false);
      clocks.advance(s, agent);
    } else {
      noHeads();
      if (placedWhole(agent)) {
        allHeads(s, agent);
      }
      int lane = model.agents.interfaceOf[agent] < 0 ? model.agents.laneOf[agent] : -1;
      if (kept.storesInOrder && lane >= 0) {
        laneHeads(s, lane, Model.SYS, false);
      }
      append(s, word, value, agent, Model.SYS, causes, false);
    }
  }

  /** Whether what the component writes is there from its first byte to the word's. */
  boolean placedWhole(int agent) {
    return model.profile.whole() && model.agents.interfaceOf[agent] >= 0;
  }

  /** Whether the word is a lock, and of the two the first, who holds it, is of another lane. */
  private boolean notItsHolder(State s, int word, int other, int agent) {
    boolean lock = model.scan.anyLock && (s.locks[word >> 6] & 1L << word) != 0;
    return lock && other >= 0 && model.agents.laneOf[other] != model.agents.laneOf[agent];
  }

  /** The word was taken as a lock. */
  static void locked(State s, int word) {
    s.locks[word >> 6] |= 1L << word;
  }

  /** A lock that is still held, -1 if there is none. */
  int held(State s) {
    for (int w = 0; w < s.locks.length; w++) {
      for (long left = s.locks[w]; left != 0; left &= left - 1) {
        int word = (w << 6) + Long.numberOfTrailingZeros(left);
        if (last(s, word) != 0) {
          return word;
        }
      }
    }
    return -1;
  }

  private void append(
      State s, int word, long value, int agent, int scope, int causes, boolean adds) {
    trim(s, word);
    int at = table.fields[word];
    int count = s.words[at + 1];
    if (count == table.room[table.kindOf[word]]) {
      throw table.full(model, word);
    }
    int m = message(word, count);
    s.words[m + AGENT] = agent;
    s.words[m + TICK] = clocks.tick(s, agent);
    s.words[m + SCOPE] = scope;
    s.words[m + CAUSES] = causes;
    System.arraycopy(heads, 0, s.words, m + HEADS, heads.length);
    s.wordValues[firstValue(word) + count] = value;
    s.words[at + 1]++;
    footprint.changed(word);
    wake(word);
    reports.written(word, number(s, word, count), adds);
  }

  private void wake(int word) {
    int kind = table.kindOf[word];
    wakes.lanesOf(table.owner[word]);
    for (int r = 0; kind >= table.signals + model.buffers && r < table.readers[kind]; r++) {
      wakes.lanesOf(model.rank(table.laneOf(word, r)));
    }
  }

  private int newest(State s, int word) {
    return number(s, word, count(s, word) - 1);
  }

  /** Forgets messages that no reader may find any more. */
  private void trim(State s, int word) {
    int kind = table.kindOf[word];
    int at = table.fields[word];
    int keep = s.words[at] + s.words[at + 1] - 1;
    for (int r = 0; r < table.readers[kind]; r++) {
      int lane = table.laneOf(word, r);
      if (lane >= 0) {
        keep = Math.min(keep, s.words[at] + oldest(s, word, lane));
      }
    }
    int gone = keep - s.words[at];
    if (gone == 0) {
      return;
    }
    int left = s.words[at + 1] - gone;
    System.arraycopy(s.words, message(word, gone), s.words, message(word, 0), left * table.message);
    int values = firstValue(word);
    System.arraycopy(s.wordValues, values + gone, s.wordValues, values, left);
    s.words[at] = keep;
    s.words[at + 1] = left;
  }

  /**
   * Rejects a new value that an await may find in the place of the one that it took: the await
   * would not hold for the new one, and is not known to have been before it.
   */
  private void requireTaken(State s, int word, long next, int agent, int causes) {
    if (!overwrites) {
      return;
    }
    int kind = table.kindOf[word];
    int width = s.causes.width;
    int awaits = table.awaits[kind];
    for (int r = 0; r < awaits * table.readers[kind]; r++) {
      int reader = table.reader(kind, table.fields[word], r / awaits) + 2 * (r % awaits);
      if (s.words[reader + TAKEN] == 0) {
        continue;
      }
      int other = table.laneOf(word, r / awaits);
      int column = SeenRows.column(model, other, table.isPacket(model, word));
      int known = causes == 0 ? 0 : s.causes.rows[causes * width + column];
      if (s.words[reader + TAKEN] > known
          && !Operands.compares(
              s.words[reader + COMPARISON], next, s.wordValues[table.values[word] + r])) {
        throw new FindingException(reports.overwritten(word, newest(s, word), agent, other));
      }
    }
  }
}
