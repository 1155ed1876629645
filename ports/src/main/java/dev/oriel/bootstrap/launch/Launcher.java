package dev.oriel.bootstrap.launch;

import java.util.Optional;

/** The launcher of this process, recognised by the variables that it sets; the first match wins. */
public enum Launcher {
  /** Our own variables. */
  PLAIN("ORIEL_RANK", "ORIEL_WORLD", "ORIEL_LOCAL_RANK", "ORIEL_LOCAL_WORLD"),
  /** torchrun. */
  TORCHRUN("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
  /** Open MPI's mpirun. */
  OPEN_MPI(
      "OMPI_COMM_WORLD_RANK",
      "OMPI_COMM_WORLD_SIZE",
      "OMPI_COMM_WORLD_LOCAL_RANK",
      "OMPI_COMM_WORLD_LOCAL_SIZE"),
  /** MPICH, Intel MPI and others that speak PMI. */
  PMI("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
  /** Slurm's srun, the only one that says how many tasks a step has. */
  SLURM("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "");

  final String rank;
  final String world;
  final String localRank;
  final String localWorld;

  Launcher(String rank, String world, String localRank, String localWorld) {
    this.rank = rank;
    this.world = world;
    this.localRank = localRank;
    this.localWorld = localWorld;
  }

  boolean complete(LauncherVariables env) {
    return env.has(rank) && env.has(world) && !(this == PMI && srun(env));
  }

  /** Whether exactly half of the pair is set. A batch script has a task number without a step. */
  boolean partial(LauncherVariables env) {
    return this == SLURM ? !env.has(rank) && env.has(world) : env.has(rank) != env.has(world);
  }

  /**
   * Whether srun speaks PMI ({@code --mpi=pmi2}). It then sets the task's rank in the step but not
   * its local rank, whereas an mpiexec also counts the tasks of a host.
   */
  private static boolean srun(LauncherVariables env) {
    return !env.has(PMI.localRank)
        && env.text(PMI.rank).equals(env.text(SLURM.rank))
        && env.text(PMI.world).equals(env.text(SLURM.world));
  }

  Optional<String> jobId(LauncherVariables env) {
    Optional<String> own = env.text("ORIEL_JOB_ID");
    return own.isPresent()
        ? own
        : switch (this) {
          case PLAIN -> own;
          case TORCHRUN -> env.first("TORCHELASTIC_RUN_ID");
          case OPEN_MPI, PMI -> env.first("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID");
          case SLURM ->
              env.text("SLURM_JOB_ID")
                  .map(job -> env.text("SLURM_STEP_ID").map(step -> job + "." + step).orElse(job));
        };
  }
}
