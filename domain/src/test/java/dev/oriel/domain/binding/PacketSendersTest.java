package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.PacketSenders.Sent;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PacketSendersTest {
  /** Each rank sends packets to all others, at its own place in the part that the epoch selects. */
  private static Program turns(int parts) {
    String text =
        """
        form turns
        input in[16]
        scratch ll[%d]
        lane main: sm(32) {
          move ll@peers[epoch %% %d * 96 + r * 32] pkt8(nz32(epoch)) <- in[0] bytes 16
        }
        """
            .formatted(96 * parts, parts);
    return Program.bind(FormParser.parse(text), 3, Map.of());
  }

  @Test
  void eachPlaceHasOneSenderThoughHalvesTakeTurns() {
    assertThat(PacketSenders.of(turns(2)))
        .filteredOn(sent -> sent.owner() == 0)
        .containsExactly(
            new Sent("ll", 0, 32, 63, 1),
            new Sent("ll", 0, 128, 159, 1),
            new Sent("ll", 0, 64, 95, 2),
            new Sent("ll", 0, 160, 191, 2));
  }

  @Test
  void placesThatDoNotRecurInTimeNameNobody() {
    assertThat(PacketSenders.of(turns(4))).hasSize(3 * 2 * 4);
    assertThat(PacketSenders.of(turns(5))).isEqualTo(List.of());
    assertThat(PacketSenders.of(turns(8))).isEqualTo(List.of());
  }
}
