package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.PacketSenders.Sent;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PacketSendersTest {
  private static Program bound(String lane, int world) {
    String text =
        """
        form sends
        input in[16]
        input route[8]
        scratch ll[4096]
        lane main: sm(32) {
          %s
        }
        """
            .formatted(lane);
    return Program.bind(FormParser.parse(text), world, Map.of());
  }

  private static List<Integer> senders(Program program, int owner, long at) {
    return PacketSenders.of(program).stream()
        .filter(sent -> sent.owner() == owner && sent.low() <= at && at <= sent.high())
        .map(Sent::sender)
        .distinct()
        .toList();
  }

  @Test
  void aPlaceOfItsOwnNamesOneRank() {
    Program program = bound("move ll@peers[r * 32] pkt8(nz32(epoch)) <- in[0] bytes 16", 3);
    assertThat(PacketSenders.of(program))
        .filteredOn(sent -> sent.owner() == 0)
        .containsExactly(new Sent("ll", 0, 32, 63, 1), new Sent("ll", 0, 64, 95, 2));
  }

  /** In whatever launch: where spans meet, each of the ranks may be the one. */
  @Test
  void theSenderIsAlwaysAmongThoseNamed() {
    for (int turns : List.of(2, 5, 8)) {
      String lane =
          "move ll@peers[epoch %% %d * 96 + r * 32] pkt8(nz32(epoch)) <- in[0] bytes 16"
              .formatted(turns);
      for (long launch = 0; launch < turns; launch++) {
        assertThat(senders(bound(lane, 3), 0, launch * 96 + 32)).contains(1);
        assertThat(senders(bound(lane, 3), 0, launch * 96 + 64)).contains(2);
      }
    }
    String rows =
        "for t < 100 { move ll@all[(t * 2 + r) %% 64 * 32] pkt8(nz32(epoch)) <- in[0] bytes 16 }"
            .formatted();
    assertThat(senders(bound(rows, 2), 0, 64)).containsExactly(0, 1);
  }

  @Test
  void aRankThatIsLoadedMayBeAny() {
    String lane =
        """
        if r == 1 { move ll@(0)[0] pkt8(nz32(epoch)) <- in[0] bytes 16 }
        if r == 2 {
          load d <- route[0] <= 2 else 1
          move ll@(d)[0] pkt8(nz32(epoch)) <- in[0] bytes 16
        }
        """;
    assertThat(senders(bound(lane, 3), 0, 0)).containsExactly(1, 2);
  }
}
