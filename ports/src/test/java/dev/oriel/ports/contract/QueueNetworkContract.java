package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.ports.contract.QueuePoster.FailedQueue;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.SharedQueueMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The requirements on every {@link QueueNetwork}, tested by posters that know only its
 * descriptions.
 */
public abstract class QueueNetworkContract {
  private static final int BYTES = 4096;
  private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(60);
  private static final int THREADS = 4;

  /** Enough for counts of 16 bits to wrap. */
  private static final int MANY = Thorough.count(500, 5_000);

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Runnable> close = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

  /** A network whose queues have {@code slots} slots. */
  protected abstract QueueNetwork network(int slots);

  /**
   * The memory at that address, for a network whose queues were allocated by an interface's
   * library.
   */
  protected ByteBuffer mapped(long address, long bytes) {
    throw new AssertionError("the network makes queues in memory of posters");
  }

  /** The number of elements that each thread posts in tests with many. */
  protected int many() {
    return MANY;
  }

  /** Two connected ranks, of which rank 0 posts. */
  private final class Pair implements InitiatorMemory {
    private final List<SharedQueueMemory> ranks =
        List.of(memory(0x7_0000_0000L, BYTES), memory(0xe_0000_0000L, BYTES));
    private final List<SharedQueueMemory> queues = new ArrayList<>();
    private final QueueNetwork network;
    private final QueueNetwork.Connection connection;
    private final QueuePoster poster;
    private final QueuePoster companion;

    Pair(int slots, long timeout) {
      network = network(slots);
      connection =
          network.connect(
              ranks.stream()
                  .<ReachedMemory>map(m -> new DirectMemory(m.address(), m.bytes()))
                  .toList(),
              (rank, peer) -> !rank.equals(peer),
              this);
      close.add(connection::close);
      poster = new QueuePoster(network.format(), connection.queue(0, 1), queues, timeout);
      companion = new QueuePoster(network.format(), connection.companion(0, 1), queues, timeout);
    }

    /** Adds 1 to the rank's own word once everything posted so far is done. */
    void count(int offset) throws TimeoutException {
      countBehind(poster.posted() - 1, offset);
    }

    void countBehind(long awaited, int offset) throws TimeoutException {
      companion.post(RequestKind.WAIT, false, Map.of(RequestField.AWAITED, awaited));
      companion.post(
          RequestKind.ADD,
          false,
          Map.of(
              RequestField.REMOTE,
              at(0, offset),
              RequestField.LOCAL,
              at(0, BYTES - 8),
              RequestField.VALUE,
              1L));
    }

    /** How many of five consecutive puts were done when the own word was incremented. */
    long doneWhenCounted(int offset) throws TimeoutException {
      for (int done = 0; done < 5; done++) {
        for (int i = 0; i < 100; i++) {
          connection.progress();
        }
        if (word(0, offset) == 1) {
          return done;
        }
        int put = done;
        poster.post(RequestKind.WRITE, true, words(8 * put));
        until(() -> poster.completed() > put);
      }
      until(() -> word(0, offset) == 1);
      return 5;
    }

    void until(BooleanSupplier condition) {
      long start = System.nanoTime();
      while (!condition.getAsBoolean()) {
        assertThat(System.nanoTime() - start).isLessThan(TIMEOUT);
        connection.progress();
      }
    }

    @Override
    public SharedQueueMemory allocate(int bytes) {
      queues.add(memory(0x1_0000_0000_0000L * (queues.size() + 1), bytes));
      return queues.getLast();
    }

    @Override
    public long reach(long address, long bytes) {
      queues.add(new SharedQueueMemory(mapped(address, bytes), address));
      return address;
    }

    @Override
    public long reachRegister(long address, long bytes) {
      return reach(address, bytes);
    }

    void serve() {
      threads.execute(() -> {
        while (!over.get()) {
          if (!connection.progress()) {
            Thread.onSpinWait();
          }
        }
      });
    }

    /** One word, from and to that offset. */
    Map<RequestField, Long> words(int offset) {
      return Map.of(
          RequestField.LOCAL,
          at(0, offset),
          RequestField.REMOTE,
          at(1, offset),
          RequestField.LENGTH,
          (long) Long.BYTES);
    }

    void await(int offset, long count) throws TimeoutException {
      VarHandle words =
          MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
      poster.until(() -> (long) words.getAcquire(ranks.get(0).bytes(), offset) >= count);
    }

    long at(int rank, int offset) {
      return ranks.get(rank).address() + offset;
    }

    long word(int rank, int offset) {
      return ranks.get(rank).bytes().order(ByteOrder.nativeOrder()).getLong(offset);
    }

