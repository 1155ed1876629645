package dev.oriel.bootstrap.launch;

import dev.oriel.bootstrap.SharedToken;
import dev.oriel.bootstrap.TcpSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The rank, world and address that the launcher's variables give this process: a pure function of a
 * map.
 *
 * <p><b>Rank and world</b> come, together, from the first complete pair of:
 *
 * <ul>
 *   <li>{@code ORIEL_RANK}, {@code ORIEL_WORLD};
 *   <li>torchrun's {@code RANK}, {@code WORLD_SIZE};
 *   <li>Open MPI's {@code OMPI_COMM_WORLD_*};
 *   <li>PMI's {@code PMI_RANK}, {@code PMI_SIZE};
 *   <li>Slurm's {@code SLURM_PROCID}, {@code SLURM_STEP_NUM_TASKS}, which are set for tasks of
 *       {@code srun} but not for a batch script.
 * </ul>
 *
 * <p>Launchers nest, so a later complete pair may differ; half a pair must agree with the pair that
 * is used.
 *
 * <p><b>Address</b> of rank 0: {@code ORIEL_ADDRESS}; loopback when all ranks are on one host;
 * {@code MASTER_ADDR}; under Slurm the first host of {@code SLURM_STEP_NODELIST} or {@code
 * SLURM_JOB_NODELIST}, then {@code SLURM_LAUNCH_NODE_IPADDR}. mpirun does not name rank 0's host,
 * so across hosts it needs {@code ORIEL_ADDRESS}.
 *
 * <p><b>Port</b>: {@code ORIEL_PORT}; {@code MASTER_PORT} + 1, since torchrun's own store uses
 * {@code MASTER_PORT}; else one derived from the job's id, the same on every rank.
 *
 * <p><b>Token</b>: {@code ORIEL_TOKEN}.
 */
public record LaunchEnvironment(
    Launcher launcher,
    int rank,
    int world,
    OptionalInt localRank,
    OptionalInt localWorld,
    String address,
    int port,
    Optional<SharedToken> token,
    Optional<String> jobId) {

  /** The launcher's settings, or empty if no launcher started this process. */
  public static Optional<LaunchEnvironment> find(Map<String, String> environment) {
    LauncherVariables env = new LauncherVariables(environment);
    Optional<Launcher> launcher =
        Arrays.stream(Launcher.values()).filter(l -> l.complete(env)).findFirst();
    Arrays.stream(Launcher.values())
        .filter(half -> half.partial(env))
        .forEach(half -> checkHalf(env, half, launcher));
    return launcher.map(l -> read(env, l));
  }

  /**
   * The launcher's settings.
   *
   * @throws IllegalArgumentException naming the variables, if no launcher started this process or
   *     they are incomplete, out of range or in conflict
   */
  public static LaunchEnvironment from(Map<String, String> environment) {
    return find(environment)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no launcher's variables are set: looked for "
                    + Arrays.stream(Launcher.values())
                        .map(l -> l.rank + "+" + l.world)
                        .collect(Collectors.joining(", "))
                    + "; start with torchrun, mpirun or srun, or set the first pair yourself"));
  }

  /** Settings that join the group that the variables describe. */
  public TcpSettings settings(Duration deadline) {
    TcpSettings plain = TcpSettings.of(rank, world, address, port, deadline);
    return token.map(plain::withToken).orElse(plain);
  }

  private static LaunchEnvironment read(LauncherVariables env, Launcher launcher) {
    int world = env.number(launcher.world, 1, Integer.MAX_VALUE).orElseThrow();
    int rank = env.number(launcher.rank, 0, Integer.MAX_VALUE).orElseThrow();
    if (rank >= world) {
      throw env.bad(
          "rank out of range",
          "allowed=0..%d; give each process its own rank".formatted(world - 1),
          launcher.rank,
          launcher.world);
    }
    if (launcher == Launcher.OPEN_MPI) {
      checkPmix(env, rank);
    }
    LocalRanks local = LocalRanks.of(env, launcher, world);
    Optional<String> jobId = launcher.jobId(env);
    return new LaunchEnvironment(
        launcher,
        rank,
        world,
        local.rank(),
        local.world(),
        RendezvousAddress.address(env, launcher, world, local),
        RendezvousAddress.port(env, launcher, world, jobId),
        env.text("ORIEL_TOKEN").map(SharedToken::of),
        jobId);
  }

  private static void checkHalf(LauncherVariables env, Launcher half, Optional<Launcher> chosen) {
    if (chosen.isEmpty() || half == Launcher.PLAIN) {
      throw env.bad(
          "incomplete launch variables",
          "allowed=both or neither; set the missing one or unset the other",
          half.rank,
          half.world);
    }
    boolean rank = env.has(half.rank);
    String name = rank ? half.rank : half.world;
    String used = rank ? chosen.get().rank : chosen.get().world;
    if (!env.text(name).equals(env.text(used))) {
      throw env.bad(
          "conflicting launch variables",
          "allowed=equal values; unset the one that is left over",
          used,
          name);
    }
  }

  private static void checkPmix(LauncherVariables env, int rank) {
    OptionalInt pmix = env.number("PMIX_RANK", 0, Integer.MAX_VALUE);
    if (pmix.isPresent() && pmix.getAsInt() != rank) {
      throw env.bad(
          "conflicting launch variables",
          "allowed=equal values; unset the one that is left over",
          Launcher.OPEN_MPI.rank,
          "PMIX_RANK");
    }
  }
}
