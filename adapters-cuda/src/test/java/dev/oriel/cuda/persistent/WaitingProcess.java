package dev.oriel.cuda.persistent;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import dev.oriel.ports.persistent.StepMachine;
import dev.oriel.ports.persistent.StepStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One process of {@link ApartTest}: makes a call with the others, and waits for rank 1, which is
 * killed. Rank 0 and those above 2 wait in the next call, rank 2 for a slot.
 */
public final class WaitingProcess {
  static final Duration LONG = Duration.ofSeconds(60);

  private static final CallSpec SPEC = new CallSpec(512, 1, 1, 0);

  private WaitingProcess() {}

  public static void main(String[] args) throws IOException, TimeoutException {
    TcpSettings settings = LaunchEnvironment.from(System.getenv()).settings(LONG);
    WindowSpec spec =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(1024))
            .withSignals(SPEC.signals() + SPEC.signalCount())
            .withBarriers(1);
    try (Bootstrap ranks = TcpBootstrap.join(settings);
        Communicator world = TestDevices.apart(ranks);
        Window window = world.window(spec);
        PersistentCalls calls = PersistentCalls.over(window, SPEC, machine(window), LONG)) {
      CallStream stream =
          TestDevices.gpus() ? GpuStream.on(GpuWindow.of(window).gpu(), 1) : new StepStream(1);
      WindowRegion out = new WindowRegion("w", 0, 256);
      calls.allGather(stream, out, window, 256, 8, LONG);
      say("waiting");
      switch (ranks.rank()) {
        case 1 -> System.in.read();
        case 2 -> window.await(1, 0, Comparison.GE, 1, LONG);
        default -> calls.allGather(stream, out, window, 256, 8, LONG);
      }
    } catch (AbortedException e) {
      say(String.valueOf(e.getMessage()));
      System.exit(0);
    }
  }

  private static CallMachine machine(Window window) {
    return TestDevices.gpus()
        ? GpuCalls.over(window, SPEC, System::nanoTime)
        : new StepMachine(window, SPEC);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