    void set(int rank, int offset, long word) {
      ranks.get(rank).bytes().order(ByteOrder.nativeOrder()).putLong(offset, word);
    }
  }

  private static SharedQueueMemory memory(long address, int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return new SharedQueueMemory(buffer, address);
  }

  @AfterEach
  final void end() throws InterruptedException {
    over.set(true);
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    close.forEach(Runnable::run);
  }

  @Test
  void everyKindHasItsEffect() throws Exception {
    Pair pair = new Pair(8, TIMEOUT);
    pair.set(0, 0, 0x0102030405060708L);
    pair.set(0, 8, 9);
    pair.set(1, 256, 77);
    pair.set(1, 264, 0xfedcba9876543210L);
    pair.set(1, 272, 5);
    pair.serve();
    for (boolean fenced : new boolean[] {false, true}) {
      int base = fenced ? 1024 : 0;
      pair.set(1, 256, 77);
      pair.set(1, 272, 5);
      pair.poster.post(
          RequestKind.WRITE,
          fenced,
          Map.of(
              RequestField.LOCAL,
              pair.at(0, 0),
              RequestField.REMOTE,
              pair.at(1, base + 64),
              RequestField.LENGTH,
              16L));
      pair.poster.post(
          RequestKind.WRITE_WORD,
          fenced,
          Map.of(
              RequestField.REMOTE, pair.at(1, base + 96), RequestField.VALUE, 0x1122334455667788L));
      pair.poster.post(
          RequestKind.READ,
          fenced,
          Map.of(
              RequestField.LOCAL,
              pair.at(0, base + 128),
              RequestField.REMOTE,
              pair.at(1, 264),
              RequestField.LENGTH,
              8L));
      pair.poster.post(
          RequestKind.ADD,
          fenced,
          Map.of(
              RequestField.LOCAL,
              pair.at(0, base + 136),
              RequestField.REMOTE,
              pair.at(1, 256),
              RequestField.VALUE,
              0x100000005L));
      for (long compare : new long[] {4, 5}) {
        pair.poster.post(
            RequestKind.COMPARE_SWAP,
            fenced,
            Map.of(
                RequestField.LOCAL,
                pair.at(0, base + 144),
                RequestField.REMOTE,
                pair.at(1, 272),
                RequestField.VALUE,
                6L,
                RequestField.COMPARE,
                compare));
      }
      pair.poster.quiet();
      assertThat(pair.word(1, base + 64)).isEqualTo(0x0102030405060708L);
      assertThat(pair.word(1, base + 72)).isEqualTo(9);
      assertThat(pair.word(1, base + 96)).isEqualTo(0x1122334455667788L);
      assertThat(pair.word(0, base + 128)).isEqualTo(0xfedcba9876543210L);
      assertThat(pair.word(0, base + 136)).isEqualTo(77);
      assertThat(pair.word(1, 256)).isEqualTo(77 + 0x100000005L);
      assertThat(pair.word(0, base + 144)).isEqualTo(5);
      assertThat(pair.word(1, 272)).isEqualTo(6);
    }
    assertThat(pair.connection.failure()).isEmpty();
  }

