package dev.oriel.bootstrap.launch;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The address and port of rank 0 from the launcher's variables; {@link LaunchEnvironment} states
 * the precedence.
 */
final class RendezvousAddress {
  /** Derived ports lie below the range of ports that systems assign themselves. */
  static final int FIRST_DERIVED_PORT = 20_480;

  static final int DERIVED_PORTS = 12_288;

  private RendezvousAddress() {}

  static String address(LauncherVariables env, Launcher launcher, int world, LocalRanks local) {
    Optional<String> own = env.text("ORIEL_ADDRESS");
    if (own.isPresent()) {
      return own.get();
    }
    if (oneHost(env, launcher, world, local)) {
      return "127.0.0.1";
    }
    Optional<String> master = env.text("MASTER_ADDR");
    if (master.isPresent()) {
      return master.get();
    }
    return slurm(env, launcher)
        .orElseThrow(() ->
            env.bad(
                "the address of rank 0 is not known",
                "world=%d, allowed=a host name or address; set ORIEL_ADDRESS to the host of rank 0 (with mpirun: -x ORIEL_ADDRESS=...)"
                    .formatted(world),
                "ORIEL_ADDRESS",
                "MASTER_ADDR"));
  }

  static int port(LauncherVariables env, Launcher launcher, int world, Optional<String> jobId) {
    if (env.has("ORIEL_PORT")) {
      return env.number("ORIEL_PORT", 1, 65_535).orElseThrow();
    }
    if (env.has("MASTER_PORT")) {
      return env.number("MASTER_PORT", 1, 65_534).orElseThrow() + 1;
    }
    if (jobId.isPresent()) {
      return derivedPort(jobId.get());
    }
    if (world == 1) {
      return 0;
    }
    throw env.bad(
        "the port of rank 0 is not known",
        "launcher=%s, allowed=1..65535; set ORIEL_PORT to a free port of rank 0's host, the same on every rank (with MPICH's mpiexec: -genv ORIEL_PORT ...)"
            .formatted(launcher),
        "ORIEL_PORT",
        "MASTER_PORT",
        "ORIEL_JOB_ID");
  }

  /** The same port on every rank of a job, most likely another one for another job. */
  static int derivedPort(String jobId) {
    CRC32 crc = new CRC32();
    crc.update(("oriel:" + jobId).getBytes(StandardCharsets.UTF_8));
    return FIRST_DERIVED_PORT + (int) (crc.getValue() % DERIVED_PORTS);
  }

  private static boolean oneHost(
      LauncherVariables env, Launcher launcher, int world, LocalRanks local) {
    boolean allHere = local.world().isPresent() && local.world().getAsInt() == world;
    boolean oneNode =
        launcher == Launcher.SLURM
            && env.first("SLURM_STEP_NUM_NODES", "SLURM_NNODES").filter("1"::equals).isPresent();
    return world == 1 || allHere || oneNode;
  }

  private static Optional<String> slurm(LauncherVariables env, Launcher launcher) {
    if (launcher != Launcher.SLURM) {
      return Optional.empty();
    }
    Optional<String> list =
        env.first("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST");
    return list.map(SlurmNodeList::first).or(() -> env.text("SLURM_LAUNCH_NODE_IPADDR"));
  }
}
