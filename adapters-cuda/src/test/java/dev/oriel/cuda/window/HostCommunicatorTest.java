package dev.oriel.cuda.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.driver.OpenFiles;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.CommunicatorContract;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Communicators as on GPUs, with memory of the host, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostCommunicatorTest extends CommunicatorContract {
  private static final int ROUNDS = 200;

  private final List<String> before = OpenFiles.sockets();

  HostCommunicatorTest() {
    super(Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.onHost(bootstrap, bytes);
  }

  @Test
  void aRankThatLeavesIsNotLost() {
    inWorld(
        2,
        c -> {
          if (c.rank() == 1) {
            c.close();
            assertThat(c.aborted()).isEmpty();
          } else {
            for (int look = 0; look < 50; look++) {
              assertThat(c.aborted()).isEmpty();
              Thread.sleep(1);
            }
          }
          return c;
        });
  }

  /** Lanes may ask at any time: the pages that they read are not unmapped meanwhile. */
  @Test
  void aQueryWhileARankLeavesSucceeds() {
    for (int round = 0; round < ROUNDS; round++) {
      inWorld(
          1,
          c -> {
            AtomicBoolean left = new AtomicBoolean();
            CompletableFuture<Void> asking =
                CompletableFuture.runAsync(() -> {
                  while (!left.get()) {
                    assertThat(c.aborted()).isEmpty();
                  }
                });
            c.close();
            left.set(true);
            asking.join();
            return c;
          });
    }
  }

  @AfterEach
  void nothingStaysOpen() {
    assertThat(OpenFiles.sockets()).isEqualTo(before);
  }
}
