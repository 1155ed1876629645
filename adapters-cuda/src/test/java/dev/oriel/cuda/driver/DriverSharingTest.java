package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The driver's description of memory; runs if there are GPUs. */
final class DriverSharingTest {
  private static final int BYTES = 1 << 20;

  private static List<Gpu> gpus = List.of();

  @BeforeAll
  static void openGpus() {
    try {
      gpus = CudaDriver.open();
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @AfterAll
  static void closeGpus() {
    gpus.forEach(Gpu::close);
  }

  @Test
  void findsTheAllocationOfAnAddressInIt() {
    for (Gpu gpu : gpus) {
      long base = gpu.allocate(BYTES);
      try {
        DeviceAllocation found = gpu.sharing().find(new UserMemory(base + 4097, 1));
        assertThat(found).isEqualTo(gpu.sharing().find(new UserMemory(base, 1)));
        assertThat(found.base()).isEqualTo(base);
        assertThat(found.bytes()).isGreaterThanOrEqualTo(BYTES);
        assertThat(found.gpu()).isEqualTo(gpu.ordinal());
        assertThat(found.kind()).isEqualTo(MemoryKind.ALLOCATED);
        assertThat(gpu.sharing().export(found).handle()).hasSize(LegacyIpc.HANDLE_BYTES);
      } finally {
        gpu.free(base);
      }
    }
  }

  @Test
  void anAllocationAtAFreedAddressIsADifferentOne() {
    Gpu gpu = gpus.getFirst();
    long first = gpu.allocate(BYTES);
    long id = gpu.sharing().find(new UserMemory(first, 1)).id();
    gpu.free(first);
    long second = gpu.allocate(BYTES);
    assertThat(gpu.sharing().find(new UserMemory(second, 1)).id()).isNotEqualTo(id);
    gpu.free(second);
  }

  /**
   * Each kind is distinguished; kinds that can be shared are mapped a second time, with all bytes.
   */
  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void kindsAreDistinguished(MemoryKind kind) {
    for (Gpu gpu : gpus) {
      try (ResourceStack owned = new ResourceStack()) {
        UserMemory memory = ApplicationGpu.allocate(gpu, kind, BYTES, owned);
        AllocationSharing sharing = gpu.sharing();
        DeviceAllocation found = sharing.find(memory);
        assertThat(found.kind()).isEqualTo(kind);
        if (kind != MemoryKind.HOST && kind != MemoryKind.MANAGED) {
          assertThat(found.holding(memory, gpu.ordinal())).isSameAs(found);
        }
        if (kind.obstacle().isPresent()) {
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> sharing.export(found))
              .withMessageContaining(kind.obstacle().orElseThrow());
        } else {
          sharing.export(found).close();
        }
      }
    }
  }

  @Test
  void invalidAddressesAreRejected() {
    AllocationSharing sharing = gpus.getFirst().sharing();
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> sharing.find(new UserMemory(4096, 8)))
        .withMessageContainingAll("no memory at that address", "address=4096");
    ExportedAllocation garbage =
        new ExportedAllocation(MemoryKind.ALLOCATED, new byte[LegacyIpc.HANDLE_BYTES], List.of());
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> sharing.open(garbage))
        .withMessageContaining("cuIpcOpenMemHandle");
  }
}
