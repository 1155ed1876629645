package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FaultPlanProperties {

  @Provide
  Arbitrary<FaultPlan> plans() {
    return ReplayFixtures.plans(5);
  }

  @Property
  void readsBackWhatItPrints(@ForAll("plans") FaultPlan plan) {
    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan);
  }

  @Property
  void theOrderOfWritingDoesNotMatter(@ForAll("plans") FaultPlan plan) {
    assertThat(new FaultPlan(plan.faults().reversed())).isEqualTo(plan);
    assertThat(new FaultPlan(plan.faults().reversed())).hasToString(plan.toString());
  }

  @Property
  void aSmallerWorldKeepsItsFaults(@ForAll("plans") FaultPlan plan) {
    for (int world = 1; world <= 5; world++) {
      FaultPlan clamped = plan.clampedTo(world);
      assertThat(clamped.requireWorld(world)).isSameAs(clamped);
      assertThat(clamped.faults()).hasSizeLessThanOrEqualTo(plan.faults().size());
    }
    assertThat(plan.clampedTo(5)).isEqualTo(plan);
  }
}
