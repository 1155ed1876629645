package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Messages between ranks are decoded to their original pieces, or refused. */
class MessagePiecesProperties {
  @Property
  void piecesAreDecodedUnchanged(@ForAll @Size(max = 5) List<byte @Size(max = 20) []> pieces) {
    List<byte[]> read = MessagePieces.parse(0, MessagePieces.bytes(pieces), pieces.size());
    assertThat(read).usingElementComparator(Arrays::compare).isEqualTo(pieces);
  }

  @Property
  void truncatedMessagesAreRejected(
      @ForAll @Size(min = 1, max = 5) List<byte @Size(min = 1, max = 20) []> pieces,
      @ForAll @IntRange(min = 1, max = 200) int cut) {
    byte[] bytes = MessagePieces.bytes(pieces);
    byte[] less = Arrays.copyOf(bytes, Math.max(0, bytes.length - cut));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> MessagePieces.parse(3, less, pieces.size()))
        .withMessageContaining("rank=3");
  }

  @Property
  void garbageIsDecodedOrRejected(@ForAll @Size(max = 60) byte[] garbage) {
    try {
      assertThat(MessagePieces.bytes(MessagePieces.parse(1, garbage, 2))).isEqualTo(garbage);
    } catch (MachineException e) {
      assertThat(e).hasMessageContaining("length=" + garbage.length);
    }
  }
}
