package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.MachineException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The driver's description of memory; runs if there are GPUs. */
final class LegacyIpcTest {
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
        DeviceAllocation found = gpu.lending().find(base + 4097);
        assertThat(found).isEqualTo(gpu.lending().find(base));
        assertThat(found.base()).isEqualTo(base);
        assertThat(found.bytes()).isGreaterThanOrEqualTo(BYTES);
        assertThat(found.gpu()).isEqualTo(gpu.ordinal());
        assertThat(found.lendable()).isTrue();
        assertThat(gpu.lending().lend(found)).hasSize(LegacyIpc.HANDLE_BYTES);
      } finally {
        gpu.free(base);
      }
    }
  }

  @Test
  void anAllocationAtAFreedAddressIsADifferentOne() {
    Gpu gpu = gpus.getFirst();
    long first = gpu.allocate(BYTES);
    long id = gpu.lending().find(first).id();
    gpu.free(first);
    long second = gpu.allocate(BYTES);
    assertThat(gpu.lending().find(second).id()).isNotEqualTo(id);
    gpu.free(second);
  }

  @Test
  void memoryThatWasMappedByHandCannotBeLent() {
    Gpu gpu = gpus.getFirst();
    try (SharedMemory mapped = gpu.share(BYTES)) {
      UserMemory memory = new UserMemory(mapped.address() + 16, 64);
      DeviceAllocation found = gpu.lending().find(memory.address());
      assertThat(found.holding(memory, gpu.ordinal())).isSameAs(found);
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> found.lendable(memory))
          .withMessageContaining("cuMemAlloc");
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> gpu.lending().lend(found))
          .withMessageContaining("lends nothing");
    }
  }

  @Test
  void invalidAddressesAreRejected() {
    AllocationSharing lending = gpus.getFirst().lending();
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> lending.find(4096))
        .withMessageContaining("address=4096");
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> lending.open(new byte[LegacyIpc.HANDLE_BYTES]))
        .withMessageContaining("cuIpcOpenMemHandle");
  }
}
