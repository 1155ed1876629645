package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.StepMemoComparison;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Correct programs have the same results whether their steps are executed or recalled. */
class MemoizedProgramsTest {
  private static final int FEW = 2;

  @Test
  void recalledProgramsHaveTheSameResults() {
    List<CorrectPrograms.Correct> all = CorrectPrograms.all();
    int recalled = 0;
    for (CorrectPrograms.Correct correct : all) {
      for (String world : correct.worlds().subList(0, Math.min(FEW, correct.worlds().size()))) {
        Topology topology = Topology.parse(world);
        StepMemoComparison.Comparison comparison =
            StepMemoComparison.compare(
                correct.bind(topology), topology, Profile.L2, DetectorSet.ALL);
        assertThat(comparison.difference()).as("%s %s", correct, world).isEmpty();
        recalled += comparison.recalled() > 0 ? 1 : 0;
      }
    }
    assertThat(recalled).isGreaterThan(all.size() / FEW);
  }
}
