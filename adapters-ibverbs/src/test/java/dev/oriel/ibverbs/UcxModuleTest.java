package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class UcxModuleTest {
  @Test
  void theModuleProvidesAnExecutorOrAReason() {
    try (Executor executor = UcxModule.executor(FabricListener.NONE, System::nanoTime)) {
      assertThat(executor.name()).isEqualTo("ucx");
    } catch (MachineException e) {
      assertThat(e.environment()).isTrue();
      assertThat(e).hasMessageContaining("; ");
    }
  }

  @Test
  void joiningOverUcxGivesAMemberOrAReason() {
    try (Bootstrap alone = InProcessBootstrap.group(1, Duration.ofSeconds(20)).getFirst();
        ExecutorService threads = Executors.newCachedThreadPool();
        Communicator world = UcxModule.communicators(threads, System::nanoTime).join(alone)) {
      assertThat(world.world()).isEqualTo(1);
    } catch (MachineException e) {
      assertThat(e.environment()).isTrue();
      assertThat(e).hasMessageContaining("; ");
    }
  }
}
