package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** A search on several threads, wrong in one line. */
final class ThreadedSearchMutants {
  static final List<EngineMutant> ALL =
      List.of(
          in(
              "SearchWorker",
              "path.toArray(lengths[d]), turn[d] + 1,",
              "path.toArray(lengths[d]), turn[d] + 2,"),
          in(
              "SearchWorker",
              "path.toArray(lengths[d]), turn[d] + 1,",
              "path.toArray(lengths[d]), turn[d],"),
          in("SearchWorker", "ends[d] = turn[d] + 1;", ""),
          in(
              "SearchWorker",
              "if (turn[d] + 1 < ends[d]) {",
              "if (turn[d] + 2 < ends[d] && ends[d]-- > 0) {"),
          in("SearchWorker", "    simulation.restore(0);\n    path.cut(0);", "    path.cut(0);"),
          in("SearchWorker", "lengths[depth] = path.length();", "lengths[depth] = 0;"),
          in(
              "SearchWorker",
              "    executions++;\n    Optional<Finding> finding = simulation.end();",
              "    Optional<Finding> finding = simulation.end();"),
          in(
              "ThreadedSearch",
              "executions += worker.executions();",
              "executions = worker.executions();"),
          in("ThreadedSearch", "steps += worker.steps();", "steps = worker.steps();"),
          in(
              "SearchWorker",
              "if (depth == first) {\n          return report(depth);",
              "if (depth == first) {\n          return true;"),
          in(
              "ThreadedSearch",
              "if (!result.counts()) {",
              "if (result.violation().isEmpty() && !result.counts()) {"),
          in("SharedLimits", "seen.count() >= budget.states()", "seen.count() > budget.states()"),
          in("StepMemo", "parts[part].digest(fingerprint);", "fingerprint.add(number);"),
          in("BranchQueue", "return open == 0 && !stopped;", "return true;"));

  private ThreadedSearchMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}
