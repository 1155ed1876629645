package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.Sampled;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;

class TokenProperties {

  @Provide
  Arbitrary<Token> tokens() {
    return Cases.tokens();
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void readsBackWhatItPrints(@ForAll("tokens") Token token) {
    String text = token.toString();
    assertThat(Token.parse(text)).isEqualTo(token);
    assertThat(Token.parse(text)).hasToString(text);
  }

  @Property(tries = 300)
  @Sampled(every = 10)
  void isOneWordForAShell(@ForAll("tokens") Token token) {
    assertThat(token.toString()).matches("[A-Za-z0-9._:,=+-]+");
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void oneAlteredCharacterIsNoticed(
      @ForAll("tokens") Token token, @ForAll int place, @ForAll char other) {
    StringBuilder text = new StringBuilder(token.toString());
    int at = Math.floorMod(place, text.length());
    if (text.charAt(at) != other) {
      text.setCharAt(at, other);
      assertThatThrownBy(() -> Token.parse(text.toString())).isInstanceOf(ReplayException.class);
    }
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void oneAlteredPrintableCharacterIsDetected(
      @ForAll("tokens") Token token,
      @ForAll int place,
      @ForAll @CharRange(from = '!', to = '~') char other) {
    oneAlteredCharacterIsNoticed(token, place, other);
  }

  @Property(tries = 50)
  void everyTruncationIsDetected(@ForAll("tokens") Token token) {
    String text = token.toString();
    for (int end = 0; end < text.length(); end++) {
      String cut = text.substring(0, end);
      assertThatThrownBy(() -> Token.parse(cut))
          .isInstanceOf(ReplayException.class)
          .hasMessageContaining(end < 5 ? "not a token" : "truncated token");
    }
  }

  @Property(tries = 1000)
  @Sampled(every = 10)
  void anyTextIsRejectedWithAReason(@ForAll String text) {
    assertThatThrownBy(() -> Token.parse(text)).isInstanceOf(ReplayException.class);
  }
}
