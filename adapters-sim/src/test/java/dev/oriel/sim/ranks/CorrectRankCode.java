package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import java.time.Duration;

/** Correct rank code, for any world of at least two ranks. */
final class CorrectRankCode {
  static final Duration LONG = Duration.ofSeconds(20);
  static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(64)).withSignals(3).withBarriers(2);

  private CorrectRankCode() {}

  static byte[] bytes(int rank) {
    byte[] bytes = new byte[8];
    java.util.Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }

  /** Rank 0 sends eight bytes to rank 1. */
  static RankCode message() {
    return (window, rank) -> {
      if (rank == 0) {
        window.write(0, bytes(0));
        window.put(1, 8, 0, 8);
        window.signal(1, 0, 1);
      } else if (rank == 1) {
        window.await(0, 0, Comparison.GE, 1, LONG);
        assertThat(window.read(8, 8)).isEqualTo(bytes(0));
      }
    };
  }

  /** Every rank's eight bytes travel around a ring. */
  static RankCode ring(int world) {
    return (window, rank) -> {
      int next = (rank + 1) % world;
      int last = (rank + world - 1) % world;
      window.write(8L * rank, bytes(rank));
      for (int step = 1; step < world; step++) {
        long at = 8L * Math.floorMod(rank - step + 1, world);
        window.put(next, at, at, 8);
        window.signal(next, 0, 1);
        window.await(last, 0, Comparison.REACHED, step, LONG);
      }
      for (int source = 0; source < world; source++) {
        assertThat(window.read(8L * source, 8)).isEqualTo(bytes(source));
      }
    };
  }

  /** Every rank puts to every rank between two barriers, twice. */
  static RankCode exchange(int world) {
    return (window, rank) -> {
      for (int round = 0; round < 2; round++) {
        window.write(8L * world, bytes(rank + round));
        for (int peer = 0; peer < world; peer++) {
          window.put(peer, 8L * rank, 8L * world, 8);
        }
        window.barrier(0, LONG);
        for (int source = 0; source < world; source++) {
          assertThat(window.read(8L * source, 8)).isEqualTo(bytes(source + round));
        }
        window.barrier(0, LONG);
      }
    };
  }
}
