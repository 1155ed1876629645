package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EpochTest {

  @Test
  void roundsContinueAcrossTheWrap() {
    assertThat(Epoch.ZERO.next()).isEqualTo(new Epoch(1));
    assertThat(new Epoch(-1).next()).isEqualTo(Epoch.ZERO);
    assertThat(new Epoch(-2).plus(5)).isEqualTo(new Epoch(3));
    assertThat(new Epoch(-1).reachedBy(0)).isTrue();
    assertThat(new Epoch(0).reachedBy(-1)).isFalse();
  }

  @Test
  void flagsAreTheLowHalfOfTheRoundAndNeverZero() {
    assertThat(Epoch.ZERO.nz32()).isEqualTo(0x8000_0000);
    assertThat(new Epoch(1).nz32()).isEqualTo(1);
    assertThat(new Epoch(1L << 32).nz32()).isEqualTo(0x8000_0000);
    assertThat(new Epoch((1L << 32) + 2).nz32()).isEqualTo(2);
    assertThat(new Epoch(-1).nz32()).isEqualTo(-1);
    assertThat(Epoch.nz32(-1)).isEqualTo(0xFFFF_FFFFL);
  }
}
