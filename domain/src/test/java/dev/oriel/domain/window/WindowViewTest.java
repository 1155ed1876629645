package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class WindowViewTest {

  private static final WindowView VIEW =
      new WindowView("w", List.of(new RemoteRange(0, 0, 100, 5), new RemoteRange(1, 4_096, 40, 5)));

  private static WindowRegion w(long offset, long length) {
    return new WindowRegion("w", offset, length);
  }

  @Test
  void aRegionIsRelativeToTheOwnersBase() {
    assertThat(VIEW.resolve(0, w(40, 60), 5, 8)).isEqualTo(40);
    assertThat(VIEW.resolve(1, w(8, 32), 5, 8)).isEqualTo(4_104);
    assertThat(VIEW.resolve(1, w(40, 0), 5, 1)).isEqualTo(4_136);
    assertThat(VIEW.generation()).isEqualTo(5);
    assertThat(VIEW.range(1).base()).isEqualTo(4_096);
  }

  @Test
  void theOwnersSizeApplies() {
    assertThatThrownBy(() -> VIEW.resolve(1, w(8, 33), 5, 1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(
            "region outside the owner's bytes: window=w, owner=1, offset=8, length=33, size=40;"
                + " stay below the owner's size");
    assertThatThrownBy(() -> VIEW.resolve(1, w(1, Long.MAX_VALUE - 1), 5, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anOldGenerationIsRefused() {
    for (long other : new long[] {4, 6}) {
      assertThatThrownBy(() -> VIEW.resolve(0, w(0, 8), other, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "stale generation: window=w, owner=0, offset=0, length=8, held="
                  + other
                  + ", current=5;");
    }
  }

  @Test
  void alignmentIsOfTheAddressWithItsBase() {
    RemoteRange odd = new RemoteRange(0, 12, 100, 1);
    assertThat(odd.resolve(w(4, 8), 1, 16)).isEqualTo(16);
    assertThatThrownBy(() -> odd.resolve(w(16, 8), 1, 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "misaligned region: window=w, owner=0, offset=16, length=8, base=12, alignment=16;"
                + " start at a multiple of the alignment");
    for (int bad : new int[] {0, -8, 12, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> odd.resolve(w(4, 8), 1, bad))
          .hasMessageContaining("alignment=" + bad + "; use a power of two");
    }
  }

  @Test
  void anotherWindowsRegionIsRefused() {
    assertThatThrownBy(() -> VIEW.resolve(0, new WindowRegion("v", 0, 8), 5, 8))
        .hasMessage(
            "region of another window: window=w, region=v; address the window that was exchanged");
  }

  @Test
  void aRankOutOfRangeIsRefused() {
    for (int bad : new int[] {-1, 2}) {
      assertThatThrownBy(() -> VIEW.resolve(bad, w(0, 8), 5, 8))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("rank=" + bad + ", count=2");
    }
  }

  @Test
  void ranksMustAgreeOnTheExchange() {
    RemoteRange zero = new RemoteRange(0, 0, 8, 5);
    assertThatThrownBy(() -> new WindowView("w", List.of(zero, new RemoteRange(1, 0, 8, 6))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "ranks disagree on a window: window=w, rank=1, owner=1, generation=6, expected=5;");
    assertThatThrownBy(() -> new WindowView("w", List.of(zero, zero)))
        .hasMessageContaining("rank=1, owner=0");
    assertThatThrownBy(() -> new WindowView("w", List.of()))
        .hasMessageStartingWith("empty view: window=w, ranks=0;");
  }

  @Test
  void aRangeIsBounded() {
    assertThat(new RemoteRange(0, 1, Long.MAX_VALUE - 1, 0).size()).isEqualTo(Long.MAX_VALUE - 1);
    assertThatThrownBy(() -> new RemoteRange(0, 2, Long.MAX_VALUE - 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bad range: owner=0, base=2, size=9223372036854775806;");
    assertThatThrownBy(() -> new RemoteRange(-1, 0, 0, 0)).hasMessageContaining("owner=-1");
    assertThatThrownBy(() -> new RemoteRange(0, -1, 0, 0)).hasMessageContaining("base=-1");
    assertThatThrownBy(() -> new RemoteRange(0, 0, -1, 0)).hasMessageContaining("size=-1");
  }

  @Test
  void aPartIsPublishedWithItsOwnBase() {
    assertThat(VIEW.range(1).part(w(8, 16))).isEqualTo(new RemoteRange(1, 4_104, 16, 5));
    assertThatThrownBy(() -> VIEW.range(1).part(w(32, 9)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
