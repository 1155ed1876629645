package dev.oriel.domain.msccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MscclTranslationTest {
  private static MscclPlan read(PlanXml plan) {
    return MscclReader.read(plan.text(), "plan.xml");
  }

  private static List<TranslatedPlan> programs(PlanXml plan) {
    MscclPlan read = read(plan);
    return MscclVariant.of(read).stream()
        .map(v -> MscclTranslation.of(read, v, FlagOrder.INTENDED))
        .toList();
  }

  /** With a step that has no effect. */
  private static PlanXml idle(PlanXml plan) {
    return plan.gpu(0, 0, 0, 1).tb(-1, -1, 0, "cpy s0 > s0");
  }

  private static String text(PlanXml plan) {
    return FormPrinter.print(programs(plan).getFirst().form());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Simple", "LL", "LL128"})
  void theTextOfAProgramIsThatProgram(String protocol) {
    for (PlanXml plan :
        List.of(PlanXml.ringAllGather(3), PlanXml.ringAllReduce(4), PlanXml.exchangeAllReduce())) {
      for (TranslatedPlan program : programs(plan.protocol(protocol))) {
        Form form = program.form();
        assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
      }
    }
  }

  @Test
  void everyOperationHasTheStepThatItBelongsTo() {
    TranslatedPlan program = programs(PlanXml.exchangeAllReduce()).getFirst();
    assertThat(program.steps().keySet()).containsExactlyInAnyOrder("tb0", "tb1");
    for (LaneFamily lane : program.form().lanes()) {
      List<MscclPlan.Step> steps =
          program.steps().getOrDefault(lane.name(), List.of()).stream()
              .map(MscclPlan.Step.class::cast)
              .toList();
      int at = 0;
      for (Op op : lane.body()) {
        Op.If branch = (Op.If) op;
        int gpu = steps.get(at++).gpu();
        assertThat(FormPrinter.print(program.form())).contains("if r == " + gpu);
        for (Op inner : branch.then()) {
          MscclPlan.Step step = steps.get(at++);
          assertThat(step.gpu()).isEqualTo(gpu);
          assertThat(lane.name()).isEqualTo("tb" + step.block());
          if (inner instanceof Op.Move move) {
            assertThat(move.ticket()).isEqualTo("step" + step.number());
          }
        }
      }
      assertThat(steps).hasSize(at);
    }
  }

  @Test
  void aSimpleConnectionIsARingOfTwoSlotsWithCredits() {
    assertThat(text(PlanXml.ringAllGather(3)))
        .contains(
            "scratch chan0[24]",
            "await free[0]@(1) reached sent - 1 acquire",
            "move step1: o[8], chan0@(1)[sent % 2 * 4] <- chan0[received % 2 * 4 + 16] bytes 4",
            "signal full[0]@(1) set sent + 1 release",
            "signal free[0]@(2) set received + 1 release");
  }

  @Test
  void packetsHaveEightSlotsAndNoCounterOfFullOnes() {
    assertThat(text(PlanXml.ringAllGather(3).protocol("LL")))
        .contains("scratch chan0[192]", "await free[0]@(1) reached sent - 7 acquire", "pkt8")
        .doesNotContain("full");
    assertThat(text(PlanXml.ringAllGather(3).protocol("LL128")))
        .contains("scratch chan0[3072]", "line128(nz32(sent + 1))");
  }

  @Test
  void dependenciesReleaseAndAcquireInTheScopeOfTheGpu() {
    assertThat(text(PlanXml.exchangeAllReduce()))
        .contains(
            "signal done[0] set epoch * 3 + 2 release gpu",
            "await done[0] reached epoch * 3 + 2 acquire gpu");
  }

  /** Only the flags between blocks change: counters of connections release as before. */
  @Test
  void flagsAsWrittenAreRelaxed() {
    MscclPlan plan = read(PlanXml.exchangeAllReduce());
    MscclVariant variant = MscclVariant.of(plan).getFirst();
    String intended =
        FormPrinter.print(MscclTranslation.of(plan, variant, FlagOrder.INTENDED).form());
    TranslatedPlan written = MscclTranslation.of(plan, variant, FlagOrder.AS_WRITTEN);
    assertThat(FormPrinter.print(written.form()))
        .isEqualTo(
            intended
                .replace("form a_plan-in-place-split-1", "form a_plan-in-place-split-1-as-written")
                .replace("release gpu", "relaxed")
                .replace("acquire gpu", "relaxed"))
        .contains("set sent + 1 release");
    MscclPlan longName =
        MscclReader.read(
            PlanXml.ringAllGather(2).text().replace("a_plan", "x".repeat(60)), "plan.xml");
    MscclTranslation.imported(longName, FlagOrder.AS_WRITTEN)
        .programs()
        .forEach(program ->
            assertThat(program.form().name()).endsWith("-as-written").hasSizeLessThanOrEqualTo(64));
  }

  /** A transfer by Simple holds 2 MiB: one chunk of more than 1 MiB, and 4 of 512 KiB. */
  @Test
  void everySizeOfTheWindowBelongsToOneSplit() {
    PlanXml plan = PlanXml.of("allreduce", 2, 4).with("minBytes=\"8\" maxBytes=\"0\"");
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 4, 4, 4).tb(1 - g, 1 - g, 0, "s i0 x4", "r > s0 x4");
    }
    List<SizeClass> sizes = MscclTranslation.imported(read(plan), FlagOrder.INTENDED).sizes();
    assertThat(sizes)
        .extracting(SizeClass::least)
        .containsExactly(8L, 2_097_153L, 2_796_201L, 4_194_305L);
    assertThat(sizes)
        .extracting(SizeClass::most)
        .containsExactly(2_097_152L, 2_796_200L, 4_194_304L, Long.MAX_VALUE);
    assertThat(sizes)
        .extracting(size -> size.program().get().form().name())
        .containsExactly(
            "a_plan-in-place-split-4",
            "a_plan-in-place-split-3",
            "a_plan-in-place-split-2",
            "a_plan-in-place-split-1");
  }

  @Test
  void additionsToTheSameChunksAreOneMove() {
    PlanXml plan =
        PlanXml.of("custom", 1, 4)
            .gpu(0, 4, 4, 0)
            .tb(
                -1,
                -1,
                0,
                "cpy i0 > o0 x4",
                "re i0 > o1",
                "re i1 > o1",
                "re i2 > o1 announced",
                "re i3 > o1",
                "re i3 > o2",
                "re o0 > o2");
    assertThat(text(plan))
        .contains(
            "move step1: o[4] <- sum int32 in int32 (o[4], i[0], i[4], i[8]) bytes 4",
            "move step4: o[4] <- sum int32 in int32 (o[4], i[12]) bytes 4",
            "move step5: o[8] <- sum int32 in int32 (o[8], i[12]) bytes 4",
            "move step6: o[8] <- sum int32 in int32 (o[8], o[0]) bytes 4");
  }

  @Test
  void nopsHandTheirDependenciesToTheNextStep() {
    PlanXml plan =
        PlanXml.of("custom", 1, 1)
            .gpu(0, 1, 1, 1)
            .tb(-1, -1, 0, "cpy i0 > o0 announced")
            .tb(-1, -1, 0, "cpy i0 > s0 announced")
            .tb(-1, -1, 0, "nop after 0.0", "cpy s0 > o0 after 1.0");
    assertThat(text(plan))
        .contains(
            """
                await done[0] reached epoch * 3 + 1 acquire gpu
                await done[1] reached epoch * 3 + 1 acquire gpu
                move step1: o[0] <- s[0] bytes 4
            """);
  }

  @Test
  void aCopyOntoItselfMovesNothing() {
    PlanXml plan = PlanXml.of("allreduce", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "cpy i0 > o0");
    assertThat(text(plan)).doesNotContain("move");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "allreduce | o[0] = sum int32 in int32 any (for p < n: i@p[0]) bytes 16",
        "allgather | each p in all: o[p * 8] = i@p[0] bytes 8",
        "reduce_scatter | o[0] = sum int32 in int32 any (for p < n: i@p[r * 8]) bytes 8",
        "alltoall | each p in all: o[p * 8] = i@p[r * 8] bytes 8",
        "broadcast | o[0] = i@(0)[0] bytes 16",
        "reduce | o[0] = sum int32 in int32 any (for p < n: i@p[0]) bytes (1 - min(1, r)) * 16"
      })
  void theNameOfACollectiveIsItsPromise(String collective, String promise) {
    assertThat(text(idle(PlanXml.of(collective, 2, 4).outOfPlace()))).contains("ensure " + promise);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "allreduce | io[0] = sum int32 in int32 any (for p < n: io@p[0]) bytes 16",
        "allgather | each p in all: io[p * 8] = io@p[p * 8] bytes 8",
        "reduce_scatter | io[r * 8] = sum int32 in int32 any (for p < n: io@p[r * 8]) bytes 8"
      })
  void inPlaceInputAndOutputAreOneBuffer(String collective, String promise) {
    assertThat(text(idle(PlanXml.of(collective, 2, 4))))
        .contains("inout io[16]", "ensure " + promise);
  }

  @Test
  void nothingIsPromisedOfACustomCollective() {
    assertThat(text(PlanXml.of("alltonext", 2, 4).gpu(0, 4, 4, 0).tb(-1, -1, 0, "cpy i0 > o0")))
        .doesNotContain("ensure")
        .contains("input i[16]", "output o[16]");
  }

  @Test
  void aPlanIsCheckedInEachPlaceAndWithTheCoarsestAndFinestSplit() {
    PlanXml both = PlanXml.of("allreduce", 2, 8).inBothPlaces();
    for (int g = 0; g < 2; g++) {
      both.gpu(g, 8, 8, 8).tb(1 - g, 1 - g, 0, "s i0 x8", "r > s0 x8");
    }
    assertThat(MscclVariant.of(read(both)))
        .containsExactly(
            new MscclVariant(false, 8),
            new MscclVariant(true, 8),
            new MscclVariant(false, 1),
            new MscclVariant(true, 1));
    // A chunk of 1 MiB: two of them fill the slots of one transfer.
    assertThat(MscclVariant.of(read(both.with("minBytes=\"8388608\" maxBytes=\"8388608\""))))
        .containsExactly(new MscclVariant(false, 2), new MscclVariant(true, 2));
  }

  @Test
  void aSplitStepIsSeveralTransfersOfALink() {
    PlanXml plan = PlanXml.of("allreduce", 2, 3);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 3, 3, 3).tb(1 - g, 1 - g, 0, "s i0 x3", "r > s0 x3");
    }
    plan.with("minBytes=\"3145728\" maxBytes=\"3145728\"");
    assertThat(text(plan))
        .contains(
            "move step0: chan0@(1)[sent % 2 * 8] <- io[0] bytes 8",
            "move step0_2: chan0@(1)[sent % 2 * 8] <- io[8] bytes 4");
  }

  /** 64 blocks of 80 steps, with two operations for each step. */
  @Test
  void aLongLaneContinuesForOtherRanks() {
    PlanXml plan = PlanXml.of("custom", 64, 64);
    String[] copies = new String[80];
    java.util.Arrays.fill(copies, "cpy i0 > o0");
    for (int g = 0; g < 64; g++) {
      plan.gpu(g, 64, 64, 0).tb(-1, -1, 0, copies);
    }
    TranslatedPlan program = programs(plan).getFirst();
    assertThat(program.form().lanes())
        .extracting(LaneFamily::name)
        .containsExactly("tb0", "tb0_gpu62");
    assertThat(program.steps().getOrDefault("tb0_gpu62", List.of()))
        .first()
        .extracting(PlanStep::ids)
        .isEqualTo("gpu 62, tb 0, step 0");
  }
}
