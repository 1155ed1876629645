package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.queue.MailboxLayout.Box;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two ranks whose messages travel when the test says so. */
final class MailboxPeerTest {
  private static final int BYTES = 2 * MailboxLayout.PAYLOAD;
  private static final long BEGIN = 0x7_0000_0000L;

  private final Side left = new Side(0);
  private final Side right = new Side(1);

  /** A rank, its mailboxes, and its writes that have not been executed. */
  private static final class Side {
    private final HostMemory memory = HostMemory.allocate(BYTES);
    private final HostMemory boxes = HostMemory.allocate(MailboxLayout.bytes(2));
    private final Deque<WorkRequest> writes = new ArrayDeque<>();
    private final SendQueue queue = new SendQueue(0, 0, 64, writes::add);
    private final int rank;

    Side(int rank) {
      this.rank = rank;
    }

    long address() {
      return BEGIN << rank;
    }

    MailboxPeer towards(Side other) {
      return towards(other, new DirectMemory(address(), memory.buffer()));
    }

    MailboxPeer towards(Side other, ReachedMemory own) {
      return new MailboxPeer(
          rank,
          other.rank,
          own,
          boxes,
          0,
          new UcxPeers.Peer(queue, 0, other.address(), other.boxes.address(), 0));
    }

    /** Executes the writes of this side in the mailboxes of the other. */
    void deliver(Side other) {
      while (!writes.isEmpty()) {
        WorkRequest work = writes.remove();
        long at = work.remote().address() - other.boxes.address();
        switch (work) {
          case WorkRequest.Write w when w.local().bytes() > 0 ->
              other.boxes.write(
                  at, boxes.read(w.local().address() - boxes.address(), (int) w.local().bytes()));
          case WorkRequest.WriteWord w -> other.boxes.setRelease(at, w.value());
          default -> {
            // A report without bytes.
          }
        }
        queue.completed(work.id());
      }
    }
  }

  private final MailboxPeer poster = left.towards(right);
  private final MailboxPeer server = right.towards(left);

  @AfterEach
  void free() {
    List.of(left, right)
        .forEach(side -> {
          side.memory.close();
          side.boxes.close();
        });
  }

  private void exchange() {
    left.deliver(right);
    boolean _ = server.progress();
    right.deliver(left);
    boolean _ = poster.progress();
  }

  private static Map<RequestField, Long> fields(long local, long remote, long length) {
    return Map.of(
        RequestField.LOCAL,
        BEGIN + local,
        RequestField.REMOTE,
        (BEGIN << 1) + remote,
        RequestField.LENGTH,
        length);
  }

  @Test
  void aRequestIsDoneOnceItsAnswerIsThere() {
    left.memory.setRelease(0, 77);
    poster.post(RequestKind.WRITE, false, fields(0, 64, 8));
    left.deliver(right);
    assertThat(right.memory.getAcquire(64)).isZero();
    assertThat(server.progress()).isTrue();
    assertThat(right.memory.getAcquire(64)).isEqualTo(77);
    assertThat(poster.progress()).isFalse();
    assertThat(poster.completed()).isZero();
    right.deliver(left);
    assertThat(poster.progress()).isTrue();
    assertThat(poster.completed()).isOne();
  }

  @Test
  void noSlotIsUsedBeforeItsMessageWasAnswered() {
    for (int i = 0; i < MailboxLayout.SLOTS; i++) {
      assertThat(poster.room()).isTrue();
      poster.post(RequestKind.WRITE_WORD, false, fields(0, 8L * i, 8));
    }
    assertThat(poster.room()).isFalse();
    left.deliver(right);
    boolean _ = server.progress();
    assertThat(poster.room()).isFalse();
    exchange();
    assertThat(poster.completed()).isEqualTo(MailboxLayout.SLOTS);
    assertThat(poster.room()).isTrue();
  }

  /** The write sends what the read brings. */
  @Test
  void aFencedRequestWaitsForEarlierResults() {
    right.memory.setRelease(0, 5);
    poster.post(RequestKind.READ, false, fields(0, 0, 8));
    poster.post(RequestKind.WRITE, true, fields(0, 128, 8));
    exchange();
    exchange();
    assertThat(right.memory.getAcquire(128)).isEqualTo(5);
    assertThat(poster.completed()).isEqualTo(2);
  }

  /** Shows that the test before this one sees a request that does not wait. */
  @Test
  void anUnfencedRequestDoesNotWait() {
    right.memory.setRelease(0, 5);
    poster.post(RequestKind.READ, false, fields(0, 0, 8));
    poster.post(RequestKind.WRITE, false, fields(0, 128, 8));
    exchange();
    assertThat(right.memory.getAcquire(128)).isZero();
    assertThat(poster.completed()).isEqualTo(2);
  }

