package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.Sampled;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;

class ReplayTokenProperties {

  @Provide
  Arbitrary<ReplayToken> tokens() {
    return ReplayFixtures.tokens();
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void readsBackWhatItPrints(@ForAll("tokens") ReplayToken token) {
    String text = token.toString();
    assertThat(ReplayToken.parse(text)).isEqualTo(token);
    assertThat(ReplayToken.parse(text)).hasToString(text);
  }

  @Property(tries = 300)
  @Sampled(every = 10)
  void isOneWordForAShell(@ForAll("tokens") ReplayToken token) {
    assertThat(token.toString()).matches("[A-Za-z0-9._:,=+-]+");
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void oneAlteredCharacterIsNoticed(
      @ForAll("tokens") ReplayToken token, @ForAll int place, @ForAll char other) {
    StringBuilder text = new StringBuilder(token.toString());
    int at = Math.floorMod(place, text.length());
    if (text.charAt(at) != other) {
      text.setCharAt(at, other);
      assertThatThrownBy(() -> ReplayToken.parse(text.toString()))
          .isInstanceOf(ReplayException.class);
    }
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void oneAlteredPrintableCharacterIsDetected(
      @ForAll("tokens") ReplayToken token,
      @ForAll int place,
      @ForAll @CharRange(from = '!', to = '~') char other) {
    oneAlteredCharacterIsNoticed(token, place, other);
  }

  @Property(tries = 50)
  void everyTruncationIsDetected(@ForAll("tokens") ReplayToken token) {
    String text = token.toString();
    for (int end = 0; end < text.length(); end++) {
      String cut = text.substring(0, end);
      assertThatThrownBy(() -> ReplayToken.parse(cut))
          .isInstanceOf(ReplayException.class)
          .hasMessageContaining(end < 5 ? "not a token" : "truncated token");
    }
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void anyTextIsRejectedWithAReason(@ForAll String text) {
    assertThatThrownBy(() -> ReplayToken.parse(text)).isInstanceOf(ReplayException.class);
  }
}
