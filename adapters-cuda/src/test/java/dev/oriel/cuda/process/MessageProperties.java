package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.ports.MachineException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class MessageProperties {
  private static Message again(Message message) {
    return Message.parse(message.encoded());
  }

  @Property(tries = 200)
  void everyMessageIsDecodedUnchanged(
      @ForAll int rank, @ForAll long word, @ForAll End.Kind kind, @ForAll String cause) {
    Secret secret = new Secret(word, ~word);
    End end = new End(rank, kind, cause.codePoints().allMatch(c -> c < 0x80) ? cause : "plain");
    assertThat(again(new Message.Hello(rank, secret))).isEqualTo(new Message.Hello(rank, secret));
    assertThat(again(new Message.Welcome(secret))).isEqualTo(new Message.Welcome(secret));
    assertThat(again(new Message.Memory(rank, word))).isEqualTo(new Message.Memory(rank, word));
    assertThat(again(new Message.Ended(rank, end))).isEqualTo(new Message.Ended(rank, end));
    assertThat(again(new Message.Closed(rank))).isEqualTo(new Message.Closed(rank));
  }

  @Property(tries = 500)
  void anyBytesAreDecodedOrRejected(@ForAll @Size(max = 40) byte[] bytes) {
    try {
      assertThat(Message.parse(bytes)).isNotNull();
    } catch (MachineException e) {
      assertThat(e).hasMessageContaining("cannot be read");
    }
  }

  @Example
  void aLongCauseIsTruncated() {
    Message.Ended told = new Message.Ended(1, new End(2, End.Kind.ABORTED, "x".repeat(10_000)));
    assertThat(told.encoded()).hasSize(UnixSocket.MAX_BYTES);
    assertThat(again(told))
        .isInstanceOfSatisfying(
            Message.Ended.class, e -> assertThat(e.end().cause()).startsWith("xxx"));
  }

  @Example
  void noBytesAreNoMessage() {
    assertThatExceptionOfType(MachineException.class).isThrownBy(() -> Message.parse(new byte[0]));
  }
}
