package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.post.RequestEffect;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credits, numbers and failures of a queue, on the fake device. */
final class SendQueueTest {
  private static final int DEPTH = 8;

  private final FakeVerbs verbs = new FakeVerbs();
  private final List<WorkRequest> posted = new ArrayList<>();
  private DeviceContext context;
  private RankEndpoint one;
  private RankEndpoint two;
  private HostMemory memory;
  private ExportedMemory region;
  private SendQueue queue;

  @BeforeEach
  void connect() {
    context = verbs.open();
    VerbsSettings settings = new VerbsSettings("", 1, -1, DEPTH, 1, VerbsSettings.USUAL.retry());
    one = new RankEndpoint(context, 0, 2, settings);
    two = new RankEndpoint(context, 1, 2, settings);
    one.connect(1, two.offer(0));
    two.connect(0, one.offer(1));
    memory = HostMemory.allocate(4096);
    region = two.export(memory);
    queue = one.queue(1, 0);
  }

  @AfterEach
  void nothingIsLeft() {
    region.close();
    one.close();
    two.close();
    context.close();
    memory.close();
    assertThat(verbs.live()).isEmpty();
  }

  private long word(long offset, long value, int key) {
    return queue.post(
        RequestEffect.WRITES,
        (id, signalled, fenced) ->
            keep(
                new WorkRequest.WriteWord(
                    id, signalled, fenced, value, new Remote(memory.address() + offset, key))));
  }

  private long read() {
    Local into = new Local(memory.address(), 8, region.localKey(0));
    Remote from = new Remote(memory.address(), region.remoteKeys().getFirst());
    return queue.post(
        RequestEffect.READS,
        (id, signalled, fenced) -> keep(new WorkRequest.Read(id, signalled, fenced, into, from)));
  }

  private WorkRequest keep(WorkRequest request) {
    posted.add(request);
    return request;
  }

  private long word() {
    return word(0, 1, region.remoteKeys().getFirst());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, DEPTH, DEPTH + 1, Integer.MAX_VALUE})
  void aReservationThatNeverFitsIsRejectedByName(int requests) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> queue.room(requests))
        .withMessageContainingAll("peer=1", "requests=" + requests, "max=" + (DEPTH - 1));
  }

  @Test
  void creditsRunOutAndReturn() {
    for (int i = 1; i < DEPTH; i++) {
      assertThat(queue.room(1)).as("request %d", i).isTrue();
      word();
    }
    assertThat(queue.room(1)).isFalse();
    assertThat(one.progress()).isTrue();
    assertThat(queue.room(DEPTH - 1)).isTrue();
  }

  @Test
  void aPostWithoutRoomIsRejected() {
    for (int i = 1; i <= DEPTH; i++) {
      word();
    }
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(this::word)
        .withMessageContainingAll("no credit", "depth=" + DEPTH);
  }

  @Test
  void oneReportCoversManyRequests() {
    for (int i = 0; i < 1000; i++) {
      while (!queue.room(1)) {
        one.progress();
      }
      word();
    }
    assertThat(posted.stream().filter(WorkRequest::signalled).count()).isBetween(100L, 300L);
  }

  @Test
  void aReportOfTheRestIsRequested() {
    long last = word();
    one.progress();
    assertThat(queue.ended(last)).isFalse();
    long reported = queue.report();
    assertThat(reported).isGreaterThan(last);
    one.progress();
    assertThat(queue.ended(reported)).isTrue();
    assertThat(queue.idle()).isTrue();
    assertThat(queue.report()).as("asked twice").isEqualTo(reported);
  }

  @Test
  void requestsAfterAReadWaitForItsAnswer() {
    read();
    word();
    word();
    read();
    read();
    assertThat(posted)
        .extracting(WorkRequest::fenced)
        .containsExactly(false, true, false, false, false);
  }

  @Test
  void aReportRequestDoesNotWaitForAnswers() {
    read();
    queue.report();
    word();
    word();
    assertThat(posted).extracting(WorkRequest::fenced).containsExactly(false, true, false);
  }

  @Test
  void theFirstFailureIsReported() {
    word();
    word(8, 5, region.remoteKeys().getFirst() + 1);
    word();
    word();
    while (one.progress()) {}
    assertThat(queue.failure())
        .hasValueSatisfying(text ->
            assertThat(text).contains("peer=1", "request=2", "REMOTE_ACCESS", "; exchange"));
    assertThat(queue.idle()).isTrue();
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> queue.room(1))
        .withMessageContaining("REMOTE_ACCESS");
    assertThat(memory.getAcquire(8)).isZero();
  }

  @Test
  void aPeerThatDoesNotAnswerFailsTheQueue() {
    verbs.cut();
    word();
    while (one.progress()) {}
    assertThat(queue.failure())
        .hasValueSatisfying(text -> assertThat(text).contains("RETRIES", "link is up"));
  }

  @Test
  void onlyTheExpectedPeerIsConnected() {
    refused(() -> one.queue(7, 0), "peer=7");
    refused(() -> one.connect(1, two.offer(1)), "to=1");
    refused(() -> one.offer(2), "peer=2");
    refused(() -> one.connect(1, new WireMessage.Offer(1, 0, List.of()).bytes()), "ends=0");
    verbs.cut();
    refused(() -> new RankEndpoint(context, 0, 2, VerbsSettings.USUAL), "port carries no traffic");
  }

  @Test
  void settingsOutOfRangeAreRejected() {
    var retry = VerbsSettings.USUAL.retry();
    refused(() -> new VerbsSettings("", 1, -1, 3, 1, retry), "what=depth");
    refused(() -> new VerbsSettings("", 1, -1, 1 << 16, 1, retry), "what=depth");
    refused(() -> new VerbsSettings("", 1, -1, 8, 0, retry), "what=queues");
    refused(() -> new VerbsSettings("", 1, -1, 8, 65, retry), "what=queues");
    refused(() -> new VerbsSettings("", 0, -1, 8, 1, retry), "what=port");
    refused(() -> new VerbsSettings("", 1, 256, 8, 1, retry), "what=gid");
    refused(
        () -> new RankEndpoint(context, 0, 2, new VerbsSettings("", 1, 2, 8, 1, retry)), "gid=2");
  }

  private static void refused(Runnable call, String fact) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(call::run)
        .withMessageContaining(fact)
        .withMessageContaining("; ");
  }
}
