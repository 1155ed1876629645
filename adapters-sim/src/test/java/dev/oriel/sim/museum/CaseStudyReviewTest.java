package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A run of an exhibit reports every violation of the exhibit's statements. */
class CaseStudyReviewTest {
  private static List<String> complaints(String id, String old, String replacement) {
    return CaseStudyReview.of(CaseStudyFixtures.with(id, old, replacement)).complaints();
  }

  @Test
  void reportsAnotherDetector() {
    assertThat(complaints("B16", "-- finds: value", "-- finds: check"))
        .contains("other detector: expected=check, found=value");
  }

  @Test
  void reportsAnotherPlace() {
    assertThat(complaints("B35", "rank=1, lane=main (read)", "rank=1, lane=other (read)"))
        .containsExactly("the message lacks: 'load x <- box[0]' at rank=1, lane=other (read)");
  }

  @Test
  void reportsAnotherEdge() {
    assertThat(complaints("B35", "-- edge: release", "-- edge: sys scope"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("the message lacks: sys scope");
  }

  @Test
  void reportsAProfileWithLessOrderThanNeeded() {
    assertThat(complaints("B35", "-- profile: L1", "-- profile: L2"))
        .containsExactly("found as well where there is more order: profile=L1");
    assertThat(complaints("B28", "-- profile: rdma-multirail", "-- profile: L2")).isNotEmpty();
  }

  @Test
  void reportsAStrategyThatIsNotTheSimplest() {
    assertThat(complaints("B35", "-- strategy: fifo", "-- strategy: synchronisation"))
        .containsExactly("found as well by fifo");
  }

  @Test
  void reportsAFindingThatDoesNotDependOnOrder() {
    assertThat(complaints("65", "-- class: flow", "-- class: ordering"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("not a matter of order: found at L0: check failed");
  }

  @Test
  void reportsARepairedProgramThatFails() {
    assertThat(complaints("B35", "--+ signal DATA[0]@1 set 1 release", "--+ sync"))
        .anyMatch(c -> c.startsWith("the repaired program fails: refused"));
    assertThat(complaints("B27", "--+ quiet via 1", "--+ quiet"))
        .anyMatch(c -> c.startsWith("the repaired program fails: race"))
        .anyMatch(c -> c.startsWith("the schedule that breaks it breaks the repaired program"));
  }

  @Test
  void reportsALargerWorldWithoutTheFinding() {
    assertThat(complaints("B21", "-- larger: 3x1", "-- larger: 1x3"))
        .anyMatch(c -> c.startsWith("in world 1x3: "));
  }

  @Test
  void reportsAFailureThatIsMarkedAsMissed() {
    CaseStudy missed =
        CaseStudyFixtures.with("B35", "-- edge: ", "-- missed: nobody looks\n-- edge: ");
    assertThat(CaseStudyReview.of(missed).fine()).isFalse();
  }
}
