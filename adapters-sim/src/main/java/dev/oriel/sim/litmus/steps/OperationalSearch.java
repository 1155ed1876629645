package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.FinishedExecution;
import dev.oriel.sim.litmus.answer.LitmusOutcomes;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusTest;
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
  private final OperationalRules rules;
  private final SearchBudget budget;
  private final LitmusOutcomes outcomes;
  private final Set<ByteBuffer> seen = new HashSet<>();
  private final Deque<Open> open = new ArrayDeque<>();

  private record Open(OperationalState moment, int bytes) {}

  public OperationalSearch(LitmusTest test, MemoryModel model, int unroll, SearchBudget budget) {
    this.test = test;
    this.budget = budget;
    rules = new OperationalRules(test, model, unroll);
    outcomes = new LitmusOutcomes(test, budget);
  }

  /** Visits all moments; the results are in {@link #outcomes}. */
  public void run() {
    rules.start().forEach(this::meet);
    while (!open.isEmpty() && budget.spend()) {
      Open next = open.pop();
      OperationalState moment = next.moment();
      budget.keep(-next.bytes());
      if (rules.finished(moment)) {
        outcomes.add(new End(moment));
      }
      for (int t = 0; t < moment.agents.length; t++) {
        rules.next(moment, t).forEach(this::meet);
      }
    }
  }

  private void meet(OperationalState moment) {
    ByteBuffer key = moment.key();
    if (!budget.full() && seen.add(key)) {
      Open fresh = new Open(moment, OPEN + OPEN_PER_BYTE * key.capacity());
      budget.keep(KNOWN + key.capacity() + fresh.bytes());
      open.push(fresh);
    }
  }

  public LitmusOutcomes outcomes() {
    return outcomes;
  }

  /** The limit that cut the search, in words; empty if none did. */
  public String shortfall() {
    return budget.full() ? "memory" : budget.spent() ? "budget" : rules.shortfall();
  }

  /** A moment at which all agents have finished. */
  private final class End implements FinishedExecution {
    private final OperationalState moment;

    End(OperationalState moment) {
      this.moment = moment;
    }

    @Override
    public long register(int thread, String name) {
      for (int t = 0; t < test.threads().size(); t++) {
        if (test.threads().get(t).number() == thread) {
          return moment.agents[t].value(new InstructionOperand.Register(name));
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
          .mapToObj(rest -> moment.history.get(EventRelations.lowest(rest)).value())
          .toList();
    }
  }
}
