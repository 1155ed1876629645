package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WindowRegionTest {

  private static WindowRegion w(long offset, long length) {
    return new WindowRegion("w", offset, length);
  }

  @Test
  void aRegionEndsAfterItsLastByte() {
    assertThat(w(3, 4).end()).isEqualTo(7);
    assertThat(w(Long.MAX_VALUE, 0).end()).isEqualTo(Long.MAX_VALUE);
    assertThat(w(1, Long.MAX_VALUE - 1).end()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void negativeAndOverflowingRegionsAreRefused() {
    assertThatThrownBy(() -> w(-1, 4))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(
            "negative region: window=w, offset=-1, length=4; offsets and lengths count from 0");
    assertThatThrownBy(() -> w(4, -1)).hasMessageStartingWith("negative region");
    assertThatThrownBy(() -> w(2, Long.MAX_VALUE - 1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageStartingWith(
            "region overflows: window=w, offset=2, length=9223372036854775806;");
    assertThatThrownBy(() -> w(Long.MAX_VALUE, 1)).hasMessageStartingWith("region overflows");
  }

  @Test
  void regionsOverlapWhenTheyShareAByte() {
    assertThat(w(0, 4).overlaps(w(3, 1))).isTrue();
    assertThat(w(3, 1).overlaps(w(0, 4))).isTrue();
    assertThat(w(0, 4).overlaps(w(4, 1))).isFalse();
    assertThat(w(4, 1).overlaps(w(0, 4))).isFalse();
    assertThat(w(0, 4).overlaps(w(2, 0))).isFalse();
    assertThat(w(2, 0).overlaps(w(2, 0))).isFalse();
    assertThat(w(0, 4).overlaps(new WindowRegion("v", 0, 4))).isFalse();
  }

  @Test
  void containingMeansEveryByte() {
    assertThat(w(2, 4).contains(w(2, 4))).isTrue();
    assertThat(w(2, 4).contains(w(3, 2))).isTrue();
    assertThat(w(2, 4).contains(w(1, 2))).isFalse();
    assertThat(w(2, 4).contains(w(5, 2))).isFalse();
    assertThat(w(2, 4).contains(new WindowRegion("v", 3, 2))).isFalse();
  }

  @Test
  void aSliceStaysInside() {
    assertThat(w(10, 5).slice(0, 5)).isEqualTo(w(10, 5));
    assertThat(w(10, 5).slice(2, 3)).isEqualTo(w(12, 3));
    assertThat(w(10, 5).slice(5, 0)).isEqualTo(w(15, 0));
    for (long[] bad : new long[][] {{-1, 2}, {0, -1}, {6, 0}, {3, 3}, {1, Long.MAX_VALUE}}) {
      assertThatThrownBy(() -> w(10, 5).slice(bad[0], bad[1]))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "slice out of region: window=w, offset="
                  + bad[0]
                  + ", length="
                  + bad[1]
                  + ", region=5; stay within the region's length");
    }
  }
}
