package dev.oriel.domain.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockTableTest {
  private static final long KIB = 1024;

  /** Each line: a limit in KiB, the setting up to it, and the one a byte above it. */
  @ParameterizedTest
  @CsvSource({
    "1,   1,  4, 64,  1,  8, 64",
    "2,   1,  8, 64,  1,  8, 64",
    "4,   1,  8, 64,  1, 16, 64",
    "8,   1, 16, 64,  1, 16, 64",
    "16,  1, 16, 64,  1, 16, 64",
    "32,  1, 16, 64,  1, 32, 64",
    "64,  1, 32, 64,  8, 16, 64",
    "128, 8, 16, 64,  8, 16, 64",
    "256, 8, 16, 64, 16, 16, 64"
  })
  void nvlinkStepsAtItsLimits(
      long limit, int blocks, int warps, long chunk, int after, int warpsAfter, long chunkAfter) {
    steps(
        BlockTable.NVLINK,
        limit * KIB,
        new PeerResources(blocks, warps, chunk * KIB),
        new PeerResources(after, warpsAfter, chunkAfter * KIB));
  }

  @ParameterizedTest
  @CsvSource({
    "1,    1,  4, 256, 1, 16, 128",
    "4,    1, 16, 128, 1,  8, 256",
    "16,   1,  8, 256, 1,  4,  64",
    "64,   1,  4,  64, 1,  8, 512",
    "256,  1,  8, 512, 1,  4, 512",
    "512,  1,  4, 512, 1, 16, 256",
    "1024, 1, 16, 256, 4, 16, 512",
    "4096, 4, 16, 512, 8, 16, 512"
  })
  void infinibandStepsAtItsLimits(
      long limit, int blocks, int warps, long chunk, int after, int warpsAfter, long chunkAfter) {
    steps(
        BlockTable.INFINIBAND,
        limit * KIB,
        new PeerResources(blocks, warps, chunk * KIB),
        new PeerResources(after, warpsAfter, chunkAfter * KIB));
  }

  private static void steps(BlockTable table, long limit, PeerResources upTo, PeerResources above) {
    assertThat(table.at(limit - 1)).isEqualTo(upTo);
    assertThat(table.at(limit)).isEqualTo(upTo);
    assertThat(table.at(limit + 1)).isEqualTo(above);
  }

  @Test
  void everySizeHasARow() {
    assertThat(BlockTable.NVLINK.at(0)).isEqualTo(new PeerResources(1, 4, 64 * KIB));
    assertThat(BlockTable.INFINIBAND.at(0)).isEqualTo(new PeerResources(1, 4, 256 * KIB));
    assertThat(BlockTable.NVLINK.at(Long.MAX_VALUE)).isEqualTo(new PeerResources(16, 16, 64 * KIB));
    assertThat(BlockTable.INFINIBAND.at(Long.MAX_VALUE))
        .isEqualTo(new PeerResources(8, 16, 512 * KIB));
  }

  @Test
  void nothingElseIsATableOrASize() {
    PeerResources any = new PeerResources(1, 1, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> BlockTable.NVLINK.at(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new BlockTable(List.of(new BlockTable.Row(8, any), new BlockTable.Row(8, any)), any));
    assertThatIllegalArgumentException().isThrownBy(() -> new PeerResources(0, 1, 1));
  }
}
