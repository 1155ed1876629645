package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.Test;

class IbverbsModuleTest {

  @Test
  void whoPicksRdmaGetsADeviceOrTheReasonWhyNot() {
    try (Executor executor = IbverbsModule.executor(FabricListener.NONE, System::nanoTime)) {
      assertThat(executor.name()).isEqualTo("ibverbs");
    } catch (MachineException e) {
      assertThat(e.environment()).isTrue();
      assertThat(e).hasMessageContaining("; ");
    }
  }
}
