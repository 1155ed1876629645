package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.CompareSwap;
import dev.oriel.ibverbs.post.WorkRequest.FetchAdd;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Read;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ibverbs.post.WorkRequest.Send;
import dev.oriel.ibverbs.post.WorkRequest.Write;
import dev.oriel.ibverbs.post.WorkRequest.WriteImmediate;
import dev.oriel.ibverbs.post.WorkRequest.WriteWord;
import dev.oriel.ports.MachineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of two connected queue pairs of one device, real or fake. */
public abstract class QueuePairContract {
  private static final Set<RegistrationAccess> ALL =
      EnumSet.of(
          RegistrationAccess.LOCAL_WRITE,
          RegistrationAccess.REMOTE_WRITE,
          RegistrationAccess.REMOTE_READ,
          RegistrationAccess.REMOTE_ATOMIC);
  private static final int DEPTH = 16;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private DeviceContext context;
  private ProtectionDomain domain;
  private HostMemory memory;
  private MemoryRegion region;
  private CompletionQueue sent;
  private CompletionQueue received;
  private QueuePair here;
  private QueuePair there;

  /** An open device. */
  protected abstract DeviceContext open();

  /** The live native objects, if that is known; else an empty map. */
  protected Object alive() {
    return Map.of();
  }

  @BeforeEach
  final void connect() {
    context = own(open());
    domain = own(context.domain());
    memory = HostMemory.allocate(1 << 16);
    region = own(domain.register(memory, MemoryPurpose.FLAGS, ALL));
    sent = own(context.completions(64));
    received = own(context.completions(64));
    here = own(domain.queuePair(new QueueSizes(DEPTH, DEPTH, 8), sent, received));
    there = own(domain.queuePair(new QueueSizes(DEPTH, DEPTH, 8), sent, received));
    join(here, there);
  }

  private void join(QueuePair one, QueuePair other) {
    one.init(1, ALL);
    other.init(1, ALL);
    PortState port = context.port(1);
    Gid gid = context.gids(1).stream().filter(g -> g.routable() && g.ipv4()).findFirst().get();
    one.connect(port, gid, 7, end(other, port, gid, 9), RetryLimits.USUAL);
    other.connect(port, gid, 9, end(one, port, gid, 7), RetryLimits.USUAL);
  }

  private static QueueEnd end(QueuePair pair, PortState port, Gid gid, int sequence) {
    return new QueueEnd(pair.number(), sequence, port.lid(), gid.high(), gid.low(), port.mtu());
  }

  /** In an order that changes from test to test, since any order must work. */
  @AfterEach
  final void closeInAnyOrder() throws Exception {
    Collections.shuffle(opened, new Random(opened.size() * 31L + memory.address()));
    for (AutoCloseable each : opened) {
      each.close();
      each.close();
    }
    memory.close();
    assertThat(alive()).isEqualTo(Map.of());
  }

  private <T extends AutoCloseable> T own(T resource) {
    opened.add(resource);
    return resource;
  }

  private Local local(long offset, long bytes) {
    return new Local(memory.address() + offset, bytes, region.localKey());
  }

  private Remote remote(long offset) {
    return new Remote(memory.address() + offset, region.remoteKey());
  }

  private WorkCompletion next(CompletionQueue queue) {
    List<WorkCompletion> got = some(queue);
    assertThat(got).hasSize(1);
    return got.getFirst();
  }

