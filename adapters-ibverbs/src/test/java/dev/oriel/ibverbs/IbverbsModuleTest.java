package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IbverbsModuleTest {

  @Test
  void theModuleProvidesADeviceOrAReason() {
    try (Executor executor = IbverbsModule.executor(FabricListener.NONE, System::nanoTime)) {
      assertThat(executor.name()).isEqualTo("ibverbs");
    } catch (MachineException e) {
      assertThat(e.environment()).isTrue();
      assertThat(e).hasMessageContaining("; ");
    }
  }

  @Test
  void joiningOverRdmaGivesAMemberOrAReason() {
    try (Bootstrap alone = InProcessBootstrap.group(1, Duration.ofSeconds(20)).getFirst();
        Communicator world = IbverbsModule.communicators(System::nanoTime).join(alone)) {
      assertThat(world.world()).isEqualTo(1);
    } catch (MachineException e) {
      assertThat(e.environment()).isTrue();
      assertThat(e).hasMessageContaining("; ");
    }
  }
}
