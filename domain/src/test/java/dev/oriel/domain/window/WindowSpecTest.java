package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WindowSpecTest {

  @Test
  void aNamedWindowHasNothingElse() {
    assertThat(WindowSpec.named("w"))
        .isEqualTo(new WindowSpec("w", DataSizes.uniform(0), 0, 0, 0, RdmaRows.RDMA_PEERS));
  }

  @Test
  void eachPartIsSetAlone() {
    WindowSpec spec =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(9))
            .withSignals(1)
            .withCounters(2)
            .withBarriers(3)
            .withRdmaRows(RdmaRows.EVERY_PEER);
    assertThat(spec)
        .isEqualTo(new WindowSpec("w", DataSizes.uniform(9), 1, 2, 3, RdmaRows.EVERY_PEER))
        .isEqualTo(spec.withData(DataSizes.uniform(9)).withSignals(1).withCounters(2));
  }

  @Test
  void namesAreShortAndPlain() {
    assertThat(WindowSpec.named("aZ0._-").name()).isEqualTo("aZ0._-");
    assertThat(WindowSpec.named("n".repeat(64)).name()).hasSize(64);
    for (String bad : new String[] {"", "n".repeat(65), "a b", "a=b", "\u00e9"}) {
      assertThatThrownBy(() -> WindowSpec.named(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("bad window name: name=" + bad + ";");
    }
  }

  @Test
  void countsAreBounded() {
    WindowSpec spec = WindowSpec.named("w");
    int most = WindowSpec.MAX_COUNT;
    assertThat(spec.withSignals(most).withCounters(most).withBarriers(most).barriers())
        .isEqualTo(65_536);
    for (int bad : new int[] {-1, most + 1}) {
      assertThatThrownBy(() -> spec.withSignals(bad))
          .hasMessage("bad count: signals=" + bad + "; use 0 to 65536");
      assertThatThrownBy(() -> spec.withCounters(bad)).hasMessageContaining("counters=" + bad);
      assertThatThrownBy(() -> spec.withBarriers(bad)).hasMessageContaining("barriers=" + bad);
    }
  }

  @Test
  void sizesMayDifferByRank() {
    DataSizes sizes = DataSizes.perRank(5, 0, 7);
    assertThat(sizes.of(0)).isEqualTo(5);
    assertThat(sizes.of(2)).isEqualTo(7);
    assertThat(sizes.fits(3)).isTrue();
    assertThat(sizes.fits(2)).isFalse();
    assertThat(sizes).hasToString("[5, 0, 7]");
    assertThatThrownBy(() -> sizes.of(3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("rank out of range: rank=3, count=3; use 0 to 2");
    assertThatThrownBy(() -> sizes.of(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void oneSizeFitsEveryWorld() {
    assertThat(DataSizes.uniform(6).of(123)).isEqualTo(6);
    assertThat(DataSizes.uniform(6).fits(1_000)).isTrue();
    assertThat(DataSizes.uniform(6)).hasToString("6");
    assertThat(DataSizes.NONE.of(0)).isZero();
  }

  @Test
  void sizesAreComparedByValueAndCopied() {
    long[] bytes = {1, 2};
    DataSizes sizes = DataSizes.perRank(bytes);
    bytes[0] = 9;
    assertThat(sizes)
        .isEqualTo(DataSizes.perRank(1, 2))
        .hasSameHashCodeAs(DataSizes.perRank(1, 2))
        .isNotEqualTo(DataSizes.perRank(1, 3))
        .isNotEqualTo(DataSizes.uniform(1))
        .isNotEqualTo("[1, 2]");
    assertThat(DataSizes.uniform(1)).isNotEqualTo(DataSizes.uniform(2));
    assertThat(DataSizes.uniform(1).hashCode()).isNotEqualTo(DataSizes.uniform(2).hashCode());
  }

  @Test
  void sizesAreBounded() {
    assertThat(DataSizes.uniform(DataSizes.MAX_BYTES).of(0)).isEqualTo(1L << 48);
    assertThatThrownBy(() -> DataSizes.uniform(-1)).hasMessageContaining("bytes=-1;");
    assertThatThrownBy(() -> DataSizes.uniform(DataSizes.MAX_BYTES + 1))
        .hasMessageStartingWith("bad data size: bytes=281474976710657;");
    assertThatThrownBy(() -> DataSizes.perRank(0, -2)).hasMessageContaining("bytes=-2;");
    assertThatThrownBy(() -> DataSizes.perRank()).hasMessageStartingWith("no data sizes: ranks=0");
  }
}