  /** Counts of 16 bits wrap, and the ring does so thousands of times. */
  @Test
  void everyElementOfEveryThreadIsExecutedOnce() throws Exception {
    int each = many();
    Pair pair = new Pair(16, TIMEOUT);
    pair.serve();
    List<Callable<Void>> work = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int place = 8 * t;
      work.add(() -> {
        for (long i = 1; i <= each; i++) {
          pair.poster.post(
              RequestKind.ADD,
              false,
              Map.of(
                  RequestField.LOCAL,
                  pair.at(0, 512 + place),
                  RequestField.REMOTE,
                  pair.at(1, place),
                  RequestField.VALUE,
                  3L));
        }
        pair.poster.post(
            RequestKind.WRITE_WORD,
            true,
            Map.of(RequestField.REMOTE, pair.at(1, 512 + place), RequestField.VALUE, (long) each));
        pair.poster.quiet();
        return null;
      });
    }
    for (Future<Void> done : threads.invokeAll(work)) {
      done.get();
    }
    for (int t = 0; t < THREADS; t++) {
      assertThat(pair.word(1, 8 * t)).isEqualTo(3L * each);
      assertThat(pair.word(0, 512 + 8 * t)).isEqualTo(3L * (each - 1));
      assertThat(pair.word(1, 512 + 8 * t)).isEqualTo(each);
    }
    assertThat(pair.poster.posted()).isEqualTo(THREADS * (each + 1L));
    assertThat(pair.connection.failure()).isEmpty();
  }

  @Test
  void aCountArrivesOnlyAfterAllEarlierElements() throws Exception {
    Pair pair = new Pair(8, TIMEOUT);
    pair.countBehind(4, 1024);
    assertThat(pair.doneWhenCounted(1024)).isEqualTo(5);
    pair.poster.post(RequestKind.WRITE, true, pair.words(64));
    pair.count(1032);
    pair.until(() -> pair.word(0, 1032) == 1);
    assertThat(pair.poster.completed()).isEqualTo(6);
    assertThat(pair.word(0, 1024)).isEqualTo(1);
    assertThat(pair.connection.failure()).isEmpty();
  }

  /** Shows that the test before this one detects a count that comes too soon. */
  @Test
  void aCountWithTooShortAWaitArrivesTooEarly() throws Exception {
    for (int awaited = -1; awaited < 4; awaited++) {
      Pair pair = new Pair(8, TIMEOUT);
      pair.countBehind(awaited, 1024);
      assertThat(pair.doneWhenCounted(1024)).isEqualTo(awaited + 1);
    }
  }

  /** A source that is overwritten once its put is counted arrives unchanged. */
  @Test
  void threadsThatCountReuseTheirSources() throws Exception {
    int each = many() / 10;
    Pair pair = new Pair(16, TIMEOUT);
    pair.serve();
    List<Callable<Void>> work = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int place = 8 * t;
      work.add(() -> {
        for (long i = 1; i <= each; i++) {
          pair.set(0, place, i);
          pair.poster.post(RequestKind.WRITE, false, pair.words(place));
          pair.count(1024 + place);
          pair.await(1024 + place, i);
          assertThat(pair.word(1, place)).isLessThanOrEqualTo(i);
        }
        pair.poster.quiet();
        return null;
      });
    }
    for (Future<Void> done : threads.invokeAll(work)) {
      done.get();
    }
    for (int t = 0; t < THREADS; t++) {
      assertThat(pair.word(1, 8 * t)).isEqualTo(each);
      assertThat(pair.word(0, 1024 + 8 * t)).isEqualTo(each);
    }
    assertThat(pair.connection.failure()).isEmpty();
  }

  @Test
  void aCountOutsideTheOwnRankIsRefusedAndNamed() throws Exception {
    for (long outside : new long[] {-8, BYTES, 4}) {
      Pair pair = new Pair(8, TIMEOUT);
      pair.companion.post(
          RequestKind.ADD,
          false,
          Map.of(
              RequestField.REMOTE,
              pair.at(0, 0) + outside,
              RequestField.LOCAL,
              pair.at(0, 8),
              RequestField.VALUE,
              -1L));
      pair.until(() -> pair.connection.failure().isPresent());
      for (int i = 0; i < BYTES; i++) {
        assertThat(pair.ranks.get(0).bytes().get(i)).isZero();
      }
    }
  }

  @Test
  void memoryOutsideARankIsRefusedAndNamed() throws Exception {
    Pair pair = new Pair(8, TIMEOUT);
    pair.serve();
    pair.poster.post(
        RequestKind.WRITE_WORD,
        false,
        Map.of(RequestField.REMOTE, pair.at(1, BYTES - 4), RequestField.VALUE, -1L));
    assertThatExceptionOfType(FailedQueue.class).isThrownBy(() -> pair.poster.quiet());
    assertThat(pair.connection.failure()).isPresent();
    assertThat(pair.word(1, BYTES - 8)).isZero();
  }

  @Test
  void garbageIsRefusedAndNamed() {
    Pair pair = new Pair(8, TIMEOUT);
    byte[] garbage = new byte[pair.network.format().elementBytes()];
    Arrays.fill(garbage, (byte) 0xa7);
    pair.poster.garbage(garbage);
    pair.serve();
    assertThatExceptionOfType(FailedQueue.class).isThrownBy(() -> pair.poster.quiet());
    assertThat(pair.connection.failure()).isPresent();
    ByteBuffer peer = pair.ranks.get(1).bytes();
    for (int i = 0; i < BYTES; i++) {
      assertThat(peer.get(i)).isZero();
    }
  }

  /** A poster that waits for an idle network must report that itself. */
  @Test
  void nothingIsDoneWithoutProgress() throws Exception {
    Pair pair = new Pair(2, TimeUnit.MILLISECONDS.toNanos(50));
    Map<RequestField, Long> word =
        Map.of(RequestField.REMOTE, pair.at(1, 0), RequestField.VALUE, 1L);
    pair.poster.post(RequestKind.WRITE_WORD, false, word);
    pair.poster.post(RequestKind.WRITE_WORD, false, word);
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> pair.poster.post(RequestKind.WRITE_WORD, false, word));
    assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> pair.poster.quiet());
    assertThat(pair.word(1, 0)).isZero();
    assertThat(pair.connection.failure()).isEmpty();
  }
}
