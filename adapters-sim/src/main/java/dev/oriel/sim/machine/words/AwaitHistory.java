package dev.oriel.sim.machine.words;

import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/**
 * The awaits of each reader that a later write of the word might still break, newest first. An
 * await that a newer one implies is dropped. Where room is short, an await is dropped too if all
 * lanes and pending requests are ordered after it; if there is none, the room grows.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class AwaitHistory {
  private static final int GE = Comparison.GE.ordinal();
  private static final int GT = Comparison.GT.ordinal();
  private static final int REACHED = Comparison.REACHED.ordinal();
  private static final int EQ = Comparison.EQ.ordinal();

  private final MachineModel model;
  private final WordLayout table;
  private final RequestRing ring;
  private boolean asked;

  AwaitHistory(MachineModel model) {
    this.model = model;
    this.table = model.words;
    ring = new RequestRing(model);
  }

  /** Whether the clocks of all lanes were consulted since the last call. */
  boolean asks() {
    boolean since = asked;
    asked = false;
    return since;
  }

  /** Records that the lane took a message of the word; {@code tick} is the number of that await. */
  void add(MachineState s, int word, int lane, int comparison, long value, int tick) {
    int kind = table.kindOf[word];
    int room = table.awaits[kind];
    int reader = table.reader(word, lane);
    int at = table.reader(kind, table.fields[word], reader) + WordLayout.TAKEN;
    int values = table.values[word] + room * reader;
    int count = 0;
    for (int i = 0; i < room && s.words[at + 2 * i] != 0; i++) {
      if (!implied(s.words[at + 2 * i + 1], s.wordValues[values + i], comparison, value)) {
        move(s, at, values, i, count++);
      }
    }
    if (count == room) {
      count = forget(s, word, lane, at, values, count);
    }
    if (count == room) {
      throw table.forgetful(model, word);
    }
    for (int i = count; i > 0; i--) {
      move(s, at, values, i - 1, i);
    }
    s.words[at] = tick;
    s.words[at + 1] = comparison;
    s.wordValues[values] = value;
    for (int i = count + 1; i < room; i++) {
      s.words[at + 2 * i] = 0;
      s.words[at + 2 * i + 1] = 0;
      s.wordValues[values + i] = 0;
    }
  }

  private static void move(MachineState s, int at, int values, int from, int to) {
    s.words[at + 2 * to] = s.words[at + 2 * from];
    s.words[at + 2 * to + 1] = s.words[at + 2 * from + 1];
    s.wordValues[values + to] = s.wordValues[values + from];
  }

  /** Whether every value that breaks the older await breaks the newer one, too. */
  private static boolean implied(int older, long before, int newer, long value) {
    if (older != newer) {
      return false;
    }
    if (older == GE || older == GT || older == REACHED) {
      return OperandTable.compares(older == REACHED ? REACHED : GE, value, before);
    }
    return older == EQ && value == before;
  }

  /** Drops awaits that all lanes and all pending requests are ordered after. */
  private int forget(MachineState s, int word, int lane, int at, int values, int count) {
    asked = true;
    int column = CausalClockIndex.column(model, lane, table.isPacket(model, word));
    int left = 0;
    for (int i = 0; i < count; i++) {
      if (!everybody(s, column, s.words[at + 2 * i])) {
        move(s, at, values, i, left++);
      }
    }
    return left;
  }

  private boolean everybody(MachineState s, int column, int tick) {
    for (int l = 0; l < model.lanes; l++) {
      if (s.seen.at(CausalClockIndex.leader(model, l), column) < tick
          || s.seen.at(CausalClockIndex.worker(model, l), column) < tick) {
        return false;
      }
    }
    return allAfter(s, column, tick);
  }

  /** Whether every pending request is ordered after that await. */
  private boolean allAfter(MachineState s, int column, int tick) {
    for (int q = 0; q < model.agents.queues; q++) {
      int h = ring.header(q);
      for (int n = s.requests[h + RequestLayout.RETIRED];
          n < s.requests[h + RequestLayout.POSTED];
          n++) {
        int causes = s.requests[ring.entry(q, n) + RequestLayout.CAUSES];
        if (s.known(CausalClockIndex.kept(causes), column) < tick) {
          return false;
        }
      }
    }
    return true;
  }
}
