package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.Element;
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
import org.junit.jupiter.api.Test;

/** Real threads post to an interface that runs on a thread of its own. */
class ThreadsTest {
  private static final int SUBMITTERS = 4;
  private static final int EACH = 25_000;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final List<String> complaints = new ArrayList<>();
  private final SoftNic nic = new SoftNic(Ordering.RELIABLE, Limits.DEFAULT, complaints::add);

  /** 200,000 elements through 32 slots: the index wraps three times, the ring 6,250 times. */
  @Test
  void everyElementOfEveryThreadIsExecutedOnce() throws Exception {
    End a = new End(nic, 0x1000, End.STRICT);
    End b = new End(nic, 0x2000, End.STRICT);
    ByteBuffer place = ByteBuffer.allocateDirect(Completion.BYTES);
    CompletionQueue collapsed = a.domain.collapsedQueue(place);
    QueueMemory memory = QueueMemory.allocate(32, 1);
    QueuePair pair = a.domain.queuePair(memory, collapsed, collapsed);
    pair.connect(b.pair);
    Submitter queue = new Submitter(memory, pair.number(), place);
    run(thread -> {
      for (long i = 0; i < EACH; i++) {
        long value = i + 1;
        int at = 8 * thread;
        queue.post(h -> new Element.FetchAdd(h, b.at(at), 1, a.gather(at, 8)));
        queue.post(h -> new Element.Write(h, b.at(64 + at), End.inline(value)));
      }
      queue.quiet();
    });
    for (int thread = 0; thread < SUBMITTERS; thread++) {
      assertThat(b.word(8 * thread)).isEqualTo(EACH);
      assertThat(b.word(64 + 8 * thread)).isEqualTo(EACH);
      assertThat(a.word(8 * thread)).isEqualTo(EACH - 1);
    }
    assertThat(collapsed.count()).isEqualTo(2L * SUBMITTERS * EACH);
    assertThat(complaints).isEmpty();
  }

  private interface Work {
    void run(int thread);
  }

  private void run(Work work) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch left = new CountDownLatch(SUBMITTERS);
    ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS + 1);
    try {
      Future<?> serving = threads.submit(() -> serve(over));
      List<Future<?>> submitting = new ArrayList<>();
      for (int t = 0; t < SUBMITTERS; t++) {
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
