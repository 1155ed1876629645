package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceAllocationTest {
  private static final DeviceAllocation OF_APP =
      new DeviceAllocation(1, 4096, 1000, 7, MemoryKind.ALLOCATED);

  @ParameterizedTest
  @CsvSource({"4096, 1000", "4096, 1", "5095, 1", "4500, 596"})
  void containsRangesWithinIt(long address, long bytes) {
    UserMemory memory = new UserMemory(address, bytes);
    assertThat(OF_APP.holding(memory, 1).exportable(memory)).isSameAs(OF_APP);
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

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void rejectsLendingMemoryThatPeersCannotMap(MemoryKind kind) {
    DeviceAllocation found = new DeviceAllocation(0, 4096, 1000, 7, kind);
    UserMemory memory = new UserMemory(4096, 8);
    if (kind.obstacle().isEmpty()) {
      assertThat(found.exportable(memory)).isSameAs(found);
    } else {
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> found.exportable(memory))
          .withMessageContainingAll("kind=" + kind, kind.obstacle().orElseThrow(), "address=4096");
    }
  }

  @Test
  void piecesAreOneAllocation() {
    DeviceAllocation pieces =
        new DeviceAllocation(
            0,
            List.of(new AddressRange(4096, 100), new AddressRange(4196, 50)),
            7,
            MemoryKind.MAPPED);
    assertThat(pieces.holding(new UserMemory(4100, 146), 0).bytes()).isEqualTo(150);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> pieces.holding(new UserMemory(4100, 147), 0))
        .withMessageContainingAll("address=4100", "its bytes=150");
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "-1, 8", "4096, 0", "4096, -8", "9223372036854775807, 1"})
  void rejectsInvalidAddresses(long address, long bytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> new UserMemory(address, bytes));
  }
}
