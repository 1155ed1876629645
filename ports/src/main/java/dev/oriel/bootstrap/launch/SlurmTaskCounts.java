package dev.oriel.bootstrap.launch;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of tasks that Slurm runs on this node: {@code 4(x2),1} means 4, 4 and 1. */
final class SlurmTaskCounts {
  private static final Pattern ITEM = Pattern.compile("(\\d{1,9})(?:\\(x(\\d{1,9})\\))?");

  private SlurmTaskCounts() {}

  static String variable(LauncherVariables env) {
    return env.has("SLURM_STEP_TASKS_PER_NODE")
        ? "SLURM_STEP_TASKS_PER_NODE"
        : "SLURM_TASKS_PER_NODE";
  }

  static OptionalInt here(LauncherVariables env, int world) {
    String name = variable(env);
    OptionalInt node = env.number("SLURM_NODEID", 0, Integer.MAX_VALUE);
    if (!env.has(name) || node.isEmpty()) {
      return OptionalInt.empty();
    }
    int count = at(env, name, node.getAsInt());
    if (count < 1 || count > world) {
      throw env.bad(
          "Slurm's task counts do not fit",
          "count=%d, allowed=1..%d; start with srun".formatted(count, world),
          name,
          "SLURM_NODEID",
          Launcher.SLURM.world);
    }
    return OptionalInt.of(count);
  }

  private static int at(LauncherVariables env, String name, int node) {
    long nodes = 0;
    for (String item : env.text(name).orElseThrow().split(",", -1)) {
      Matcher parts = ITEM.matcher(item);
      if (!parts.matches()) {
        break;
      }
      nodes += parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2));
      if (node < nodes) {
        return Integer.parseInt(parts.group(1));
      }
    }
    throw env.bad(
        "Slurm's task counts do not cover this node",
        "allowed=such as 4(x2),1; start with srun",
        name,
        "SLURM_NODEID");
  }
}
