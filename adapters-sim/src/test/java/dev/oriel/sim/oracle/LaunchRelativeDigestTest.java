package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.machine.DigestSensitivity;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.MutantLoader.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Digests that do not depend on earlier launches distinguish states that whole digests distinguish.
 * Each part that such a digest adds is needed: without it some change of a state goes unnoticed.
 */
class LaunchRelativeDigestTest {
  private static final String ALL = "{}";
  private static final Engine ENGINE =
      new Engine(
          "dev.oriel.sim.machine",
          DigestSensitivity.class,
          List.of("dev.oriel.sim.code.", "dev.oriel.sim.machine.", "dev.oriel.sim.search."));

  private static List<String> programs(int count) {
    List<String> programs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      LitmusProgram words = LitmusProgramDrawer.draw(new SplittableRandom(1_000_003L + i), 6);
      programs.add("1x%d %d\n%s".formatted(words.ranks(), i, words.program()));
      programs.add("2x1 " + i + "\n" + UnorderedPutPrograms.text(i, 2, 4, 5));
      programs.add((i % 2 == 0 ? "1x2 " : "2x1 ") + i + "\n" + RepeatedLaunchPrograms.text(i));
    }
    return programs;
  }

  private static String answer(UnaryOperator<String> engine, String program) {
    try {
      String answer = engine.apply(program);
      return answer.startsWith("not looked at") ? ALL : answer;
    } catch (ProgramException e) {
      // It cannot be bound.
      return ALL;
    }
  }

  @Test
  void eachChangeOfAStateIsNoticed() {
    UnaryOperator<String> engine = new DigestSensitivity();
    for (String program : programs(Thorough.count(2, 4))) {
      assertThat(answer(engine, program)).as(program).isEqualTo(ALL);
    }
  }

  /** A search by such digests shows the outcomes that one by whole digests shows. */
  @Test
  void noOutcomeIsLost() {
    UnaryOperator<String> outcomes = new SimulatedOutcomes();
    for (int i = 0; i < Thorough.count(100, 500); i++) {
      LitmusProgram program = LitmusProgramDrawer.draw(new SplittableRandom(2_000_003L + i), 6);
      String head = "1x%d %%s races %s".formatted(program.ranks(), program.observed()).strip();
      String text = head + "\n" + program.program();
      assertThat(outcomes.apply(text.formatted("relative")))
          .isEqualTo(outcomes.apply(text.formatted("synchronisation")));
    }
  }

  private static EngineMutant without(String line, String becomes) {
    return new EngineMutant("LaunchRelativeDigest", line, becomes);
  }

  static List<EngineMutant> mutants() {
    return List.of(
        without("put(into, clock(s.clocks, row));", ""),
        without(
            "put(into, s.settled[c] == Integer.MAX_VALUE ? -1 : tick(group[c], s.settled[c]));",
            ""),
        without("put(into, causes(s.seen, row));", ""),
        without("shadow(s, m, into);", ""),
        without("queue(s, q, into);", ""),
        without("word(s, w, into);", ""),
        without("memory(s, into);", ""),
        without("values(s, into);", ""),
        without("atomics(s, into);\n  }", "}"),
        without("request(s, q, f, slot, into);", ""),
        without("put(into, agent);", ""),
        without("put(into, tickOf(agent, s.words[field + TICK]));", ""),
        without("put(into, s.words[field + SCOPE]);", ""),
        without("put(into, cause(s, s.words[field + CAUSES]));", ""),
        without("put(into, release(s, s.words[field + RELEASES + v]));", ""),
        without("put(into, release(s, s.words[own + v]));", ""),
        without("put(into, lane < 0 ? found : tickOf(model.agents.leader[lane], found));", ""),
        without("into.add(first ? 0 : valueOf(w, value));", ""),
        without("put(into, Math.max(-1, s.words[reader + VIEW] - s.words[at] - from));", ""),
        without("int rank = tickOf(component, tick >> ShadowLayout.MARKS);", "int rank = 0;"),
        without("return 1 + Arrays.binarySearch(ticks[of], 0, count[of], tick);", "return 1;"),
        without("put(into, s.requests[header + RequestLayout.FETCHED] - retired);", ""),
        without(
            "case RequestLayout.ROW -> release(s, s.requests[f + i]);",
            "case RequestLayout.ROW -> 0;"),
        without(
            "case RequestLayout.CAUSES -> cause(s, s.requests[f + i]);",
            "case RequestLayout.CAUSES -> 0;"),
        without(
            "into.add(s.updates[e + PendingAtomicLayout.OLDEST] - s.words[model.words.fields[word]]);",
            ""),
        without(
            "int tick = tickOf(model.agents.leader[l], s.updates[e + PendingAtomicLayout.TICK]);",
            "int tick = 0;"));
  }

  @Sampled(every = 8)
  @ParameterizedTest
  @MethodSource("mutants")
  void withoutOnePartAChangeGoesUnnoticed(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(ENGINE, mutant);
    assertThat(programs(6)).anyMatch(program -> !answer(changed, program).equals(ALL));
  }
}
