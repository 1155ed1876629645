package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The fabric on the fake device. */
final class VerbsFabricTest extends VerbsFabricContract {
  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected DeviceContext device(int rank) {
    return verbs.open();
  }

  @Test
  void aFailedCloseKeepsNothingElseOpen() {
    List<Fabric> fabrics = open(2, 64);
    fabrics.get(0).offer(1);
    verbs.failNext("ibv_destroy_qp", 16);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(fabrics.get(0)::close)
        .withMessageContaining("ibv_destroy_qp");
    fabrics.get(1).close();
    assertThat(verbs.live()).isEqualTo(Map.of("queue pair", 1, "completion queue", 1, "domain", 1));
  }

  @Test
  void memoryThatCannotBeRegisteredIsNotKept() {
    List<Fabric> fabrics = open(1, 64);
    verbs.failNext("ibv_reg_mr", 12);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> fabrics.get(0).allocate(64))
        .withMessageContaining("ibv_reg_mr");
    assertThat(fabrics.get(0).allocated()).isZero();
    fabrics.get(0).close();
    assertThat(verbs.live()).isEmpty();
  }
}
