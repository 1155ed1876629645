package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.SharedQueueMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** With queue pairs of the fake device. */
final class ProxyVerbsNetworkTest extends QueueNetworkContract {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  @Override
  protected QueueNetwork network(int slots) {
    return new ProxyNetwork(
        new VerbsCarrier(() -> List.of(VERBS.open()), VerbsSettings.USUAL), slots);
  }

  private static QueueNetwork.Connection connect(FakeVerbs verbs, List<SharedQueueMemory> queues) {
    ProxyNetwork network =
        new ProxyNetwork(new VerbsCarrier(() -> List.of(verbs.open()), VerbsSettings.USUAL), 8);
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    return network.connect(
        List.of(new DirectMemory(4096, bytes), new DirectMemory(8192, bytes)),
        (rank, peer) -> !rank.equals(peer),
        length -> {
          queues.add(
              new SharedQueueMemory(
                  ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder()),
                  (queues.size() + 1L) << 40));
          return queues.getLast();
        });
  }

  /** The times at which requests are posted, reports requested, and completions polled. */
  @ParameterizedTest
  @CsvSource({"post_send,0,ENOMEM", "post_send,1,ENOMEM", "poll_cq,0,completion queue failed"})
  void aDeviceErrorFailsTheQueueAndNotTheProxy(String call, int fine, String reason) {
    FakeVerbs verbs = new FakeVerbs();
    List<SharedQueueMemory> queues = new ArrayList<>();
    try (QueueNetwork.Connection connection = connect(verbs, queues)) {
      HostInitiator poster =
          new HostInitiator(ProxyQueues.format(1 << 20), connection.queue(0, 1), queues.getFirst());
      poster.post(
          RequestKind.WRITE_WORD,
          false,
          Map.of(RequestField.REMOTE, 8192L, RequestField.VALUE, 1L));
      verbs.failAfter(call, fine, 12);
      for (int i = 0; i < 8; i++) {
        connection.progress();
      }
      assertThat(poster.completed()).isZero();
      assertThat(poster.failed()).isTrue();
      assertThat(connection.failure().orElseThrow()).contains("rank=0, peer=1", reason, "; ");
    }
    assertThat(verbs.live()).isEmpty();
  }

  @Test
  void missingAtomicsFailOnlyQueuesThatNeedThem() {
    FakeVerbs verbs = new FakeVerbs();
    verbs.withoutAtomics();
    List<SharedQueueMemory> queues = new ArrayList<>();
    try (QueueNetwork.Connection connection = connect(verbs, queues)) {
      HostInitiator poster =
          new HostInitiator(ProxyQueues.format(1 << 20), connection.queue(0, 1), queues.getFirst());
      poster.post(
          RequestKind.WRITE_WORD,
          false,
          Map.of(RequestField.REMOTE, 8192L, RequestField.VALUE, 1L));
      for (int i = 0; i < 8; i++) {
        connection.progress();
      }
      assertThat(poster.completed()).isEqualTo(1);
      poster.post(
          RequestKind.ADD,
          false,
          Map.of(RequestField.REMOTE, 8192L, RequestField.LOCAL, 4096L, RequestField.VALUE, 1L));
      connection.progress();
      assertThat(poster.completed()).isEqualTo(1);
      assertThat(poster.failed()).isTrue();
      assertThat(connection.failure().orElseThrow())
          .contains("rank=0, peer=1", "device changes no words in one step", "kind=ADD");
    }
    assertThat(verbs.atomics()).isZero();
    assertThat(verbs.live()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = RequestKind.class, mode = EnumSource.Mode.EXCLUDE, names = "WAIT")
  void requestedFencesArePosted(RequestKind kind) {
    List<Boolean> fenced = new ArrayList<>();
    ConnectedRanks.RemoteMemoryKey reach = new ConnectedRanks.RemoteMemoryKey(0, 7);
    VerbsInitiator poster =
        new VerbsInitiator(
            new ConnectedRanks.PostingPath(
                new SendQueue(1, 0, 8, work -> fenced.add(work.fenced())), reach, reach, true));
    poster.post(kind, false, Map.of(RequestField.LENGTH, 8L));
    poster.post(kind, true, Map.of(RequestField.LENGTH, 8L));
    assertThat(fenced).containsExactly(false, true);
  }

  @Test
  void aFailedCloseKeepsNothingElseOpen() {
    FakeVerbs verbs = new FakeVerbs();
    QueueNetwork.Connection connection = connect(verbs, new ArrayList<>());
    verbs.failNext("ibv_destroy_qp", 16);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(connection::close)
        .withMessageContaining("ibv_destroy_qp");
    assertThat(verbs.live()).isEqualTo(Map.of("queue pair", 1, "completion queue", 1, "domain", 1));
  }
}