  /** More messages than there are slots, of every length up to the longest. */
  @Test
  void everyMessageArrivesOnceAndWhole() {
    for (int i = 0; i < 5 * MailboxLayout.SLOTS; i++) {
      int length = i == 0 ? MailboxLayout.PAYLOAD : i * 37;
      byte[] bytes = new byte[length];
      for (int at = 0; at < length; at++) {
        bytes[at] = (byte) (i + at);
      }
      left.memory.write(0, bytes);
      poster.post(RequestKind.WRITE, false, fields(0, MailboxLayout.PAYLOAD, length));
      poster.post(
          RequestKind.READ, false, fields(MailboxLayout.PAYLOAD, MailboxLayout.PAYLOAD, length));
      exchange();
      exchange();
      assertThat(right.memory.read(MailboxLayout.PAYLOAD, length)).isEqualTo(bytes);
      assertThat(left.memory.read(MailboxLayout.PAYLOAD, length)).isEqualTo(bytes);
    }
    assertThat(poster.failure()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE,-8,8",
    "WRITE,131065,8",
    "READ,131072,1",
    "WRITE_WORD,4,8",
    "ADD,131068,8",
    "COMPARE_SWAP,12,8"
  })
  void aRequestOutsideThePeersMemoryIsRefusedAndNamed(RequestKind kind, long remote, long length) {
    left.memory.setRelease(0, -1);
    poster.post(kind, false, fields(0, remote, length));
    exchange();
    assertThat(poster.failed()).isTrue();
    assertThat(poster.failure().orElseThrow())
        .contains("peer refuses a request", "rank=0, peer=1", "kind=" + kind, "; ");
    assertThat(server.failure()).isEmpty();
    assertThat(right.memory.read(0, BYTES)).containsOnly(0);
  }

  @Test
  void aRequestOutsideOwnMemoryIsRefusedBeforeItIsSent() {
    for (Map<RequestField, Long> outside :
        List.of(
            fields(-1, 0, 8),
            fields(BYTES - 7, 0, 8),
            fields(0, 0, -1),
            fields(0, 0, MailboxLayout.PAYLOAD + 1L))) {
      MailboxPeer fresh = left.towards(right);
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> fresh.post(RequestKind.WRITE, false, outside))
          .withMessageContaining("no memory of the rank: rank=0");
    }
    assertThat(left.writes).isEmpty();
  }

  /** A signal for a write that was refused would announce bytes that did not come. */
  @Test
  void nothingIsExecutedAfterARefusedRequest() {
    poster.post(RequestKind.READ, false, fields(0, 0, 8));
    poster.post(RequestKind.WRITE, false, fields(0, BYTES, 8));
    poster.post(RequestKind.WRITE_WORD, false, value(0, 5));
    poster.post(RequestKind.WRITE_WORD, true, value(64, 5));
    exchange();
    assertThat(poster.failed()).isTrue();
    assertThat(poster.completed()).isOne();
    assertThat(left.writes).isEmpty();
    exchange();
    assertThat(right.memory.read(0, BYTES)).containsOnly(0);
  }

  private static Map<RequestField, Long> value(long remote, long value) {
    return Map.of(RequestField.REMOTE, (BEGIN << 1) + remote, RequestField.VALUE, value);
  }

  /** The same where the rank's own memory cannot be reached. */
  @Test
  void nothingIsExecutedAfterAFailedCopy() {
    MailboxPeer failing = right.towards(left, new Unreachable(right.address()));
    poster.post(RequestKind.WRITE, false, fields(0, 0, 8));
    poster.post(RequestKind.WRITE_WORD, false, value(64, 5));
    left.deliver(right);
    assertThatExceptionOfType(MachineException.class).isThrownBy(failing::progress);
    assertThat(failing.progress()).isFalse();
    assertThat(failing.failure().orElseThrow()).contains("rank=1, peer=0", "copy failed");
    assertThat(right.writes).isEmpty();
  }

  /** Memory of a GPU that has failed. */
  private record Unreachable(long address) implements ReachedMemory {
    @Override
    public long size() {
      return BYTES;
    }

    @Override
    public byte[] read(long offset, int length) {
      throw new MachineException("copy failed; restart the process");
    }

    @Override
    public void write(long offset, byte[] bytes) {
      throw new MachineException("copy failed; restart the process");
    }

    @Override
    public long add(long offset, long addend) {
      throw new MachineException("copy failed; restart the process");
    }

    @Override
    public long compareAndSwap(long offset, long compare, long swap) {
      throw new MachineException("copy failed; restart the process");
    }
  }

  /** What a peer may write into the mailbox: kind, length. */
  @ParameterizedTest
  @CsvSource({"0,8", "-1,8", "6,8", "7,8", "1,-1", "1,65537", "3,9223372036854775807", "4,16"})
  void aMessageOfALyingPeerChangesNothing(long kind, long length) {
    long slot = MailboxLayout.slot(0, Box.REQUESTS_IN, 1);
    right.boxes.setRelease(slot + 8, kind);
    right.boxes.setRelease(slot + 16, BEGIN << 1);
    right.boxes.setRelease(slot + 24, length);
    right.boxes.setRelease(slot + 32, -1);
    right.boxes.setRelease(slot + MailboxLayout.PAYLOAD_AT, -1);
    right.boxes.setRelease(slot, 1);
    assertThat(server.progress()).isTrue();
    assertThat(server.failure()).isEmpty();
    assertThat(right.memory.read(0, BYTES)).containsOnly(0);
  }

  /** An answer with other bytes than were asked for. */
  @Test
  void aLyingAnswerFailsTheQueue() {
    poster.post(RequestKind.READ, false, fields(0, 0, 8));
    long slot = MailboxLayout.slot(1, Box.ANSWERS_IN, 1);
    left.boxes.setRelease(slot + 24, 16);
    left.boxes.setRelease(slot + MailboxLayout.PAYLOAD_AT, -1);
    left.boxes.setRelease(slot, 1);
    boolean _ = poster.progress();
    assertThat(poster.failed()).isTrue();
    assertThat(left.memory.read(0, BYTES)).containsOnly(0);
  }
}
