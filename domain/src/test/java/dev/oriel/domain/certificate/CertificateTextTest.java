package dev.oriel.domain.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.topology.WorldShape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateTextTest {
  private static final Certificate CERTIFICATE =
      new Certificate(
          "oriel 0.1.0",
          "handshake",
          "0123",
          "L2,interfaces=2",
          List.of(
              new ProvedCase(WorldShape.parse("1x2"), Map.of(), "ab", "cd", 17),
              new ProvedCase(
                  WorldShape.parse("0,2/1"), Map.of("B", 8L, "world", 1L << 40), "ef", "01", 3)));

  private static final String TEXT = CertificateText.print(CERTIFICATE);

  @Test
  void aCertificateIsReadAsItWasWritten() {
    assertThat(CertificateText.parse(TEXT)).isEqualTo(CERTIFICATE);
  }

  @Test
  void lineEndsOfAnotherSystemChangeNothing() {
    assertThat(CertificateText.parse(TEXT.replace("\n", "\r\n"))).isEqualTo(CERTIFICATE);
  }

  @Test
  void everyCutIsFound() {
    // Without its last line end the text still has every line.
    for (int length = 0; length < TEXT.length() - 1; length++) {
      String cut = TEXT.substring(0, length);
      assertThatIllegalArgumentException()
          .as("%d characters", length)
          .isThrownBy(() -> CertificateText.parse(cut));
    }
  }

  @Test
  void everyAlteredCharacterIsFound() {
    for (int at = 0; at < TEXT.length() - 1; at++) {
      char other = TEXT.charAt(at) == '7' ? '8' : '7';
      String altered = TEXT.substring(0, at) + other + TEXT.substring(at + 1);
      assertThatIllegalArgumentException()
          .as("character %d", at)
          .isThrownBy(() -> CertificateText.parse(altered));
    }
  }

  @Test
  void aCutIsNamedAsOne() {
    String cut = TEXT.lines().limit(6).reduce("", (a, b) -> a + b + "\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateText.parse(cut))
        .withMessageStartingWith("certificate cut: last line=case 1x2 ab cd 17;");
  }

  @Test
  void anotherVersionIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            CertificateText.parse(
                TEXT.replace(
                    "oriel-certificate " + CertificateText.VERSION, "oriel-certificate 99")))
        .withMessageStartingWith("certificate of another version: version=99");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "form handshake\n", "oriel-certificate"})
  void otherTextsAreNoCertificates(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateText.parse(text))
        .withMessageStartingWith("no certificate: ");
  }

  @Test
  void aLongTextIsRefusedUnread() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CertificateText.parse("x".repeat(CertificateText.MAX_TEXT + 1)))
        .withMessageStartingWith("certificate too long: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "case 1x2 ab cd",
        "case 1x2 ab cd many",
        "case 1x2 ab cd 1 B",
        "case 1x2 ab cd 1 =3",
        "case 1x2 ab cd 1 B=x",
        "case 1x2 ab cd 1 B=1 B=2",
        "case 1y2 ab cd 1",
        "case 1x2 ab cd 99999999999999999999",
        "world 1x2",
        ""
      })
  void aWrongLineIsRefusedAlthoughTheChecksumIsRight(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> CertificateText.parse(sealed(line)));
  }

  /** The text with that line in place of its cases, and the checksum that the reader computes. */
  private static String sealed(String line) {
    String head = TEXT.lines().limit(5).reduce("", (a, b) -> a + b + "\n") + line + "\n";
    String wrong = head + "sha256 0\n";
    try {
      return CertificateText.print(CertificateText.parse(wrong));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      int at = message.indexOf("computed=") + "computed=".length();
      return head + "sha256 " + message.substring(at, message.indexOf(';', at)) + "\n";
    }
  }
}
