package dev.oriel.it.run;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.it.options.ProvedOption;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.certificate.CertifiedExecutor;
import dev.oriel.ports.setup.StepAgreement;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processes in which a launcher started this command, one for each rank; or only this one,
 * which then has all ranks.
 */
public final class LaunchedProcesses implements AutoCloseable {
  private final MachineOptions machine;
  private final int localRank;
  private final @Nullable Bootstrap ranks;

  private LaunchedProcesses(MachineOptions machine, int localRank, @Nullable Bootstrap ranks) {
    this.machine = machine;
    this.localRank = localRank;
    this.ranks = ranks;
  }

  /**
   * Joins the others, if there are any and that machine can use them.
   *
   * @throws IllegalArgumentException if there are, and each would have the same GPUs
   */
  public static LaunchedProcesses meet(MachineOptions machine, Duration deadline) {
    if (machine.cuda() && !machine.meets()) {
      requireAlone("--share and --network");
    }
    Optional<LaunchEnvironment> said = machine.meets() ? said() : Optional.empty();
    return said.map(launch ->
            new LaunchedProcesses(
                machine,
                launch.localRank().orElse(launch.rank()),
                TcpBootstrap.join(launch.settings(deadline))))
        .orElseGet(() -> new LaunchedProcesses(machine, 0, null));
  }

  private static Optional<LaunchEnvironment> said() {
    return LaunchEnvironment.find(System.getenv()).filter(launch -> launch.world() > 1);
  }

  /**
   * Refuses to be one of several processes, which would compete for GPUs.
   *
   * @param what has all ranks, in this process or in processes that it starts
   */
  public static void requireAlone(String what) {
    said()
        .ifPresent(launch -> {
          throw new IllegalArgumentException(
              "started in several processes: launcher=%s, rank=%d, world=%d; %s: all ranks are its own, so start it once, without the launcher or its variables"
                  .formatted(launch.launcher(), launch.rank(), launch.world(), what));
        });
  }

  public Executor open(FabricListener listener) {
    return ranks == null ? machine.open(listener) : machine.join(ranks, localRank, listener);
  }

  /**
   * The same machine. If certificates are demanded, it refuses every program that none covers, in
   * all processes; so it does if one process cannot read its certificates.
   */
  public Executor open(FabricListener listener, ProvedOption proved) {
    if (!proved.demanded()) {
      return open(listener);
    }
    Bootstrap group = ranks;
    if (group == null) {
      CertificateSet set = proved.certificates();
      return CertifiedExecutor.of(open(listener), set);
    }
    CertificateSet set = StepAgreement.all(group, "read certificates", proved::certificates);
    return CertifiedExecutor.of(open(listener), set, group);
  }

  /** How this process and the others replay together. */
  public ReplayCoordination pace() {
    return ranks == null
        ? ReplayCoordination.ALONE
        : new ReplayCoordination.CoordinatedReplay(ranks);
  }

  /** The number of this process, from 0. */
  public int number() {
    return ranks == null ? 0 : ranks.rank();
  }

  /** The output for facts common to all processes: only one process prints them. */
  public PrintWriter once(PrintWriter out) {
    return number() == 0 ? out : new PrintWriter(Writer.nullWriter());
  }

  @Override
  public void close() {
    if (ranks != null) {
      ranks.close();
    }
  }
}
