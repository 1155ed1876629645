package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operands of a sum are compared by the origin of every byte, not by the value of the sum. */
class ReducedProvenanceTest {
  private static String found(Form form, String world, long bytes, Profile profile) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), Map.of("B", bytes));
    ExecutionSettings settings =
        new ExecutionSettings(profile, 3, DetectorSet.VALUES, TimeoutPolicy.NEVER);
    return new Checker(Strategy.FIFO, Budget.DEFAULT, 1, settings)
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  private static String found(Form form) {
    return found(form, "1x3", 8, Profile.L2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          p < n:                          | p < n - 1:                                                           | the contribution of rank 2 is missing
          pkt16(e)) bytes                 | pkt16(e), ll[((half + 1) * K + g) * P] pkt16(e)) bytes                | the contribution of rank 1 went in twice
          ((half + p) * K + g)            | ((half + (p + 1) % n) * K + g)                                       | the contribution of rank 0 and that of rank 2 changed places
          ((half + p) * K + g)            | ((half + p * 2 % n) * K + g)                                         | the contribution of rank 1 and that of rank 2 changed places
          sum fp32 in fp32 (for p < n: ll | max fp32 in fp32 (for p < n: ll                                      | see the last steps of the trace
          """)
  void oneMistakeInASumIsNamed(String right, String wrong, String named) {
    String text = ShippedPrograms.text("ll_all_reduce");
    int at = text.indexOf("move out[o]");
    String broken = text.substring(0, at) + text.substring(at).replace(right, wrong);
    assertThat(broken).isNotEqualTo(text);
    assertThat(found(FormParser.parse(text))).isEqualTo("nothing");
    assertThat(found(FormParser.parse(broken))).startsWith("value: wrong byte").endsWith(named);
  }

  @Test
  void aTurnedOrderIsNamed() {
    String text = ShippedPrograms.text("ll_all_reduce");
    String turned = text.replace("((half + p) * K + g)", "((half + (p + 1) % n) * K + g)");
    assertThat(found(FormParser.parse(turned), "1x4", 8, Profile.L2))
        .endsWith("the contributions went in from another one on");
  }

  @Test
  void aContributionOfThePreviousLaunchIsNamed() {
    String text =
        """
        form stale
        -- Rank 1 hands over what it has in the first launch alone.
        param B <= 64
        input in[B]
        output out[B]
        scratch box[n * B]
        signal DATA[1]
        signal DONE[1]
        ensure out[0] = sum fp32 in fp32 (for p < n: in@p[0]) bytes B

        lane main: sm(64) {
          if r != 1 {
            move box@all[r * B] <- in[0] bytes B
          } else {
            if epoch == 1 {
              move box@all[r * B] <- in[0] bytes B
            }
          }
          signal DATA[0]@peers set epoch release
          await DATA[0]@peers reached epoch acquire
          move out[0] <- sum fp32 in fp32 (for p < n: box[p * B]) bytes B
          signal DONE[0]@peers set epoch release
          await DONE[0]@peers reached epoch acquire
        }
        """;
    assertThat(found(FormParser.parse(text)))
        .startsWith("value: wrong byte: ")
        .contains("launch=2")
        .endsWith("the contribution of rank 1 is that of the launch before");
    assertThat(found(FormParser.parse(text.replace("epoch == 1", "epoch >= 1"))))
        .isEqualTo("nothing");
    assertThat(found(FormParser.parse(text.replace("epoch == 1", "epoch == 2"))))
        .contains("launch=1")
        .endsWith("the contribution of rank 1 has not come");
  }

  private static Form ring(String ensure) {
    return ShippedPrograms.edited("ring_reduce_scatter", "sum fp32 in fp32 stepwise", ensure);
  }

  /**
   * A ring rounds at every rank, in ring order: a post-condition with fewer or more roundings
   * fails.
   */
  @Test
  void theSumOfARingFollowsTheRankOrder() {
    assertThat(found(ShippedPrograms.form("ring_reduce_scatter"))).isEqualTo("nothing");
    assertThat(
            found(
                ShippedPrograms.edited(
                    "ring_reduce_scatter", "in@((r + 1 + k) % n)", "in@((r + k) % n)")))
        .startsWith("value: wrong byte");
    // Without intermediate rounding, steps make no difference.
    assertThat(found(ring("sum fp32 in fp32"))).isEqualTo("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bf16", "fp16"})
  void stepwiseRoundingDiffersFromRoundingOnce(String type) {
    String text = ShippedPrograms.text("ring_reduce_scatter").replace("sum fp32", "sum " + type);
    assertThat(found(FormParser.parse(text))).isEqualTo("nothing");
    assertThat(found(FormParser.parse(text.replace("stepwise ", ""))))
        .startsWith("value: wrong byte");
  }

  /** A tree that pairs other ranks is a different tree, unless every order gives the same bytes. */
  @Test
  void pairsOfATreeAreCompared() {
    String text = ShippedPrograms.text("tree_all_reduce");
    String paired = text.replace("in@k[0]", "in@(k % 2 * 2 + k / 2)[0]");
    assertThat(paired).isNotEqualTo(text);
    assertThat(found(FormParser.parse(text), "1x4", 8, Profile.L2)).isEqualTo("nothing");
    assertThat(found(FormParser.parse(paired), "1x4", 8, Profile.L2))
        .startsWith("value: wrong byte");
    String steps = text.replace("folded", "stepwise");
    assertThat(found(FormParser.parse(steps), "1x4", 8, Profile.L2))
        .startsWith("value: wrong byte");
    assertThat(found(FormParser.parse(steps), "1x2", 8, Profile.L2)).isEqualTo("nothing");
    for (String exact : List.of(paired, steps)) {
      Form integers = FormParser.parse(exact.replace("fp32", "int32"));
      assertThat(found(integers, "1x4", 8, Profile.L2)).isEqualTo("nothing");
    }
  }

  /** A cleared accumulator is no source of an integer sum; in floating point 0 + -0 is 0. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sum int32 in int32 | acc[0], box[8 * p] | nothing
          sum int32 in int32 | box[8 * p], acc[0] | nothing
          sum int8 in int32  | acc[0], box[8 * p] | nothing
          sum int32 in int32 | acc[0], box[8 * min(p, 1)] | value
          min int32 in int32 | acc[0], box[8 * p] | value
          prod int32 in int32 | acc[0], box[8 * p] | value
          sum fp32 in fp32   | acc[0], box[8 * p] | zeros went in as one more source, and 0 + -0 is 0: begin
          max fp32 in fp32   | acc[0], box[8 * p] | zeros went in as one more source: begin
          """)
  void aClearedAccumulator(String reduction, String sources, String found) {
    String text =
        """
        form cleared
        param B <= 8
        input in[B]
        output out[B]
        window box[8 * n]
        scratch acc[8]
        scratch zero[8]
        barrier here
        ensure out[0] = REDUCED (for p < n: in@p[0]) bytes B
        lane main: sm(32) {
          each p in all {
            move box@p[8 * r] <- in[0] bytes B
          }
          barrier here
          move acc[0] <- zero[0] bytes B
          sync
          for p < n {
            move acc[0] <- REDUCED (SOURCES) bytes B
            sync
          }
          move out[0] <- acc[0] bytes B
          barrier here
        }
        """
            .replace("REDUCED", reduction)
            .replace("SOURCES", sources);
    assertThat(found(FormParser.parse(text))).contains(found);
  }

  /** The operands of one step may change places; steps may not. */
  @ParameterizedTest
  @CsvSource({
    "'in[8], in[0]', 'mid[0], in[16]', nothing",
    "'in[0], in[8]', 'in[16], mid[0]', nothing",
    "'in[0], in[16]', 'mid[0], in[8]', value",
    "'in[0], in[0]', 'mid[0], in[16]', value"
  })
  void aStepIsCommutative(String first, String second, String found) {
    String text =
        """
        form steps
        param B <= 8
        input in[24]
        output out[8]
        scratch mid[8]
        ensure out[0] = sum bf16 in fp32 stepwise (in[0], in[8], in[16]) bytes B
        lane main: sm(32) {
          move mid[0] <- sum bf16 in fp32 (FIRST) bytes B
          sync
          move out[0] <- sum bf16 in fp32 (SECOND) bytes B
        }
        """
            .replace("FIRST", first)
            .replace("SECOND", second);
    assertThat(found(FormParser.parse(text), "1x1", 8, Profile.L2)).startsWith(found);
  }

  /** Sums by domain differ from sums by rank, and so do sums over domains of another size. */
  @Test
  void sumsByDomainAreCompared() {
    String text = ShippedPrograms.text("rail_all_reduce").replace("domain, n", "2, n");
    String bf16 = text.replace("sum fp32", "sum bf16");
    assertThat(found(FormParser.parse(bf16), "2x2", 36, Profile.L2)).isEqualTo("nothing");
    String other = bf16.replace("by L", "by N + 1");
    assertThat(other).isNotEqualTo(bf16);
    assertThat(found(FormParser.parse(other), "2x2", 36, Profile.L2))
        .startsWith("value: wrong byte");
    assertThat(found(FormParser.parse(bf16.replace("by L ", "")), "2x2", 36, Profile.L2))
        .startsWith("value: wrong byte");
  }

  /** Integers wrap in any order: a program may leave only the order open. */
  @Test
  void inAnyOrderEveryOperandStillCountsOnce() {
    String text =
        ShippedPrograms.text("ll_all_reduce")
            .replace(
                "ensure out[0] = sum fp32 in fp32 (", "ensure out[0] = sum int32 in int32 any (")
            .replace("sum fp32 in fp32", "sum int32 in int32");
    String turned = text.replace("((half + p) * K + g)", "((half + (p + 1) % n) * K + g)");
    assertThat(found(FormParser.parse(text))).isEqualTo("nothing");
    assertThat(turned).isNotEqualTo(text);
    assertThat(found(FormParser.parse(turned))).isEqualTo("nothing");
    String twice = text.replace("((half + p) * K + g)", "((half + p / 2) * K + g)");
    assertThat(found(FormParser.parse(twice))).startsWith("value: wrong byte");
    String fewer = text.replace("(for p < n: ll", "(for p < n - 1: ll");
    assertThat(found(FormParser.parse(fewer))).endsWith("the contribution of rank 2 is missing");
    String other = text.replace("move out[o] <- sum", "move out[o] <- min");
    assertThat(found(FormParser.parse(other))).startsWith("value: wrong byte");
  }

  @Test
  void ranksThatReduceAlikeAreSymmetric() {
    Topology topology = Topology.parse("1x2");
    Program program =
        Program.bind(ShippedPrograms.form("direct_reduce_scatter"), 2, Map.of("B", 4L));
    assertThat(
            new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2))
                .symmetric()
                .explore(program, topology)
                .parts()
                .getFirst()
                .reduction())
        .endsWith("; symmetry: 2 renamings of ranks, which are rotations");
  }
}
