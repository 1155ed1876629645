package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.ports.MachineException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class MeshMessageProperties {
  private static MeshMessage again(MeshMessage message) {
    return MeshMessage.parse(message.encoded());
  }

  @Property(tries = 200)
  void everyMessageIsDecodedUnchanged(
      @ForAll int rank, @ForAll long word, @ForAll InstanceEnd.Kind kind, @ForAll String cause) {
    ProcessSecret secret = new ProcessSecret(word, ~word);
    InstanceEnd end =
        new InstanceEnd(rank, kind, cause.codePoints().allMatch(c -> c < 0x80) ? cause : "plain");
    assertThat(again(new MeshMessage.Hello(rank, secret)))
        .isEqualTo(new MeshMessage.Hello(rank, secret));
    assertThat(again(new MeshMessage.Welcome(secret))).isEqualTo(new MeshMessage.Welcome(secret));
    assertThat(again(new MeshMessage.Memory(rank, word)))
        .isEqualTo(new MeshMessage.Memory(rank, word));
    assertThat(again(new MeshMessage.Ended(rank, end))).isEqualTo(new MeshMessage.Ended(rank, end));
    assertThat(again(new MeshMessage.Closed(rank))).isEqualTo(new MeshMessage.Closed(rank));
  }

  @Property(tries = 500)
  void anyBytesAreDecodedOrRejected(@ForAll @Size(max = 40) byte[] bytes) {
    try {
      assertThat(MeshMessage.parse(bytes)).isNotNull();
    } catch (MachineException e) {
      assertThat(e).hasMessageContaining("cannot be read");
    }
  }

  @Example
  void aLongCauseIsTruncated() {
    MeshMessage.Ended ended =
        new MeshMessage.Ended(1, new InstanceEnd(2, InstanceEnd.Kind.ABORTED, "x".repeat(10_000)));
    assertThat(ended.encoded()).hasSize(UnixSocket.MAX_BYTES);
    assertThat(again(ended))
        .isInstanceOfSatisfying(
            MeshMessage.Ended.class, e -> assertThat(e.end().cause()).startsWith("xxx"));
  }

  @Example
  void noBytesAreNoMessage() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> MeshMessage.parse(new byte[0]));
  }
}
