package dev.oriel.cuda.process;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SocketMaker;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.locks.LockSupport;

/** One process of {@link ProcessesTest}: shares memory, then waits for an end. */
final class MeshProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private MeshProcess() {}

  public static void main(String[] args) {
    TcpSettings settings = LaunchEnvironment.from(System.getenv()).settings(TIMEOUT);
    SocketMaker gpu = new SocketMaker(settings.rank());
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        ProcessMesh mesh = ProcessMesh.join(ranks, FabricListener.NONE, System::nanoTime);
        ResourceStack owned = new ResourceStack()) {
      mesh.open(0);
      new MemoryExchange<>(ranks, mesh, gpu)
          .map("memory", 0, Collections.nCopies(ranks.world(), 64L), owned);
      say("visitors " + gpu.visitors());
      while (mesh.ended(0).isEmpty()) {
        LockSupport.parkNanos(100_000);
      }
      say("ended " + mesh.settle(0, mesh.ended(0).orElseThrow()).cause());
    }
    gpu.close();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
