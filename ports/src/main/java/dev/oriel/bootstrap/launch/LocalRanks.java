package dev.oriel.bootstrap.launch;

import java.util.OptionalInt;

/** This process's rank on its host and the number of ranks there, as far as they are known. */
record LocalRanks(OptionalInt rank, OptionalInt world) {
  static LocalRanks of(LauncherVariables env, Launcher launcher, int world) {
    OptionalInt here =
        launcher == Launcher.SLURM
            ? SlurmTaskCounts.here(env, world)
            : env.number(launcher.localWorld, 1, world);
    OptionalInt rank = env.number(launcher.localRank, 0, world - 1);
    if (rank.isPresent() && here.isPresent() && rank.getAsInt() >= here.getAsInt()) {
      throw env.bad(
          "local rank out of range",
          "allowed=0..%d; give each process of a host its own".formatted(here.getAsInt() - 1),
          launcher.localRank,
          launcher == Launcher.SLURM ? SlurmTaskCounts.variable(env) : launcher.localWorld);
    }
    return new LocalRanks(rank, here);
  }
}
