package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.contract.ShippedPrograms;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

@SuppressWarnings("StringSplitter")
class ReplayTokenTest {
  private static final ExecutionCase RUN =
      ReplayFixtures.ring(
          1, 3, FaultPlan.of(new Fault.Crash(1, 17), new Fault.Straggle(2, 50)), 0, 0, 2);

  /** With the right checksum for any text. */
  private static String checked(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.ISO_8859_1));
    return body + "+" + Base32.fixed(crc.getValue(), 7);
  }

  private static String changed(String from, String to) {
    String text = RUN.token("pct-3", 255).toString();
    assertThat(text).contains(from);
    return checked(text.substring(0, text.indexOf('+')).replace(from, to));
  }

  /** A change of this text breaks every token ever printed: raise the version instead. */
  @Test
  void formatOfTokensIsFixed() {
    assertThat(RUN.token("pct-3", 255))
        .hasToString(
            "oriel2:l3:"
                + RUN.program().digest().substring(0, 16)
                + ":1x3:B=4096:3:never:crash_rank=1_after=17,straggle_rank=2_by=50:pct-3:ff:22+"
                + RUN.token("pct-3", 255).toString().split("\\+")[1]);
    ReplayToken small =
        new ReplayToken(
            "l2",
            "0123456789abcdef",
            new WorldShape(1, 2),
            Map.of(),
            1,
            TimeoutPolicy.ANY,
            FaultPlan.NONE,
            "fifo",
            0,
            ChoiceScript.DEFAULT);
    assertThat(small).hasToString("oriel2:l2:0123456789abcdef:1x2:-:1:any:none:fifo:0:-+1xe47ft");
  }

  @Test
  void leadsBackToTheExecution() {
    ReplayToken token = ReplayToken.parse(RUN.token("random", 7).toString());
    assertThat(token.of(ReplayFixtures.RING)).isEqualTo(RUN);
  }

  @Test
  void rejectsAnotherProgramAndNamesBothDigests() {
    ReplayToken token = RUN.token("random", 7);
    var other = ShippedPrograms.edited("ring_send_recv", "let D = 4", "let D = 5");
    ExecutionCase edited = RUN.withForm(other);
    assertThatThrownBy(() -> token.program(other))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("token=" + RUN.program().digest().substring(0, 16))
        .hasMessageContaining("given=" + edited.program().digest().substring(0, 16));
  }

  @Test
  void distinguishesAlteredTruncatedAndOtherVersions() {
    String text = RUN.token("random", 7).toString();
    assertThatThrownBy(() -> ReplayToken.parse(text.replace(":1x3:", ":1x4:")))
        .hasMessageStartingWith("altered token: checksum=");
    assertThatThrownBy(() -> ReplayToken.parse(text.substring(0, text.length() - 1)))
        .hasMessageStartingWith("truncated token: ");
    assertThatThrownBy(() -> ReplayToken.parse(text + " "))
        .hasMessageStartingWith("altered token: ");
    assertThatThrownBy(() -> ReplayToken.parse(changed("oriel2:", "oriel3:")))
        .hasMessage("token of another version: found='3', known=2; use the release that wrote it");
    assertThatThrownBy(() -> ReplayToken.parse("hello")).hasMessageStartingWith("not a token: ");
  }

  @Test
  void namesTheInvalidField() {
    assertThatThrownBy(() -> ReplayToken.parse(changed(":1x3:", ":0x3:")))
        .hasMessageContaining("empty world");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":1x3:", ":01x3:")))
        .hasMessageContaining("not as it would be written");
    assertThatThrownBy(() -> ReplayToken.parse(changed("B=4096", "B")))
        .hasMessageContaining("name=value");
    assertThatThrownBy(() -> ReplayToken.parse(changed("B=4096", "B=1,B=2")))
        .hasMessageContaining("parameter given twice");
    assertThatThrownBy(() -> ReplayToken.parse(changed("B=4096", "B=-1")))
        .hasMessageContaining("negative parameter");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":3:never", ":0:never")))
        .hasMessageContaining("launches out of range");
    assertThatThrownBy(() -> ReplayToken.parse(changed("never", "sometimes")))
        .hasMessageContaining("use never, quiescence or any");
    assertThatThrownBy(() -> ReplayToken.parse(changed("crash_rank=1", "crash_rank=3")))
        .hasMessageContaining("fault of a rank that does not exist");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":ff:", ":0xff:")))
        .hasMessageContaining("not a seed");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":ff:22", ":ff:2")))
        .hasMessageContaining("number without an end");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":ff:", ":ff:1:")))
        .hasMessageContaining("fields=12, expected=11");
  }

  @Test
  void limitsTheSizeOfFields() {
    assertThatThrownBy(() -> ReplayToken.parse("oriel1" + "a".repeat(TokenText.MAX_TEXT)))
        .hasMessageContaining("token too long");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":1x3:", ":" + "1".repeat(4000) + "x3:")))
        .hasMessageContaining("bad world")
        .hasMessageContaining("4002 characters")
        .hasMessageMatching("(?s).{0,300}");
    assertThatThrownBy(() -> ReplayToken.parse(changed(":22", ":zzzzzz72")))
        .hasMessageContaining("script too long");
  }
}
