package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class PinnedHostMemoryTest {

  /** Memory of the process that GPUs can map or not. */
  private static final class Driver implements PinnedHostMemory.Driver {
    private final Arena arena = Arena.ofAuto();
    private final boolean found;
    private int held;

    Driver(boolean found) {
      this.found = found;
    }

    @Override
    public long allocate(long bytes) {
      held++;
      return arena.allocate(bytes).address();
    }

    @Override
    public long device(long host) {
      if (!found) {
        throw new MachineException("the driver refuses: host=" + host);
      }
      return host;
    }

    @Override
    public void free(long host) {
      held--;
    }
  }

  @Test
  void memoryThatGpusCannotMapIsFreed() {
    Driver driver = new Driver(false);
    assertThatThrownBy(() -> new PinnedHostMemory(driver, 8))
        .hasMessageContaining("the driver refuses");
    assertThat(driver.held).isZero();
  }

  @Test
  void closingFreesOnce() {
    Driver driver = new Driver(true);
    PinnedHostMemory memory = new PinnedHostMemory(driver, 8);
    assertThat(memory.bytes().getLong(0)).isZero();
    memory.close();
    memory.close();
    assertThat(driver.held).isZero();
  }
}
