package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceAllocationTest {
  private static final DeviceAllocation OF_APP = new DeviceAllocation(1, 4096, 1000, 7, true);

  @ParameterizedTest
  @CsvSource({"4096, 1000", "4096, 1", "5095, 1", "4500, 596"})
  void containsRangesWithinIt(long address, long bytes) {
    UserMemory memory = new UserMemory(address, bytes);
    assertThat(OF_APP.holding(memory, 1).lendable(memory)).isSameAs(OF_APP);
  }

  @ParameterizedTest
  @CsvSource({"4095, 1", "4096, 1001", "5095, 2", "5096, 1", "4500, 9223372036854771307"})
  void rejectsRangesBeyondIt(long address, long bytes) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> OF_APP.holding(new UserMemory(address, bytes), 1))
        .withMessageContainingAll("address=" + address, "bytes=" + bytes, "allocation=4096");
  }

  @Test
  void rejectsMemoryOfAnotherGpu() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> OF_APP.holding(new UserMemory(4096, 8), 0))
        .withMessageContainingAll("its gpu=1", "gpu=0");
  }

  @Test
  void rejectsLendingMemoryThatPeersCannotMap() {
    DeviceAllocation pooled = new DeviceAllocation(0, 4096, 1000, 7, false);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> pooled.lendable(new UserMemory(4096, 8)))
        .withMessageContainingAll("cuMemAlloc", "pool");
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "-1, 8", "4096, 0", "4096, -8", "9223372036854775807, 1"})
  void rejectsInvalidAddresses(long address, long bytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> new UserMemory(address, bytes));
  }
}
