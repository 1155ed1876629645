package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The machine that runs programs against the axioms that decide litmus tests, which share nothing:
 * of one random description, every outcome that the machine shows must be allowed, and what it does
 * not show of the allowed ones must be known to be out of its reach.
 *
 * <p>{@code -Doriel.axioms.programs=N} asks for another number of descriptions, no two alike,
 * {@code -Doriel.axioms.seed=S} for others. Most are small, so that each takes a few milliseconds.
 */
class MachineAxiomsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.axioms.programs", Thorough.count(1_000, 10_000));
  private static final long SEED = Long.getLong("oriel.axioms.seed", 1);
  private static final int STEPS = 7;
  private static final int FEW_STEPS = 5;

  private static Set<String> machine(String text) {
    return outcomes(new MachineOutcomes(), text);
  }

  private static Set<String> outcomes(UnaryOperator<String> machine, String text) {
    return new TreeSet<>(List.of(machine.apply(text).split("\n", -1)));
  }

  private static Set<String> axioms(LitmusTest test) {
    Set<String> states = new TreeSet<>();
    for (List<Long> state : new LitmusChecker(MemoryModel.PTX_ISA).states(test)) {
      states.add(state.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
    return states;
  }

  /** As many descriptions, no two alike, of which one in eight is large. */
  private static List<TwoTexts> distinct(int programs) {
    List<TwoTexts> all = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (long i = 0; all.size() < programs; i++) {
      SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + i);
      TwoTexts drawn = TwoTexts.draw(random, i % 8 == 0 ? STEPS : FEW_STEPS);
      if (seen.add(drawn.litmus())) {
        all.add(drawn);
      }
    }
    return all;
  }

  @Test
  void theMachineShowsWhatTheAxiomsAllow() {
    Map<String, Long> results =
        distinct(PROGRAMS).parallelStream()
            .collect(
                Collectors.groupingByConcurrent(
                    MachineAxiomsTest::compared,
                    ConcurrentSkipListMap::new,
                    Collectors.counting()));
    System.out.println("machine against axioms: seed=%d %s".formatted(SEED, results));
    assertThat(results.values().stream().mapToLong(n -> n).sum()).isEqualTo(PROGRAMS);
    assertThat(results.get("equal")).isGreaterThan(PROGRAMS * 3 / 4);
  }

  /** In words; an error where the machine shows what is not allowed, or too little. */
  private static String compared(TwoTexts drawn) {
    LitmusTest test = LitmusParser.parse(drawn.litmus());
    Set<String> shown = machine(drawn.program());
    Set<String> allowed = axioms(test);
    String told = "seed=%d%n%s%s".formatted(SEED, drawn.program(), drawn.litmus());
    assertThat(allowed).as(told).containsAll(shown);
    String result = shown.equals(allowed) ? "equal" : "fewer: " + reason(drawn, test);
    assertThat(result).as("%s shown=%s allowed=%s", told, shown, allowed).isNotEqualTo("fewer: ");
    return result;
  }

  /** Why the machine need not show all; empty if nothing says so. */
  private static String reason(TwoTexts drawn, LitmusTest test) {
    if (drawn.races()) {
      return "weak accesses that race";
    }
    CrossCheck check = new LitmusChecker(MemoryModel.PTX_ISA).check(test).crossCheck();
    return check.result() == CrossCheck.Result.AGREES ? "" : "load buffering";
  }

  /** A machine that shows too much is noticed: here the test's fences are taken from the axioms. */
  @Test
  void aMachineThatOrdersLessIsCaught() {
    int caught = 0;
    for (int i = 0; i < 400 && caught == 0; i++) {
      TwoTexts drawn = TwoTexts.draw(new SplittableRandom(i), STEPS);
      String weaker =
          drawn.program().replace(" release", " relaxed").replace(" acquire", " relaxed");
      Set<String> allowed = axioms(LitmusParser.parse(drawn.litmus()));
      caught += allowed.containsAll(machine(weaker)) ? 0 : 1;
    }
    assertThat(caught).isPositive();
  }

  /** One that knows less of what was found before is noticed by descriptions such as are drawn. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Words     | if (foundBefore(model, s, word, i, leader, false)) {                     | if (false) {
          Words     | s.words[at] = clocks.tick(s, leader);                                    | ;
          Updates   | words.happened(s, word, writes.entered(), issued);                       | ;
          Known     | Words.foundBefore(model, s, word, index, component, renamed)             | false
          """)
  @Sampled(every = 4)
  void aMachineThatForgetsWhatWasFoundIsCaught(String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.OUTCOMES, new EngineMutant(file, line, becomes));
    Optional<TwoTexts> caught =
        distinct(10_000).stream()
            .filter(drawn ->
                !axioms(LitmusParser.parse(drawn.litmus()))
                    .containsAll(outcomes(changed, drawn.program())))
            .findFirst();
    assertThat(caught).isPresent();
    System.out.println("%s caught by%n%s".formatted(line, caught.get().program()));
  }

  /**
   * Shapes that take more steps than are drawn, or that the machine once misjudged: readers who
   * disagree on two relaxed stores though sc fences are between their reads, a plain load behind
   * its own lane's strong store, and copies of what was found, or ordered, to be replaced.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 0 1 0 | store word[0] <- 1 relaxed; store word[8] <- 1 relaxed; load a <- word[0] relaxed: order sc sys: load b <- word[8] relaxed; load c <- word[8] relaxed: order sc sys: load d <- word[0] relaxed | st.relaxed.sys x, 1; st.relaxed.sys y, 1; ld.relaxed.sys r1, x: fence.sc.sys: ld.relaxed.sys r2, y; ld.relaxed.sys r1, y: fence.sc.sys: ld.relaxed.sys r2, x | P2:r1; P2:r2; P3:r1; P3:r2
          0       | store word[0] <- 1 relaxed: load a <- word[0]                                  | st.relaxed.sys x, 1: ld.weak r1, x | P0:r1
          1 0     | store word[0] <- 1 relaxed; load a <- word[0] relaxed: sync: move word[16] <- word[0] bytes 8: sync: load b <- word[16] | st.relaxed.sys x, 1; ld.relaxed.sys r1, x: ld.weak r2, x | P1:r1; P1:r2
          1 0     | store word[0] <- 1 release: store word[0] <- 2 relaxed; load a <- word[0] acquire: sync: load b <- word[0] | st.release.sys x, 1: st.relaxed.sys x, 2; ld.acquire.sys r1, x: ld.weak r2, x | P1:r1; P1:r2
          """)
  void whatWasShownAndIsForbiddenIsNoMore(
      String outcome, String lanes, String columns, String observed) {
    assertThat(agreed(lanes, columns, observed)).doesNotContain(outcome);
  }

  /**
   * A store of a word reads nothing: it neither learns from what it replaces nor hands that on,
   * while what its own lane released there before stays in it whoever wrote in between. Not so what
   * its lane only handed on.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          0 1 2 | store word[0] <- 1 relaxed: store word[8] <- 1 release; store word[8] <- 2 relaxed: order sys: load a <- word[0] relaxed; load b <- word[8] relaxed: load c <- word[8] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; st.relaxed.sys y, 2: fence.acq_rel.sys: ld.relaxed.sys r1, x; ld.relaxed.sys r1, y: ld.relaxed.sys r2, y | P1:r1; P2:r1; P2:r2
          1 2 0 | store word[0] <- 1 relaxed: store word[8] <- 1 release; load a <- word[8] relaxed: store word[8] <- 2 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; ld.relaxed.sys r1, y: st.relaxed.sys y, 2; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P1:r1; P2:r1; P2:r2
          2 0   | store word[0] <- 1 relaxed: store word[8] <- 1 release: store word[8] <- 3 relaxed; store word[8] <- 2 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1: st.relaxed.sys y, 3; st.relaxed.sys y, 2; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P2:r1; P2:r2
          1 5 0 | store word[0] <- 1 relaxed: store word[8] <- 1 release; atomic word[16] <- word[8] add 1: store word[8] <- 5 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; atom.relaxed.sys.add r1, y, 1: st.relaxed.sys y, 5; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P1:r1; P2:r1; P2:r2
          """)
  void aStoreReadsNothing(String outcome, String lanes, String columns, String observed) {
    assertThat(agreed(lanes, columns, observed)).contains(outcome);
  }

  /** The outcomes of lanes and of a test's columns, which are the same. */
  private static Set<String> agreed(String lanes, String columns, String observed) {
    StringBuilder program = new StringBuilder("form known\nscratch word[24]\n");
    List<String> bodies = List.of(lanes.split("; ", -1));
    for (int lane = 0; lane < bodies.size(); lane++) {
      program.append("lane l%d: sm(32) {\n".formatted(lane));
      program.append(bodies.get(lane).replace(": ", "\n")).append("\n}\n");
    }
    StringJoiner head = new StringJoiner(" | ");
    List<List<String>> cells = new ArrayList<>();
    for (String column : columns.split("; ", -1)) {
      head.add("P%d@cta %d,gpu 0".formatted(cells.size(), cells.size()));
      cells.add(List.of(column.split(": ", -1)));
    }
    StringBuilder test = new StringBuilder("PTX known\n{ x=0; y=0; }\n" + head + " ;\n");
    for (int row = 0; row < 3; row++) {
      int now = row;
      test.append(
          cells.stream()
              .map(column -> now < column.size() ? column.get(now) : "")
              .collect(Collectors.joining(" | ", "", " ;\n")));
    }
    test.append("locations [%s]\nexists true".formatted(observed));
    Set<String> allowed = axioms(LitmusParser.parse(test.toString()));
    assertThat(machine(program.toString())).isEqualTo(allowed);
    return allowed;
  }
}
