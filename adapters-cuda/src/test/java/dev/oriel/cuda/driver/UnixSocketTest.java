package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.cuda.driver.UnixSocket.Received;
import dev.oriel.ports.MachineException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class UnixSocketTest {
  private final String name = "oriel-test-" + UUID.randomUUID();
  private final List<String> before = OpenFiles.sockets();
  private final ResourceStack owned = new ResourceStack();
  private UnixSocket here = owned.add(UnixSocket.listen(name, 4));
  private UnixSocket there = here;

  @BeforeEach
  void connect() {
    UnixSocket door = here;
    here = owned.add(UnixSocket.connect(name));
    there = owned.add(door.accept().orElseThrow());
  }

  @AfterEach
  void nothingStaysOpen() {
    owned.close();
    assertThat(OpenFiles.sockets()).isEqualTo(before);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Received.Message message(UnixSocket socket) {
    assertThat(UnixSocket.anyReady(List.of(socket))).isTrue();
    return (Received.Message) socket.receive();
  }

  @Test
  void messagesArriveWholeAndInOrder() {
    byte[] longest = new byte[UnixSocket.MAX_BYTES];
    Arrays.fill(longest, (byte) 7);
    assertThat(here.send(bytes("one"))).isTrue();
    assertThat(here.send(longest)).isTrue();
    assertThat(message(there).bytes()).isEqualTo(bytes("one"));
    assertThat(message(there).bytes()).isEqualTo(longest);
    assertThat(there.receive()).isEqualTo(new Received.Nothing());
  }

  @Test
  void passedOpenFilesAreTheSameFiles() {
    String other = name + "-other";
    UnixSocket door = owned.add(UnixSocket.listen(other, 4));
    UnixSocket sent = owned.add(UnixSocket.connect(other));
    UnixSocket kept = owned.add(door.accept().orElseThrow());
    assertThat(here.send(bytes("take"), sent.descriptor(), door.descriptor())).isTrue();
    sent.close();
    List<OpenDescriptor> files = message(there).files();
    assertThat(files).hasSize(2);
    assertThat(UnixSocket.of(files.get(0)).send(bytes("through"))).isTrue();
    assertThat(message(kept).bytes()).isEqualTo(bytes("through"));
    files.forEach(OpenDescriptor::close);
    assertThat(kept.receive()).isEqualTo(new Received.End());
  }

  @Test
  void theEndFollowsAllEarlierMessages() {
    there.send(bytes("unread"));
    here.send(bytes("last words"));
    here.close();
    assertThat(message(there).bytes()).isEqualTo(bytes("last words"));
    assertThat(there.receive()).isEqualTo(new Received.End());
    assertThat(there.send(bytes("too late"))).isFalse();
  }

  @Test
  void aFullSocketAcceptsNoMore() {
    int sent = 0;
    while (here.send(new byte[UnixSocket.MAX_BYTES])) {
      sent++;
      assertThat(sent).isLessThan(100_000);
    }
    assertThat(sent).isPositive();
    message(there);
    assertThat(here.send(new byte[1])).isTrue();
  }

  @Test
  void aMissingListenerIsReported() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> UnixSocket.connect(name + "-nobody"))
        .withMessageContainingAll("connect", "nobody", "one host");
  }

  @Test
  void aNameIsUsableOnce() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> UnixSocket.listen(name, 1))
        .withMessageContaining("bind");
  }

  @Test
  void tooLargeMessagesAreRejected() {
    assertThatIllegalArgumentException().isThrownBy(() -> here.send(new byte[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> here.send(new byte[UnixSocket.MAX_BYTES + 1]));
  }

  @Test
  void theOtherEndBelongsToThisUser() {
    assertThat(here.ofThisUser()).isTrue();
    assertThat(there.ofThisUser()).isTrue();
  }

  @Test
  void readableSocketsAreReported() {
    assertThat(UnixSocket.anyReady(List.of())).isFalse();
    assertThat(UnixSocket.anyReady(List.of(here, there))).isFalse();
    here.send(bytes("one"));
    assertThat(UnixSocket.anyReady(List.of(here, there))).isTrue();
    assertThat(UnixSocket.anyReady(List.of(here))).isFalse();
  }
}
