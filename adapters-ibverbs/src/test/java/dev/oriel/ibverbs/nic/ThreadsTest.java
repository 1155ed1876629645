package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.SendElement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Real threads post to an interface that runs on a thread of its own. */
class ThreadsTest {
  private static final int SUBMITTERS = 4;
  private static final int EACH = 25_000;

  /** The least number of elements of each thread; threads that wait for each other are slow. */
  private static final int LEAST = 50;

  /** Elements after which the index wraps. */
  private static final int WRAP = 1 << 16;

  /** A time limit for slow machines. */
  private static final Duration ENOUGH = Duration.ofSeconds(5);

  /** A thread that still waits after this time waits for ever. */
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final List<String> complaints = new ArrayList<>();
  private final SoftNic nic =
      new SoftNic(ElementOrdering.RELIABLE, NicLimits.DEFAULT, complaints::add);

  /**
   * The index is about to wrap when the threads start at 32 slots; after up to 200,000 elements it
   * has wrapped four times.
   */
  @Test
  void everyElementOfEveryThreadIsExecutedOnce() throws Exception {
    End a = new End(nic, 0x1000, End.STRICT);
    End b = new End(nic, 0x2000, End.STRICT);
    ByteBuffer place = ByteBuffer.allocateDirect(CompletionElement.BYTES);
    SoftCompletionQueue collapsed = a.domain.collapsedQueue(place);
    QueueMemory memory = QueueMemory.allocate(32, 1);
    SoftQueuePair pair = a.domain.queuePair(memory, collapsed, collapsed);
    pair.connect(b.pair);
    Submitter queue = new Submitter(memory, pair.number(), place);
    int alone = WRAP - SUBMITTERS * LEAST;
    run(
        1,
        _ -> {
          for (long i = 0; i < alone; i++) {
            queue.post(h -> new SendElement.Write(h, b.at(128), End.inline(7)));
          }
          queue.quiet();
        });
    long[] posted = new long[SUBMITTERS];
    long enough = System.nanoTime() + ENOUGH.toNanos();
    run(
        SUBMITTERS,
        thread -> {
          long i = 0;
          while (i < LEAST || (i < EACH && System.nanoTime() - enough < 0)) {
            long value = ++i;
            int at = 8 * thread;
            queue.post(h -> new SendElement.FetchAdd(h, b.at(at), 1, a.gather(at, 8)));
            queue.post(h -> new SendElement.Write(h, b.at(64 + at), End.inline(value)));
          }
          queue.quiet();
          posted[thread] = i;
        });
    for (int thread = 0; thread < SUBMITTERS; thread++) {
      assertThat(b.word(8 * thread)).isEqualTo(posted[thread]);
      assertThat(b.word(64 + 8 * thread)).isEqualTo(posted[thread]);
      assertThat(a.word(8 * thread)).isEqualTo(posted[thread] - 1);
    }
    assertThat(collapsed.count())
        .isEqualTo(alone + 2 * LongStream.of(posted).sum())
        .isGreaterThan(WRAP);
    assertThat(complaints).isEmpty();
  }

  private interface Work {
    void run(int thread);
  }

  private void run(int submitters, Work work) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch left = new CountDownLatch(submitters);
    ExecutorService threads = Executors.newFixedThreadPool(submitters + 1);
    try {
      Future<?> serving = threads.submit(() -> serve(over));
      List<Future<?>> submitting = new ArrayList<>();
      for (int t = 0; t < submitters; t++) {
        int thread = t;
        submitting.add(
            threads.submit(() -> {
              try {
                work.run(thread);
              } finally {
                left.countDown();
              }
            }));
      }
      boolean ended = left.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      over.set(true);
      assertThat(ended).as("submitters ended within %s", DEADLINE).isTrue();
      for (Future<?> future : submitting) {
        future.get();
      }
      serving.get();
    } finally {
      threads.shutdownNow();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private void serve(AtomicBoolean over) {
    while (!over.get()) {
      if (!nic.turn()) {
        // There may be fewer cores than threads.
        Thread.yield();
      }
    }
    while (nic.turn()) {}
  }
}
