package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.WordTable.AGENT;
import static dev.oriel.sim.machine.layout.WordTable.CAUSES;
import static dev.oriel.sim.machine.layout.WordTable.COMPARISON;
import static dev.oriel.sim.machine.layout.WordTable.SCOPE;
import static dev.oriel.sim.machine.layout.WordTable.TAKEN;
import static dev.oriel.sim.machine.layout.WordTable.TICK;

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
      int change,
      long operand,
      long compare,
      int scope,
      int causes,
      boolean alone,
      boolean reads) {
    long operandOrigin = from();
    int lastMessage = table.message(word, words.count(s, word) - 1);
    int other = s.words[lastMessage + AGENT];
    long old = words.last(s, word);
    boolean behind =
        other < 0
            || other == agent
            || s.words[lastMessage + TICK] <= s.clocks.at(agent, other)
            || (model.cells && Words.cellKnown(model, s, word, lastMessage, agent));
    // A slot that is set is not read, so whoever sets it need not see what was there.
    boolean ordered = model.ordered || (behind && (alone || words.seesLast(s, word, agent)));
    if (!ordered && (writers || atomicity)) {
      if (alone && writers) {
        throw new FindingException(reports.writers(word, words.newest(s, word), other, agent));
      }
      boolean apart =
          model.agents.interfaceOf[other] != model.agents.interfaceOf[agent]
              || (model.agents.interfaceOf[agent] >= 0
                  && model.agents.rankOf[other] != model.agents.rankOf[agent]);
      if (apart && !alone && atomicity) {
        throw new FindingException(reports.atomicity(word, words.newest(s, word), other, agent));
      }
    }
    long next = ATOMICS[change].apply(old, operand, compare);
    if (!ATOMICS[change].writes()) {
      words.footprint.read(word);
      return old;
    }
    if (writers && ATOMICS[change] == Atomic.SET && compare != 0 && old == 0) {
      throw new FindingException(reports.notLocked(word, words.newest(s, word), agent));
    }
    if (writers && next == 0 && old != 0 && locks.notItsHolder(s, word, other, agent)) {
      throw new FindingException(reports.unlocked(word, words.newest(s, word), other, agent));
    }
    if (next == 0) {
      locks.given(s, word);
    }
    int behindAll = reads ? s.causes.joined(causes, s.words[lastMessage + CAUSES]) : causes;
    requireTaken(s, word, next, agent, behindAll);
    boolean chained = reads || (alone && other == agent);
    if (chained && other >= 0) {
      heads.chain(s, lastMessage, other == agent);
    }
    boolean adds = ATOMICS[change] == Atomic.ADD;
    boolean set =
        ATOMICS[change] == Atomic.SET || (ATOMICS[change] == Atomic.CAS && old == compare);
    long origin = set ? operandOrigin : next == old ? words.lastOrigin(s, word) : 0;
    append(s, word, next, origin, agent, scope, 0, behindAll, adds);
    return old;
  }

  /**
   * Gives a word a value by a plain store, which need not be alone and in general releases nothing.
   *
   * @param cell what counts the stores of the word's cell, if it is stored at once; else -1
   */
  void overwrite(State s, int agent, int word, long value, int cell, int causes) {
    long origin = from();
    requireTaken(s, word, value, agent, causes);
    if (model.ordered) {
      heads.all(s, agent);
      append(s, word, value, origin, agent, Model.SYS, 0, causes, false);
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
      append(s, word, value, origin, agent, Model.SYS, stored, causes, false);
    }
  }

  /** Whether what the component writes is there from its first byte to the word's. */
  boolean placedWhole(int agent) {
    return model.whole && model.agents.interfaceOf[agent] >= 0;
  }

  private void append(
      State s,
      int word,
      long value,
      long origin,
      int agent,
      int scope,
      int stored,
      int causes,
      boolean adds) {
    trim(s, word);
    int at = table.fields[word];
    int count = s.words[at + 1];
    if (count == table.room[table.kindOf[word]]) {
      throw table.full(model, word);
    }
    int m = table.message(word, count);
    s.words[m + AGENT] = agent;
    s.words[m + TICK] = clocks.tick(s, agent);
    s.words[m + SCOPE] = scope;
    s.words[m + CAUSES] = causes;
    heads.into(s, m);
    if (model.cells) {
      s.words[m + table.stored] = stored;
    }
    Arrays.fill(s.words, table.found(word, count, 0), table.found(word, count + 1, 0), 0);
    s.wordValues[table.firstValue[word] + count] = value;
    if (model.origins.on) {
      s.wordValues[table.origin(word, count)] = origin;
    }
    s.words[at + 1]++;
    words.footprint.changed(word);
    wake(word);
    reports.written(word, words.number(s, word, count), adds);
  }

  private void wake(int word) {
    int kind = table.kindOf[word];
    wakes.lanesOf(table.owner[word]);
    for (int r = 0; kind >= table.signals + model.buffers && r < table.readers[kind]; r++) {
      wakes.lanesOf(model.rank(table.laneOf(word, r)));
    }
  }

  /** Forgets messages that no reader may find any more. */
  private void trim(State s, int word) {
    int kind = table.kindOf[word];
    int at = table.fields[word];
    int keep = s.words[at] + s.words[at + 1] - 1;
    for (int r = 0; r < table.readers[kind]; r++) {
      int lane = table.laneOf(word, r);
      if (lane >= 0) {
        keep = Math.min(keep, s.words[at] + words.oldest(s, word, lane));
      }
    }
    int gone = keep - s.words[at];
    if (gone == 0) {
      return;
    }
    int left = s.words[at + 1] - gone;
    System.arraycopy(
        s.words, table.message(word, gone), s.words, table.message(word, 0), left * table.message);
    int finders = table.finders[kind];
    System.arraycopy(
        s.words, table.found(word, gone, 0), s.words, table.found(word, 0, 0), left * finders);
    int values = table.firstValue[word];
    System.arraycopy(s.wordValues, values + gone, s.wordValues, values, left);
    if (model.origins.on) {
      int origins = table.origin(word, 0);
      System.arraycopy(s.wordValues, origins + gone, s.wordValues, origins, left);
    }
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
    int awaits = table.awaits[kind];
    for (int r = 0; r < awaits * table.readers[kind]; r++) {
      int reader = table.reader(kind, table.fields[word], r / awaits) + 2 * (r % awaits);
      if (s.words[reader + TAKEN] == 0) {
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
