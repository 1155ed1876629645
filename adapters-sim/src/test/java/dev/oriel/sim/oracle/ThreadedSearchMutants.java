package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** A search on several threads, wrong in one line. */
final class ThreadedSearchMutants {
  static final List<EngineMutant> ALL =
      List.of(
          in(
              "SearchWorker",
              "new SearchBranch(d, path.decisionsTo(d), next, end)",
              "new SearchBranch(d, path.decisionsTo(d), next + 1, end)"),
          in(
              "SearchWorker",
              "new SearchBranch(d, path.decisionsTo(d), next, end)",
              "new SearchBranch(d, path.decisionsTo(d), next - 1, end)"),
          in("SearchPath", "    ends[depth] = next;", ""),
          in(
              "SearchWorker",
              "new SearchBranch(d, path.decisionsTo(d), next, end)",
              "new SearchBranch(d, path.decisionsTo(d), next, end - 1)"),
          in("SearchPath", "    simulation.restore(depth);\n", ""),
          in("SearchPath", "while (lengths[from] > same) {", "while (lengths[from] > same + 1) {"),
          in("SearchPath", "lengths[depth] = decisions.length();", "lengths[depth] = 0;"),
          in(
              "SearchPath",
              "    executions++;\n    found = simulation.end().orElse(null);",
              "    found = simulation.end().orElse(null);"),
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
              "JointSearch",
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
