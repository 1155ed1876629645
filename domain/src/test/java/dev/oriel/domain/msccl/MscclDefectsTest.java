package dev.oriel.domain.msccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.MscclDefect.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class MscclDefectsTest {
  private static List<MscclDefect> of(PlanXml plan) {
    return MscclDefects.of(MscclReader.read(plan.text(), "plan.xml"));
  }

  private static MscclDefect only(PlanXml plan) {
    List<MscclDefect> defects = of(plan);
    assertThat(defects).hasSize(1);
    return defects.getFirst();
  }

  @Test
  void goodPlansHaveNone() {
    assertThat(of(PlanXml.ringAllGather(4))).isEmpty();
    assertThat(of(PlanXml.ringAllReduce(3))).isEmpty();
    assertThat(of(PlanXml.exchangeAllReduce())).isEmpty();
  }

  @Test
  void twoBlocksOnOneConnectionAreNamed() {
    PlanXml plan =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0")
            .tb(1, -1, 0, "s i1")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0", "r > o1");
    MscclDefect defect = only(plan);
    assertThat(defect.kind()).isEqualTo(Kind.CONNECTION);
    assertThat(defect.reason()).contains("2 blocks send from gpu 0 to gpu 1 on channel 0");
    assertThat(defect.places())
        .extracting(MscclDefect.Location::words)
        .containsExactly("gpu 0, tb 0", "gpu 0, tb 1");
  }

  @Test
  void blocksOnTwoChannelsOrInTwoDirectionsShareNothing() {
    PlanXml plan =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0")
            .tb(1, 1, 1, "s i1", "r > o0")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0")
            .tb(0, 0, 1, "s i0", "r > o1");
    assertThat(of(plan)).isEmpty();
  }

  @Test
  void bothEndsOfAConnectionTransferAsOften() {
    PlanXml more =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0", "s i1")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0");
    assertThat(only(more).reason())
        .contains("2 transfers are sent and 1 are received", "the next call");
    assertThat(only(more).places().getFirst().words()).startsWith("gpu 0, tb 0, step 1");
    PlanXml fewer =
        PlanXml.of("custom", 2, 2).gpu(0, 2, 2, 0).gpu(1, 2, 2, 0).tb(-1, 0, 0, "r > o0");
    assertThat(only(fewer).kind()).isEqualTo(Kind.UNMATCHED);
    assertThat(only(fewer).reason()).contains("the last receive waits forever");
  }

  @Test
  void bothEndsOfATransferHaveOneSize() {
    PlanXml plan =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0 x2")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0 x1");
    assertThat(only(plan).reason()).contains("has 2 chunks where it is sent and 1");
  }

  /** No sums are followed through connections that do not match. */
  @Test
  void aReductionWithTransfersOfTwoSizesIsNotFollowed() {
    PlanXml plan = PlanXml.of("allreduce", 2, 2);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 2, 2, 2).tb(1 - g, 1 - g, 0, "s i0 x1", "r > s0 x2");
    }
    ImportedPlan imported =
        MscclTranslation.imported(MscclReader.read(plan.text(), "plan.xml"), FlagOrder.INTENDED);
    assertThat(imported.defects()).extracting(MscclDefect::kind).contains(Kind.UNMATCHED);
    assertThat(imported.note()).isEmpty();
  }

  @Test
  void aStepThatNobodyAnnouncesIsAwaitedForever() {
    PlanXml plan =
        PlanXml.of("custom", 1, 1)
            .gpu(0, 1, 1, 0)
            .tb(-1, -1, 0, "cpy i0 > o0 announced", "cpy i0 > o0")
            .tb(-1, -1, 0, "cpy i0 > o0 after 0.1");
    MscclDefect defect = only(plan);
    assertThat(defect.kind()).isEqualTo(Kind.DEADLOCK);
    assertThat(defect.reason()).contains("gpu 0, tb 1, step 0 waits forever for tb 0, step 1");
  }

  @Test
  void aLaterAnnouncementServesAsWell() {
    PlanXml plan =
        PlanXml.of("custom", 1, 1)
            .gpu(0, 1, 1, 0)
            .tb(-1, -1, 0, "cpy i0 > o0", "cpy i0 > o0 announced")
            .tb(-1, -1, 0, "cpy i0 > o0 after 0.0");
    assertThat(of(plan)).isEmpty();
  }

  @Test
  void aStepDoesNotWriteWhatItReadsElsewhere() {
    PlanXml over =
        PlanXml.of("custom", 1, 4)
            .gpu(0, 4, 4, 0)
            .tb(-1, -1, 0, "cpy i0 > i1 x2", "cpy i0 > i2 x2");
    assertThat(only(over).kind()).isEqualTo(Kind.OVERLAP);
    assertThat(only(over).reason()).contains("gpu 0, tb 0, step 0 writes chunks that it reads");
  }

  /** Two chunks overlap if one transfer carries both: of 2 MiB, up to 1 MiB each. */
  @Test
  void anOverlapThatLargeCallsSplitNamesItsSizes() {
    PlanXml plan = PlanXml.of("custom", 2, 4).with("maxBytes=\"0\"");
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 4, 4, 4).tb(1 - g, 1 - g, 0, "s i0 x2", "rrc i0 > i1 x2");
    }
    assertThat(only(plan).kind()).isEqualTo(Kind.OVERLAP);
    assertThat(only(plan).reason()).contains("up to 4194304 bytes; larger calls split the step");
    assertThat(only(plan.with("maxBytes=\"1024\"")).reason()).doesNotContain("bytes");
  }

  @Test
  void outOfPlaceTheSourceDoesNotChange() {
    PlanXml plan =
        PlanXml.of("allreduce", 1, 1).inBothPlaces().gpu(0, 1, 1, 0).tb(-1, -1, 0, "cpy i0 > i0");
    assertThat(only(plan).kind()).isEqualTo(Kind.INPUT);
    PlanXml inPlace = PlanXml.of("allreduce", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "cpy i0 > i0");
    assertThat(of(inPlace)).isEmpty();
  }

  @Test
  void chunksThatNothingHasWrittenAreNotUsed() {
    PlanXml plan =
        PlanXml.of("custom", 1, 2)
            .gpu(0, 2, 2, 4)
            .tb(-1, -1, 0, "cpy i0 > s1 x2", "cpy s1 > o0 x2", "cpy s2 > o0 x2");
    assertThat(only(plan).kind()).isEqualTo(Kind.UNWRITTEN);
    assertThat(only(plan).reason()).contains("gpu 0, tb 0, step 2 reads s[3]");
  }

  @Test
  void anAdditionReadsItsDestination() {
    PlanXml plan = PlanXml.of("custom", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "re i0 > o0");
    assertThat(only(plan).reason()).contains("step 0 reads o[0]");
  }

  @Test
  void inPlaceTheOutputIsWrittenAtTheStart() {
    PlanXml reduce = PlanXml.of("allreduce", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "re i0 > o0");
    assertThat(of(reduce)).isEmpty();
  }

  @Test
  void inPlaceOnlyTheOwnBlockOfAGatherIsWrittenAtTheStart() {
    PlanXml own =
        PlanXml.of("allgather", 2, 2)
            .gpu(0, 1, 2, 0)
            .tb(1, -1, 0, "s o0")
            .gpu(1, 1, 2, 0)
            .tb(-1, 0, 0, "r > o0");
    assertThat(of(own)).isEmpty();
    PlanXml other =
        PlanXml.of("allgather", 2, 2)
            .gpu(0, 1, 2, 0)
            .tb(1, -1, 0, "s o1")
            .gpu(1, 1, 2, 0)
            .tb(-1, 0, 0, "r > o0");
    assertThat(only(other).reason()).contains("gpu 0, tb 0, step 0 reads o[1]");
  }
}
