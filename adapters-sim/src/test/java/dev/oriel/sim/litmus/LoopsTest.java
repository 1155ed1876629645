package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Compares loops that reads decide with their unrolled programs: an answer with few rounds holds
 * for more. {@code -Doriel.litmus.programs=N} selects the number of programs, {@code
 * -Doriel.litmus.seed=S} the seed.
 */
class LoopsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.litmus.programs", Thorough.count(20, 40));
  private static final long SEED = Long.getLong("oriel.litmus.seed", 1);
  private static final int UNROLL = 1;

  /** An unrolled program needs more choices than a loop. */
  private static final long WRITTEN_BUDGET = 20 * LitmusChecker.DEFAULT_BUDGET;

  private static final List<MemoryModel> MODELS = List.of(MemoryModel.values());

  /** The final states with at most that many rounds per loop. */
  private static Set<List<Long>> written(LoopedLitmus drawn, MemoryModel model, int most) {
    Set<List<Long>> states = new HashSet<>();
    LitmusChecker checker = new LitmusChecker(model, WRITTEN_BUDGET, LitmusChecker.DEFAULT_UNROLL);
    for (int first = 1; first <= most; first++) {
      for (int second = drawn.loops(1) ? 1 : 0; second <= (drawn.loops(1) ? most : 0); second++) {
        int[] rounds = {first, second};
        LitmusTest test = LitmusParser.parse(drawn.unrolled(rounds));
        for (List<Long> state : checker.states(test)) {
          Map<String, Long> named = named(test, state);
          if (goesRound(drawn, rounds, named)) {
            states.add(drawn.lasting(rounds).stream().map(named::get).toList());
          }
        }
      }
    }
    return states;
  }

  private static boolean goesRound(LoopedLitmus drawn, int[] rounds, Map<String, Long> state) {
    for (int t = 0; t < rounds.length; t++) {
      for (int round = 0; round < rounds[t]; round++) {
        boolean last = round + 1 == rounds[t];
        long decides = Objects.requireNonNull(state.get(drawn.decider(t, round)));
        if (drawn.ends(t, decides) != last) {
          return false;
        }
      }
    }
    return true;
  }

  private static Map<String, Long> named(LitmusTest test, List<Long> state) {
    Map<String, Long> named = new HashMap<>();
    for (int i = 0; i < state.size(); i++) {
      String name =
          switch (test.observed().get(i)) {
            case LitmusCondition.Variable.Register r -> "P%d:%s".formatted(r.thread(), r.name());
            case LitmusCondition.Variable.Memory m -> test.locations().get(m.location()).name();
          };
      named.put(name, state.get(i));
    }
    return named;
  }

  private static Set<List<Long>> looped(
      LoopedLitmus drawn, LitmusTest test, LitmusChecker checker) {
    Set<List<Long>> states = new HashSet<>();
    for (List<Long> state : checker.states(test)) {
      Map<String, Long> named = named(test, state);
      states.add(new ArrayList<>(drawn.lasting(new int[2]).stream().map(named::get).toList()));
    }
    return states;
  }

  @Test
  void answersHoldForMoreRounds() {
    Map<String, Integer> results = new TreeMap<>();
    for (int i = 0; i < PROGRAMS; i++) {
      LoopedLitmus drawn = LoopedLitmus.draw(new SplittableRandom(SEED * 1_000_003 + i));
      MemoryModel model = MODELS.get(i % MODELS.size());
      LitmusTest test = LitmusParser.parse(drawn.looped());
      LitmusChecker checker = new LitmusChecker(model, LitmusChecker.DEFAULT_BUDGET, UNROLL);
      LitmusVerdict verdict = checker.check(test);
      Set<List<Long>> states = looped(drawn, test, checker);
      Set<List<Long>> few = written(drawn, model, UNROLL + 1);
      Set<List<Long>> more = written(drawn, model, drawn.rounds());
      String context = "seed=%d program=%d %s%n%s".formatted(SEED, i, verdict, drawn.looped());
      assertThat(states).as(context).containsAll(few);
      String result = verdict.answer().toString();
      if (verdict.answer() == Answer.FORBIDDEN) {
        assertThat(states).as(context).containsAll(more);
        result += drawn.updates() ? " with updates" : "";
      } else {
        assertThat(verdict.answer()).as(context).isEqualTo(Answer.UNDECIDED);
      }
      assertThat(more).as(context).containsAll(states);
      boolean added = !states.containsAll(more);
      results.merge(result + (added ? ", more rounds add" : ""), 1, Integer::sum);
    }
    System.out.println("loops written out: seed=%d %s".formatted(SEED, results));
    assertThat(results).containsKeys("forbidden", "forbidden with updates");
    assertThat(results.keySet()).anyMatch(result -> result.startsWith("undecided"));
  }
}
