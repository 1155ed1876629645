package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requirements on every {@link Clock}. */
public abstract class ClockContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Advances on its own, as fast as real time. */
    REAL_TIME
  }

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected ClockContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** The clock under test, the same one in every call. */
  protected abstract Clock clock();

  @Test
  void timeNeverDecreases() {
    long last = clock().nanos();
    for (int i = 0; i < 100_000; i++) {
      long now = clock().nanos();
      assertThat(now - last).isNotNegative();
      last = now;
    }
  }

  @Test
  void threadsSeeOneTime() {
    Clock clock = clock();
    AtomicReference<Long> latest = new AtomicReference<>(clock.nanos());
    List<Long> steps =
        all(
            IntStream.range(0, 4).boxed().toList(),
            thread -> {
              long least = 0;
              for (int i = 0; i < 20_000; i++) {
                long before = latest.get();
                long now = clock.nanos();
                least = Math.min(least, now - before);
                latest.accumulateAndGet(now, (a, b) -> b - a > 0 ? b : a);
              }
              return least;
            });
    assertThat(steps).containsOnly(0L);
  }

  @Test
  void realTimePassesIndependently() {
    assumeTrue(!lacking.contains(Capability.REAL_TIME), "the implementation lacks REAL_TIME");
    long start = clock().nanos();
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (clock().nanos() - start < Duration.ofMillis(20).toNanos()) {
      assertThat(System.nanoTime()).as("20 ms pass within 10 s").isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
