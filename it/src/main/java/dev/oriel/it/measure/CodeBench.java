package dev.oriel.it.measure;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.sim.ranks.RankCode;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * The number of calls of rank code per second with every check on: each call takes the turn and
 * gives it back.
 */
final class CodeBench {
  private static final int ROUNDS = 200;
  private static final int CALLS = 4 * ROUNDS;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final PrintWriter out;
  private final int runs;

  CodeBench(PrintWriter out, int runs) {
    this.out = out;
    this.runs = runs;
  }

  private static final RankCode PING_PONG =
      (window, rank) -> {
        for (int round = 1; round <= ROUNDS; round++) {
          if (rank == 0) {
            window.signal(1, 0, 1);
          }
          window.await(1 - rank, 0, Comparison.GE, round, TIMEOUT);
          if (rank == 1) {
            window.signal(0, 0, 1);
          }
        }
      };

  void measure(int executions) {
    for (String shape : new String[] {"1x2", "2x1"}) {
      RankCodeExploration exploration =
          RankCodeExploration.of(
                  "ping-pong",
                  WindowSpec.named("w").withSignals(1),
                  Topology.parse(shape),
                  Thread::startVirtualThread,
                  PING_PONG)
              .withStrategy(Strategy.RANDOM)
              .withBudget(new Budget(executions, 1, 1_000_000, 1));
      double best = Double.MAX_VALUE;
      for (int i = 0; i <= runs; i++) {
        ResourceMeter meter = ResourceMeter.start();
        if (!exploration.check().verdict().holds()) {
          throw new AssertionError("a ping-pong fails: world=" + shape);
        }
        double seconds = meter.read().wallSeconds();
        best = i == 0 ? best : Math.min(best, seconds);
      }
      // Some executions are repeated to test whether the code varies; they are not counted.
      double calls = (double) CALLS * executions / best;
      out.printf(
          Locale.ROOT,
          "code     ping-pong:%s: calls_per_s=%.2fM, hand_offs_per_s=%.2fM; random, profile=L2, executions=%d, best of %d after one to warm up%n",
          shape,
          calls / 1e6,
          2 * calls / 1e6,
          executions,
          runs);
    }
  }
}
