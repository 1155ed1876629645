package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.WordTable.AGENT;
import static dev.oriel.sim.machine.layout.WordTable.CAUSES;
import static dev.oriel.sim.machine.layout.WordTable.COMPARISON;
import static dev.oriel.sim.machine.layout.WordTable.SCOPE;
import static dev.oriel.sim.machine.layout.WordTable.TAKEN;
import static dev.oriel.sim.machine.layout.WordTable.TICK;
import static dev.oriel.sim.machine.layout.WordTable.UPDATES;
import static dev.oriel.sim.machine.layout.WordTable.VIEW;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.Operands;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.SeenRows;
import dev.oriel.sim.machine.layout.WordTable;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Kept;
import java.util.Arrays;

/**
 * Changes of words that agents synchronise on. What a change releases is set just before, in {@link
 * Heads}. That a poll might have missed a value is a finding, whatever the schedule.
 */
final class WordWrites {
  private static final Atomic[] ATOMICS = Atomic.values();

  private final Model model;
  private final WordTable table;
  private final Words words;
  private final Heads heads;
  private final Locks locks;
  private final Clocks clocks;
  private final Wakes wakes;
  private final Kept kept;
  private final Reports reports;
  private final boolean overwrites;
  private final boolean writers;
  private final boolean atomicity;

  /** Where the last change entered. */
  private int entered;

  /** Where the word came from that is written next; it is set just before. */
  private long from;

  WordWrites(
      Model model,
      Words words,
      Heads heads,
      Locks locks,
      Clocks clocks,
      Detectors detectors,
      Wakes wakes,
      Kept kept,
      Reports reports) {
    this.model = model;
    this.table = model.words;
    this.words = words;
    this.heads = heads;
    this.locks = locks;
    this.clocks = clocks;
    this.wakes = wakes;
    this.kept = kept;
    this.reports = reports;
    overwrites = detectors.finds(Kind.OVERWRITE);
    writers = detectors.finds(Kind.WRITERS);
    atomicity = detectors.finds(Kind.ATOMICITY) && !kept.atomic && !model.profile.platform();
  }

  /** What is written next, or the operand of what changes a word next, came from there. */
  void from(long origin) {
    from = origin;
  }

  private long from() {
    long origin = from;
    from = 0;
    return origin;
  }

  /**
   * Changes a word; what it releases was set just before.
   *
   * @param after the message after which it enters, as {@link Words#predecessor} chose it
   * @param agent the component that does it
   * @param compare what a compare-and-swap expects; of a {@code SET} 0, or something else where the
   *     word must not hold 0, as with an unlock
   * @param alone whether the word must have one writer, as a store of a slot needs it
   * @param reads whether it finds what the word held, and so hands on what that released
   * @return what the word held
   */
  long write(
      State s,
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
    int behindAll = reads ? s.causes.joined(causes, s.words[before + CAUSES]) : causes;
    requireTaken(s, word, after, next, agent, behindAll);
    boolean chained = reads || (alone && other == agent);
    if (chained && other >= 0) {
      heads.chain(s, before, agent);
    }
    boolean adds = ATOMICS[change] == Atomic.ADD;
    boolean set =
        ATOMICS[change] == Atomic.SET || (ATOMICS[change] == Atomic.CAS && old == compare);
    long origin = set ? operandOrigin : next == old ? words.origin(s, word, after) : 0;
    int marked = reads ? scope | UPDATES : scope;
    enter(s, word, after, next, origin, agent, marked, 0, behindAll, adds);
    return old;
  }

