package dev.oriel.it.run;

import dev.oriel.bootstrap.LaunchEnvironment;
import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a launcher started this command in, one for each rank; or only this one, which
 * then has all ranks.
 */
public final class Launched implements AutoCloseable {
  private final MachineOptions machine;
  private final int localRank;
  private final @Nullable Bootstrap ranks;

  private Launched(MachineOptions machine, int localRank, @Nullable Bootstrap ranks) {
    this.machine = machine;
    this.localRank = localRank;
    this.ranks = ranks;
  }

  /** Meets the others, if there are any and that machine has a use for them. */
  public static Launched meet(MachineOptions machine, Duration deadline) {
    Optional<LaunchEnvironment> said =
        !machine.meets()
            ? Optional.empty()
            : LaunchEnvironment.find(System.getenv()).filter(launch -> launch.world() > 1);
    return said.map(launch ->
            new Launched(
                machine,
                launch.localRank().orElse(launch.rank()),
                TcpBootstrap.join(TcpSettings.of(launch, deadline))))
        .orElseGet(() -> new Launched(machine, 0, null));
  }

  public Executor open(FabricListener listener) {
    return ranks == null ? machine.open(listener) : machine.join(ranks, localRank, listener);
  }

  /** How it and the others replay together. */
  public Pace pace() {
    return ranks == null ? Pace.ALONE : new Pace.Together(ranks);
  }

  /** This process, from 0 on. */
  public int number() {
    return ranks == null ? 0 : ranks.rank();
  }

  /** For what is true of all: one of them says it. */
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
