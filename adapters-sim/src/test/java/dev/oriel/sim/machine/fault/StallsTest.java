package dev.oriel.sim.machine.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.FaultPlan;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a link delays requests that a queue has fetched. */
class StallsTest {
  private static final String READ_AND_WRITE =
      """
      form f
      scratch box[16]
      lane main: sm(32) {
        let next = (r + 1) % n
        move box[0] <- box@next[8] bytes 8
        move box@next[8] <- box[8] bytes 8
        flush @next local
      }
      """;

  private static MachineModel model() {
    Topology topology = Topology.parse("2x1");
    Program program = Program.bind(FormParser.parse(READ_AND_WRITE), topology.world(), Map.of());
    WorldCode code =
        new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
    return new MachineModel(code, topology, Profile.L2, new StateCapacities(), -1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lose-request rank=0 queue=0 after=1 by=50",
        "flap rank=1 peer=0 after=1 by=50",
        "lose-request rank=0 queue=0 after=1 by=50; lose-request rank=0 queue=0 after=7 by=9"
      })
  void aRequestIsDelayedWhileOlderOnesArePending(String plan) {
    MachineModel model = model();
    FaultInjector faults = new FaultInjector(model, FaultPlan.parse(plan));
    MachineState s = new MachineState(model, true);
    s.allSteps = 49;
    assertThat(faults.stalls(s, 0, 0, 1)).as("it is not fetched").isFalse();
    assertThat(faults.stalls(s, 0, 0, 2)).as("an older one may be overtaken").isTrue();
    assertThat(faults.stalls(s, 0, 1, 2)).as("it is the oldest").isTrue();
    assertThat(faults.stalls(s, 0, 2, 3)).as("it has been through").isFalse();
    s.allSteps = 50;
    assertThat(faults.stalls(s, 0, 0, 2)).as("it is over").isFalse();
  }

  @Test
  void aDelayStartsAtTheDisturbedRequestAndIsNotExtended() {
    FaultInjector faults =
        new FaultInjector(model(), FaultPlan.parse("lose-request rank=0 queue=0 after=1 by=50"));
    MachineState s = new MachineState(model(), true);
    s.allSteps = 10;
    faults.fetched(s, 0, 1, 0);
    s.allSteps = 59;
    faults.fetched(s, 0, 2, 0);
    assertThat(faults.stalls(s, 0, 0, 3)).isTrue();
    s.allSteps = 60;
    assertThat(faults.stalls(s, 0, 0, 3)).isFalse();
  }
}