  /**
   * Rejects a change that meets an earlier one which nothing orders before it: of a slot that is
   * set, any; of another word, one from a place with which it is not atomic.
   */
  private void requireOrdered(State s, int agent, int word, boolean alone) {
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

  /** A slot that is set is not read, so its writer need not see what was there. */
  private boolean ordered(State s, int agent, int word, int index, boolean alone) {
    int m = table.message(word, index);
    int other = s.words[m + AGENT];
    boolean known =
        other < 0
            || other == agent
            || s.words[m + TICK] <= s.clocks.at(agent, other)
            || (model.cells && Words.cellKnown(model, s, word, m, agent));
    return model.ordered || (known && (alone || words.sees(s, word, index, agent)));
  }

  /** Whether two components change words in places that are not atomic with each other. */
  private boolean apart(int one, int other) {
    int through = model.agents.interfaceOf[other];
    return model.agents.interfaceOf[one] != through
        || (through >= 0 && model.agents.rankOf[one] != model.agents.rankOf[other]);
  }

  /** The message of the last change. */
  int entered() {
    return entered;
  }

  /**
   * Gives a word a value by a plain store, which need not be alone and in general releases nothing.
   *
   * @param cell what counts the stores of the word's cell, if it is stored at once; else -1
   */
  void overwrite(State s, int agent, int word, long value, int cell, int causes) {
    long origin = from();
    int last = words.count(s, word) - 1;
    requireTaken(s, word, last, value, agent, causes);
    if (model.ordered) {
      heads.all(s, agent);
      enter(s, word, last, value, origin, agent, Model.SYS, 0, causes, false);
      clocks.advance(s, agent);
    } else {
      heads.none();
      if (placedWhole(agent)) {
        heads.all(s, agent);
      }
      int lane = model.agents.interfaceOf[agent] < 0 ? model.agents.laneOf[agent] : -1;
      if (kept.storesInOrder && lane >= 0) {
        heads.ofLane(s, lane, Model.SYS, false);
      }
      if (cell >= 0) {
        heads.also(s, clocks.keep(s, cell));
      }
      int stored = cell >= 0 ? clocks.tick(s, cell) : 0;
      enter(s, word, last, value, origin, agent, Model.SYS, stored, causes, false);
    }
  }

  /** Whether what the component writes is there from its first byte to the word's. */
  boolean placedWhole(int agent) {
    return model.whole && model.agents.interfaceOf[agent] >= 0;
  }

  private void enter(
      State s,
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
    heads.into(s, m);
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

  /** Makes room for a message in front of others, and readers find those by their new numbers. */
  private void moveUp(State s, int word, int index, int count) {
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
    Updates.moveUp(model, s, word, number);
  }

  private void wake(int word) {
    int kind = table.kindOf[word];
    wakes.lanesOf(table.owner[word]);
    for (int r = 0; kind >= table.signals + model.buffers && r < table.readers[kind]; r++) {
      wakes.lanesOf(model.rank(table.laneOf(word, r)));
    }
  }

  /** Forgets messages that no reader may find any more; returns how many. */
  private int trim(State s, int word) {
    int kind = table.kindOf[word];
    int at = table.fields[word];
    int keep = s.words[at] + s.words[at + 1] - 1;
    for (int r = 0; r < table.readers[kind]; r++) {
      int lane = table.laneOf(word, r);
      if (lane >= 0) {
        keep = Math.min(keep, s.words[at] + words.oldest(s, word, lane));
      }
    }
    keep = Updates.oldest(model, s, word, keep);
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
   * Rejects a new value that an await may find in the place of the one that it took: the await
   * would not hold for the new one, and is not known to have been before it. A value that enters in
   * front of what the lane found is none: a lane that finds it goes on waiting for the later one.
   */
  private void requireTaken(State s, int word, int after, long next, int agent, int causes) {
    if (!overwrites) {
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
      int column = SeenRows.column(model, other, table.isPacket(model, word));
      int known = causes == 0 ? 0 : s.causes.at(causes, column);
      if (s.words[reader + TAKEN] > known
          && !Operands.compares(
              s.words[reader + COMPARISON], next, s.wordValues[table.values[word] + r])) {
        throw new FindingException(reports.overwritten(word, words.newest(s, word), agent, other));
      }
    }
  }
}
