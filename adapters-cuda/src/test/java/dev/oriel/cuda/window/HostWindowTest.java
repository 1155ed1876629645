package dev.oriel.cuda.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.WindowContract;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Windows as on GPUs, in memory of the host, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostWindowTest extends WindowContract {
  HostWindowTest() {
    super(Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.onHost(bootstrap, bytes);
  }

  @Test
  void memoryInUseIsNotFreed() {
    inWorld(
        2,
        c -> {
          GpuWindow window =
              GpuWindow.of(c.window(WindowSpec.named("w").withData(DataSizes.uniform(8))));
          window.hold();
          assertThatThrownBy(window::close)
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("calls over the window are open: window=w, rank=" + c.rank());
          window.write(0, new byte[8]);
          window.release();
          window.close();
          return c;
        });
  }

  /**
   * All ranks abort at once: one is first, and a cause that is too long is truncated equally for
   * all.
   */
  @Test
  void oneCauseAppliesHoweverLongItIs() {
    for (int round = 0; round < 20; round++) {
      String text = "\u00e9".repeat(round % 2 == 0 ? 1 : 5000);
      List<Abort> aborts = inWorld(3, c -> c.abort(c.rank() + text));
      assertThat(aborts).containsOnly(aborts.getFirst());
      Abort first = aborts.getFirst();
      assertThat(first.rank() + text).startsWith(first.cause());
      assertThat(first.cause().length()).isGreaterThan(round % 2 == 0 ? 1 : 2000);
    }
  }
}
