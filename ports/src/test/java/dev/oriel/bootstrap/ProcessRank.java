package dev.oriel.bootstrap;

import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.SetupStatus;
import java.io.IOException;
import java.time.Duration;

/** The program of one process of {@link ProcessesTest}: meets, agrees, and reports its end. */
final class ProcessRank {
  private ProcessRank() {}

  /** Rank {@code args[0]} waits to be killed after it joined; the others continue without it. */
  public static void main(String[] args) throws IOException {
    LaunchEnvironment environment = LaunchEnvironment.from(System.getenv());
    TcpSettings settings = environment.settings(Duration.ofSeconds(40));
    try (Bootstrap rank = TcpBootstrap.join(settings)) {
      rank.agree("set-up", SetupStatus.ok());
      System.out.println("met " + rank.allGather("names", new byte[rank.rank()]).size());
      System.out.flush();
      if (rank.rank() == Integer.parseInt(args[0])) {
        System.in.read();
      }
      rank.barrier("end");
      System.out.println("done");
    } catch (BootstrapException e) {
      System.out.println(e.kind() + " " + e.ranks());
    }
  }
}
