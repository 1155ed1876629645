package dev.oriel.it.run;

import dev.oriel.ports.Bootstrap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** Lets the processes that replay graphs together start at the same time, and finds the slowest. */
public sealed interface ReplayCoordination {
  /** All ranks are in this process. */
  ReplayCoordination ALONE = new Alone();

  /** Returns on every process at the same moment; collective. */
  void start();

  /** The longest of the durations of all processes; collective. */
  Duration slowest(Duration mine);

  /** The errors on this process or, if it has none, on another; collective. */
  List<String> problems(List<String> mine);

  /** One process needs no coordination. */
  record Alone() implements ReplayCoordination {
    @Override
    public void start() {
      // Its own replay starts all graphs.
    }

    @Override
    public Duration slowest(Duration mine) {
      return mine;
    }

    @Override
    public List<String> problems(List<String> mine) {
      return mine;
    }
  }

  /**
   * One process for each rank, on one host, whose monotonic clock all of them read. They start at
   * an agreed future moment, since messages alone would let one process start long before another.
   */
  record CoordinatedReplay(Bootstrap ranks) implements ReplayCoordination {
    /** The longest time until the last process learns of the moment. */
    private static final long AHEAD = Duration.ofMillis(1).toNanos();

    /** Characters of an error that other processes receive. */
    private static final int MAX_PROBLEM = 400;

    @Override
    public void start() {
      long moment = all("pace: start", System.nanoTime()).max().orElseThrow() + AHEAD;
      // Never longer than that, whatever the clocks show.
      long last = System.nanoTime() + AHEAD;
      while (System.nanoTime() - moment < 0 && System.nanoTime() - last < 0) {
        Thread.onSpinWait();
      }
    }

    @Override
    public Duration slowest(Duration mine) {
      return Duration.ofNanos(all("pace: took", mine.toNanos()).max().orElseThrow());
    }

    @Override
    public List<String> problems(List<String> mine) {
      String first = mine.isEmpty() ? "" : mine.getFirst();
      List<byte[]> all =
          ranks.allGather(
              "pace: wrong",
              first
                  .substring(0, Math.min(MAX_PROBLEM, first.length()))
                  .getBytes(StandardCharsets.UTF_8));
      return mine.isEmpty()
          ? all.stream()
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .filter(problem -> !problem.isEmpty())
              .toList()
          : mine;
    }

    private LongStream all(String step, long mine) {
      List<byte[]> all =
          ranks.allGather(step, ByteBuffer.allocate(Long.BYTES).putLong(mine).array());
      return all.stream().mapToLong(bytes -> ByteBuffer.wrap(bytes).getLong());
    }
  }
}
