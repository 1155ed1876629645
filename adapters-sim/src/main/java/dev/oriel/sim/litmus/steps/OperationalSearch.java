package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.answer.Finished;
import dev.oriel.sim.litmus.answer.Masks;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.Outcomes;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.Operand;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Runs a test step by step in every order and with every choice, each moment once, and collects its
 * outcomes. It shares no rule with the axiomatic engine, only the parsed test.
 */
public final class OperationalSearch {
  /** Bytes of memory per visited moment, besides its key. */
  private static final int KNOWN = 144;

  /** Bytes of memory per open moment, and for each byte of its key. */
  private static final int OPEN = 2_048;

  private static final int OPEN_PER_BYTE = 4;

  private final LitmusTest test;
  private final Rules rules;
  private final SearchBudget budget;
  private final Outcomes outcomes;
  private final Set<ByteBuffer> seen = new HashSet<>();
  private final Deque<Open> open = new ArrayDeque<>();

  private record Open(Moment moment, int bytes) {}

  public OperationalSearch(LitmusTest test, MemoryModel model, int unroll, SearchBudget budget) {
    this.test = test;
    this.budget = budget;
    rules = new Rules(test, model, unroll);
    outcomes = new Outcomes(test, budget);
  }

  /** Visits all moments; the results are in {@link #outcomes}. */
  public void run() {
    rules.start().forEach(this::meet);
    while (!open.isEmpty() && budget.spend()) {
      Open next = open.pop();
      Moment moment = next.moment();
      budget.keep(-next.bytes());
      if (rules.finished(moment)) {
        outcomes.add(new End(moment));
      }
      for (int t = 0; t < moment.agents.length; t++) {
        rules.next(moment, t).forEach(this::meet);
      }
    }
  }

  private void meet(Moment moment) {
    ByteBuffer key = moment.key();
    if (!budget.full() && seen.add(key)) {
      Open fresh = new Open(moment, OPEN + OPEN_PER_BYTE * key.capacity());
      budget.keep(KNOWN + key.capacity() + fresh.bytes());
      open.push(fresh);
    }
  }

  public Outcomes outcomes() {
    return outcomes;
  }

  /** The limit that cut the search, in words; empty if none did. */
  public String shortfall() {
    return budget.full() ? "memory" : budget.spent() ? "budget" : rules.shortfall();
  }

  /** A moment at which all agents have finished. */
  private final class End implements Finished {
    private final Moment moment;

    End(Moment moment) {
      this.moment = moment;
    }

    @Override
    public long register(int thread, String name) {
      for (int t = 0; t < test.threads().size(); t++) {
        if (test.threads().get(t).number() == thread) {
          return moment.agents[t].value(new Operand.Register(name));
        }
      }
      return 0;
    }

    @Override
    public List<Long> last(int memory) {
      long last = moment.history.last(memory);
      if (last == 0) {
        return List.of(test.locations().get(memory).initial());
      }
      return LongStream.iterate(last, rest -> rest != 0, rest -> rest & rest - 1)
          .mapToObj(rest -> moment.history.get(Masks.lowest(rest)).value())
          .toList();
    }
  }
}