  private static List<WorkCompletion> some(CompletionQueue queue) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (true) {
      List<WorkCompletion> got = queue.poll();
      if (!got.isEmpty()) {
        return got;
      }
      assertThat(System.nanoTime()).as("a completion in time").isLessThan(end);
      LockSupport.parkNanos(10_000);
    }
  }

  private void done(WorkRequest request) {
    here.post(request);
    WorkCompletion completion = next(sent);
    assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(completion.id()).isEqualTo(request.id());
    assertThat(completion.queuePair()).isEqualTo(here.number());
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void aWriteLands() {
    writeLands();
  }

  private void writeLands() {
    memory.write(0, text("hello"));
    done(new Write(11, true, false, local(0, 5), remote(4096)));
    assertThat(memory.read(4096, 6)).isEqualTo(text("hello\0"));
  }

  @Test
  void aReadFetches() {
    memory.write(4096, text("there"));
    done(new Read(12, true, true, local(100, 5), remote(4096)));
    assertThat(memory.read(100, 5)).isEqualTo(text("there"));
  }

  @Test
  void anInlineWordIsWritten() {
    done(new WriteWord(13, true, false, 0x1122334455667788L, remote(8)));
    assertThat(memory.getAcquire(8)).isEqualTo(0x1122334455667788L);
  }

  @Test
  void anAdditionGivesTheOldWordInTheHostsByteOrder() {
    memory.setRelease(64, 40);
    done(new FetchAdd(14, true, false, 2, local(0, 8), remote(64)));
    assertThat(memory.getAcquire(64)).isEqualTo(42);
    assertThat(memory.getAcquire(0)).isEqualTo(40);
  }

  @Test
  void aSwapHappensOnlyIfTheComparandMatches() {
    memory.setRelease(64, 42);
    done(new CompareSwap(15, true, false, 41, 7, local(0, 8), remote(64)));
    assertThat(memory.getAcquire(64)).isEqualTo(42);
    done(new CompareSwap(16, true, false, 42, 7, local(8, 8), remote(64)));
    assertThat(memory.getAcquire(64)).isEqualTo(7);
    assertThat(memory.getAcquire(0)).isEqualTo(42);
    assertThat(memory.getAcquire(8)).isEqualTo(42);
  }

  @Test
  void aSendFillsTheNextReceive() {
    there.receive(77, local(8192, 16));
    memory.write(0, text("sent"));
    done(new Send(17, true, false, local(0, 4)));
    WorkCompletion completion = next(received);
    assertThat(completion.id()).isEqualTo(77);
    assertThat(completion.received()).isTrue();
    assertThat(completion.bytes()).isEqualTo(4);
    assertThat(memory.read(8192, 5)).isEqualTo(text("sent\0"));
  }

  @Test
  void anImmediateArrivesWithItsWrite() {
    there.receive(78, local(0, 0));
    memory.write(0, text("data"));
    done(new WriteImmediate(18, true, false, local(0, 4), remote(8192), 0xcafe0001));
    WorkCompletion completion = next(received);
    assertThat(completion.id()).isEqualTo(78);
    assertThat(completion.immediate()).isEqualTo(0xcafe0001);
    assertThat(memory.read(8192, 4)).isEqualTo(text("data"));
  }

  @Test
  void onlySignalledRequestsReport() {
    for (int i = 0; i < 5; i++) {
      here.post(new WriteWord(i, false, false, i, remote(8L * i)));
    }
    done(new WriteWord(5, true, false, 5, remote(40)));
    assertThat(sent.poll()).isEmpty();
    assertThat(memory.getAcquire(32)).isEqualTo(4);
  }

  @Test
  void manyRoundsWrapTheQueue() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20 * DEPTH; i++) {
      long value = random.nextLong();
      done(new WriteWord(i, true, false, value, remote(0)));
      assertThat(memory.getAcquire(0)).isEqualTo(value);
    }
  }

  /** An entry wakes once, and only a thread that had armed the queue before the entry came. */
  @Test
  void anArmedQueueWakesTheWaitingThread() {
    Duration shortly = Duration.ofMillis(50);
    Duration plenty = Duration.ofSeconds(20);
    CompletionChannel channel = own(context.channel());
    CompletionQueue notifying = own(context.completions(16, channel));
    QueuePair one = own(domain.queuePair(new QueueSizes(DEPTH, DEPTH, 8), notifying, received));
    QueuePair other = own(domain.queuePair(new QueueSizes(DEPTH, DEPTH, 8), sent, received));
    join(one, other);
    one.post(new WriteWord(1, true, false, 1, remote(0)));
    assertThat(next(notifying).id()).isEqualTo(1);
    assertThat(channel.await(shortly)).as("not armed").isFalse();
    notifying.arm();
    assertThat(channel.await(shortly)).as("nothing came").isFalse();
    one.post(new WriteWord(2, true, false, 2, remote(0)));
    assertThat(channel.await(plenty)).as("armed").isTrue();
    assertThat(next(notifying).id()).isEqualTo(2);
    one.post(new WriteWord(3, true, false, 3, remote(0)));
    assertThat(next(notifying).id()).isEqualTo(3);
    assertThat(channel.await(shortly)).as("notified once").isFalse();
  }

  /** Sends wait in the queue until the peer has posted a receive. */
  @Test
  void aFullQueueRejectsUntilThereIsRoom() {
    int most = 1024;
    int posted = 0;
    String refusal = "";
    while (refusal.isEmpty() && posted < most) {
      try {
        here.post(new Send(posted, true, false, local(0, 8)));
        posted++;
      } catch (MachineException e) {
        refusal = String.valueOf(e.getMessage());
      }
    }
    assertThat(posted).isBetween(here.sizes().sends(), most - 1);
    assertThat(refusal).contains("what=send", "id=" + posted, "the queue is full: poll");
    assertThat(sent.poll()).isEmpty();
    List<Long> ended = new ArrayList<>();
    for (int i = 0; i < posted; i++) {
      memory.setRelease(0, 31L * i);
      there.receive(1000 + i, local(4096, 8));
      assertThat(next(received).id()).isEqualTo(1000 + i);
      WorkCompletion completion = next(sent);
      assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
      ended.add(completion.id());
    }
    assertThat(ended).isEqualTo(LongStream.range(0, posted).boxed().toList());
    writeLands();
  }

  @Test
  void unmappedMemoryIsRejectedByName() {
    refused(
        () -> domain.register(8, 4096, MemoryPurpose.BULK, ALL), "ibv_reg_mr refused: address=0x8");
    refused(
        () -> domain.register(memory.address(), Long.MAX_VALUE, MemoryPurpose.BULK, ALL),
        "bytes=" + Long.MAX_VALUE);
    refused(
        () -> domain.register(8, 4096, 8, MemoryPurpose.BULK, ALL),
        "ibv_reg_mr_iova refused: address=");
    refused(
        () -> domain.registerFile(-1, 0, 4096, 4096, MemoryPurpose.BULK, ALL),
        "ibv_reg_dmabuf_mr refused");
  }

  private void fails(WorkRequest request, CompletionStatus... any) {
    here.post(request);
    WorkCompletion first = some(sent).getFirst();
    assertThat(first.status()).isIn((Object[]) any);
    assertThat(first.succeeded()).isFalse();
    assertThat(first.id()).isEqualTo(request.id());
    here.post(new WriteWord(99, true, false, 1, remote(0)));
    assertThat(some(sent).getLast().status()).isEqualTo(CompletionStatus.FLUSHED);
    assertThat(memory.getAcquire(0)).isZero();
  }

  @Test
  void aWrongRemoteKeyIsReported() {
    fails(
        new Write(
            1,
            false,
            false,
            local(64, 8),
            new Remote(memory.address(), region.remoteKey() ^ 0x7f00)),
        CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void anAddressOutsideTheRegistrationIsReported() {
    fails(
        new Write(1, true, false, local(64, 8), remote(memory.bytes() - 4)),
        CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void aWrongLocalKeyIsReported() {
    fails(
        new Write(
            1, true, false, new Local(memory.address(), 8, region.localKey() ^ 0x7f00), remote(64)),
        CompletionStatus.LOCAL_PROTECTION,
        CompletionStatus.LOCAL_QUEUE_PAIR);
  }

  @Test
  void memoryThatPeersMayNotWriteIsNotWritten() {
    try (HostMemory other = HostMemory.allocate(64);
        MemoryRegion mine =
            domain.register(
                other,
                MemoryPurpose.BULK,
                EnumSet.of(RegistrationAccess.LOCAL_WRITE, RegistrationAccess.REMOTE_READ))) {
      fails(
          new Write(1, true, false, local(64, 8), new Remote(other.address(), mine.remoteKey())),
          CompletionStatus.REMOTE_ACCESS);
      assertThat(other.getAcquire(0)).isZero();
    }
  }

  @Test
  void aFailedPairIsUsableAgainAfterReset() {
    fails(
        new Write(1, true, false, local(64, 8), new Remote(memory.address(), 1)),
        CompletionStatus.REMOTE_ACCESS);
    there.fail();
    here.reset();
    there.reset();
    join(here, there);
    writeLands();
  }

  @Test
  void aDeregisteredKeyIsInvalid() {
    region.close();
    here.post(new WriteWord(5, true, false, 1, new Remote(memory.address(), region.remoteKey())));
    assertThat(next(sent).status()).isEqualTo(CompletionStatus.REMOTE_ACCESS);
  }

  @Test
  void unsupportedValuesAreRejectedByName() {
    DeviceLimits limits = context.limits();
    refused(() -> context.port(0), "port=0");
    refused(() -> context.port(limits.ports() + 1), "port=");
    refused(() -> context.completions(0), "entries=0");
    refused(() -> context.completions(limits.completions() + 1), "entries=");
    refused(() -> pair(0, 1, 8), "what=sends");
    refused(() -> pair(limits.queueDepth() + 1, 1, 8), "what=sends");
    refused(() -> pair(1, -1, 8), "what=receives");
    refused(() -> pair(1, 1, 1 << 20), "what=inline");
    refused(() -> new RetryLimits(32, 7, 7), "what=timeout");
    refused(() -> new RetryLimits(14, 8, 7), "what=retries");
    refused(() -> new QueueEnd(1 << 24, 0, 0, 0, 0, 3), "what=pair");
    refused(() -> new QueueEnd(1, -1, 0, 0, 0, 3), "what=sequence");
    refused(() -> new QueueEnd(1, 1, 0, 0, 0, 6), "what=mtu");
    refused(() -> new QueueEnd(1, 1, 1 << 16, 0, 0, 1), "what=lid");
    refused(() -> local(0, -1), "bytes=-1");
    refused(() -> new FetchAdd(1, true, false, 1, local(0, 4), remote(0)), "bytes=4");
    refused(() -> new FetchAdd(1, true, false, 1, local(0, 8), remote(4)), "alignment=8");
    refused(() -> new CompareSwap(1, true, false, 1, 2, local(0, 8), remote(4)), "alignment=8");
    QueuePair fresh = own(pair(4, 4, 0));
    refused(() -> fresh.post(new Write(3, true, false, local(0, 8), remote(8))), "pair=");
    // Fields of 8 bits, in which the first and the last would become port 1.
    for (int port : new int[] {257, 0, limits.ports() + 1, -1, -255}) {
      refused(() -> fresh.init(port, ALL), "to=INIT, what=port, value=" + port);
    }
    refused(() -> fresh.init(1, EnumSet.allOf(RegistrationAccess.class)), "RELAXED_ORDERING");
    fresh.init(1, ALL);
    PortState port = context.port(1);
    Gid gid = context.gids(1).getFirst();
    QueueEnd end = end(there, port, gid, 9);
    PortState other = new PortState(257, true, port.mtu(), 1, 0, 1, true);
    PortState huge = new PortState(1, true, 6, 1, 0, 1, true);
    Gid far = new Gid(gid.index() + 256, gid.high(), gid.low(), true);
    refused(() -> fresh.connect(other, gid, 7, end, RetryLimits.USUAL), "what=port, value=257");
    refused(() -> fresh.connect(huge, gid, 7, end, RetryLimits.USUAL), "what=mtu, value=6");
    refused(() -> fresh.connect(port, far, 7, end, RetryLimits.USUAL), "what=gid, value=");
    refused(() -> fresh.connect(port, gid, 1 << 24, end, RetryLimits.USUAL), "what=sequence");
    refused(() -> fresh.connect(port, gid, -1, end, RetryLimits.USUAL), "what=sequence");
  }

  private QueuePair pair(int sends, int receives, int inline) {
    return domain.queuePair(new QueueSizes(sends, receives, inline), sent, received);
  }

  private static void refused(Runnable call, String fact) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(call::run)
        .withMessageContaining(fact)
        .withMessageContaining("; ");
  }

  @Test
  void onlyBulkDataIsUnordered() {
    refused(
        () ->
            domain.register(
                memory,
                MemoryPurpose.FLAGS,
                EnumSet.of(RegistrationAccess.LOCAL_WRITE, RegistrationAccess.RELAXED_ORDERING)),
        "relaxed order refused");
    own(
        domain.register(
            memory,
            MemoryPurpose.BULK,
            EnumSet.of(RegistrationAccess.LOCAL_WRITE, RegistrationAccess.RELAXED_ORDERING)));
    refused(
        () ->
            domain.register(
                memory, MemoryPurpose.BULK, EnumSet.of(RegistrationAccess.REMOTE_WRITE)),
        "LOCAL_WRITE");
    try (HostMemory none = HostMemory.allocate(0)) {
      refused(() -> domain.register(none, MemoryPurpose.BULK, ALL), "bytes=0");
    }
  }

  @Test
  void closedObjectsRejectCalls() {
    region.close();
    here.close();
    refused(() -> here.post(new WriteWord(1, true, false, 1, remote(0))), "closed");
    domain.close();
    refused(() -> domain.register(memory, MemoryPurpose.BULK, ALL), "closed");
    context.close();
    refused(() -> context.domain(), "closed");
  }
}
