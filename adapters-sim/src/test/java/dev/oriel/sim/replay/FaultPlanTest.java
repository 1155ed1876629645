package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  @Test
  void parsesHandwrittenPlans() {
    assertThat(
            FaultPlan.parse(
                "straggle  by=50 rank=2;crash rank=1 after=17; queue-error rank=0 peer=1 after=4;"
                    + " lose-completion rank=0 queue=3 after=2; abort rank=1 after=9;"
                    + " delay rank=0 queue=1 after=2 by=30; refuse-registration after=2 rank=1"))
        .hasToString(
            "abort rank=1 after=9; crash rank=1 after=17; delay rank=0 queue=1 after=2 by=30;"
                + " lose-completion rank=0 queue=3 after=2; queue-error rank=0 peer=1 after=4;"
                + " refuse-registration rank=1 after=2; straggle rank=2 by=50");
    assertThat(FaultPlan.parse("none")).isEqualTo(FaultPlan.NONE);
  }

  @Test
  void namesTheErrorOfAPlan() {
    refuses("", "missing fault: fault=1");
    refuses("crash rank=1 after=2;", "missing fault: fault=2");
    refuses("crush rank=1", "unknown fault: fault=1, text='crush rank=1'; known: abort, crash");
    refuses("crash rank=1", "missing number: key=after");
    refuses("crash rank=1 rank=1 after=2", "number given twice: key=rank");
    refuses("crash rank=1 before=2", "unknown number 'before=2'");
    refuses("crash rank=-1 after=2", "not a number '-1'");
    refuses("crash rank=1 after=1000000001", "at most 1000000000");
    refuses("queue-error rank=1 peer=1 after=0", "name two ranks");
    refuses("x".repeat(9_000), "fault plan too long");
    assertThatThrownBy(() -> FaultPlan.parse("crash rank=4 after=0").requireWorld(4))
        .hasMessageContaining("fault='crash rank=4 after=0', world=4");
    List<Fault> many = IntStream.range(0, 65).<Fault>mapToObj(i -> new Fault.Crash(i, 0)).toList();
    assertThatThrownBy(() -> new FaultPlan(many)).hasMessageContaining("count=65, max=64");
  }

  @Test
  void onlySomeFaultsMayEndALaunch() {
    assertThat(FaultPlan.NONE.legal()).containsExactly(Fault.Effect.UNAFFECTED);
    assertThat(FaultPlan.of(new Fault.Straggle(0, 3)).legal())
        .containsExactly(Fault.Effect.UNAFFECTED);
    assertThat(FaultPlan.of(new Fault.Straggle(0, 3), new Fault.Crash(1, 0)).legal())
        .containsExactly(Fault.Effect.UNAFFECTED, Fault.Effect.ABORTED);
  }

  @Test
  void aRankWithARejectedRegistrationMayEnd() {
    assertThat(FaultPlan.parse("refuse-registration rank=0 after=0").legal())
        .containsExactly(Fault.Effect.UNAFFECTED, Fault.Effect.ABORTED);
  }

  private static void refuses(String text, String message) {
    assertThatThrownBy(() -> FaultPlan.parse(text))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining(message);
  }
}
