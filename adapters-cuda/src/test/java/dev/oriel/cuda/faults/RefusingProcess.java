package dev.oriel.cuda.faults;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.FakeDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.persistent.GpuGraph;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Prints the answers of a host that cannot run a request, and the resources that are left then. */
final class RefusingProcess {
  private RefusingProcess() {}

  /** The requests. */
  private interface Asked {
    void run() throws Exception;
  }

  private static void answer(String of, Asked asked) {
    String said;
    try {
      asked.run();
      said = "fine";
    } catch (MachineException e) {
      said = (e.environment() ? "host " : "") + e.getMessage();
    } catch (ExecutionException e) {
      // Of two ranks; each says the same of a failure that all share.
      said = message(e);
      for (Throwable other : e.getSuppressed()) {
        said =
            message(other).equals(said) ? "on both ranks: " + said : said + " / " + message(other);
      }
    } catch (Throwable e) {
      said = "not reported as such: " + e;
    }
    System.out.println(of + ": " + said + " |" + FakeDriver.held());
  }

  private static String message(Throwable of) {
    return of.getCause() instanceof MachineException e ? String.valueOf(e.getMessage()) : of + "";
  }

  private static void refused(String function, int result, Asked asked) {
    FakeDriver.refuse(function, result);
    answer(function + " " + result, asked);
    FakeDriver.refuse("", 0);
  }

  private static void open() {
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      System.out.println(executor.inventory());
    }
  }

  private static void shared() {
    try (Gpu gpu = CudaDriver.open(0);
        SharedMemory memory = gpu.share(64)) {
      System.out.println(memory.bytes());
    }
  }

  private static void streamed() {
    try (Gpu gpu = CudaDriver.open(0);
        DriverStream stream = gpu.stream()) {
      System.out.println(stream.capturing());
    }
  }

  /** Changes a peer's word by an atomic. */
  private static void torn() {
    Program program =
        Program.bind(
            FormParser.parse(
                "form f\nsignal S[1]\nlane main: sm(32) { signal S[0]@peers add 1 release }\n"),
            2,
            Map.of());
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime);
        CudaInstance instance = executor.prepare(program, Topology.grid(1, 2))) {
      Object ignored = instance.launch(Duration.ofSeconds(2));
    }
  }

  /** Two ranks on each of two GPUs, each rank with so many lanes. */
  private static void four(int lanes, boolean sharing) {
    Program program =
        Program.bind(
            FormParser.parse(
                "form f\nsignal S[%1$d]\nlane main(i < %1$d): sm(32) { signal S[i]@peers set epoch release }\n"
                    .formatted(lanes)),
            4,
            Map.of());
    try (CudaExecutor executor =
            sharing
                ? CudaExecutor.shared(FabricListener.NONE, System::nanoTime)
                : CudaExecutor.open(FabricListener.NONE, System::nanoTime);
        CudaInstance instance = executor.prepare(program, Topology.grid(1, 4))) {
      Object ignored = instance.launch(Duration.ofSeconds(2));
    }
  }

  /** The memory is freed after it became a buffer. */
  private static void freed() throws Exception {
    Scenario.among(ranks -> {
      try (Gpu gpu = CudaDriver.openInTurn(ranks.rank());
          Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks)) {
        long address = gpu.allocate(4096);
        // Otherwise rank 0's allocation might get the address that rank 1 has freed.
        ranks.barrier("allocated");
        try (LocalBuffer buffer = member.buffer(new UserMemory(address, 4096))) {
          if (ranks.rank() == 1) {
            gpu.free(address);
          }
          member.window(WindowSpec.named("u").withData(DataSizes.uniform(4096)), buffer).close();
        } finally {
          if (ranks.rank() == 0) {
            gpu.free(address);
          }
        }
      }
    });
  }

  private static void ofAnother() throws Exception {
    Scenario.among(ranks -> {
      try (Gpu other = CudaDriver.openInTurn(1 - ranks.rank());
          Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks)) {
        long address = other.allocate(4096);
        try {
          member.buffer(new UserMemory(address, 4096)).close();
        } finally {
          other.free(address);
        }
      }
    });
  }

  private static void shown() {
    FakeDriver.gpus(3);
    FakeDriver.atomics(0, 2, false);
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      executor.peers().forEach(System.out::println);
      FakeDriver.reachable(false);
      System.out.println("apart " + executor.peers().getFirst());
      System.out.println("driver " + CudaExecutor.driver());
    } finally {
      FakeDriver.reachable(true);
      FakeDriver.atomics(0, 2, true);
      FakeDriver.gpus(2);
    }
  }

  /** Uses after close are refused before the driver sees them, and a second close does nothing. */
  private static void ended() {
    try (Gpu gpu = CudaDriver.open(0)) {
      GpuStream stream = GpuStream.on(gpu, 7);
      stream.capture();
      GpuGraph one = stream.captured();
      stream.capture();
      GpuGraph other = stream.captured();
      one.close();
      one.close();
      report("elapsed", one::elapsed);
      report("replayed", () -> one.replay(Duration.ofSeconds(1)));
      stream.close();
      stream.close();
      report("replayed in it", () -> other.replay(Duration.ofSeconds(1)));
      report("captured", stream::capture);
      report("looked at", stream::capturing);
      other.close();
    }
    System.out.println("broken: " + FakeDriver.broken());
    System.out.println("held: " + FakeDriver.held());
  }

  private static void report(String of, Asked asked) {
    try {
      asked.run();
      System.out.println(of + ": fine");
    } catch (Exception e) {
      System.out.println(of + ": " + e.getMessage());
    }
  }

  public static void main(String[] arguments) {
    if (arguments[0].equals("ended")) {
      ended();
      return;
    }
    if (arguments[0].equals("lacking")) {
      answer("open", RefusingProcess::open);
      answer("share", RefusingProcess::shared);
      answer("stream", RefusingProcess::streamed);
      return;
    }
    if (arguments[0].equals("sharing")) {
      FakeDriver.room(1, 5, 1);
      answer("apart", () -> four(2, false));
      answer("shared", () -> four(2, true));
      answer("crowded", () -> four(3, true));
      return;
    }
    if (arguments[0].equals("kinds")) {
      for (MemoryKind kind : MemoryKind.values()) {
        answer(kind.name(), () -> Scenario.over(kind));
      }
      answer("freed", RefusingProcess::freed);
      answer("another GPU", RefusingProcess::ofAnother);
      return;
    }
    if (arguments[0].equals("shown")) {
      answer("shown", RefusingProcess::shown);
      return;
    }
    refused("cuInit", 100, RefusingProcess::open);
    refused("cuInit", 803, RefusingProcess::open);
    refused("cuInit", 802, RefusingProcess::open);
    refused("cuDevicePrimaryCtxRetain", 46, RefusingProcess::open);
    refused("cuMemCreate", 2, RefusingProcess::shared);
    FakeDriver.gpus(0);
    answer("no GPUs", RefusingProcess::open);
    FakeDriver.gpus(2);
    FakeDriver.reachable(false);
    answer("apart", Scenario.PROGRAM::run);
    FakeDriver.reachable(true);
    FakeDriver.atomics(0, 1, false);
    answer("torn", RefusingProcess::torn);
    answer("torn, stores", Scenario.PROGRAM::run);
    answer("torn, sampled", Scenario.SAMPLES::run);
    FakeDriver.atomics(0, 1, true);
    answer("whole", RefusingProcess::torn);
    FakeDriver.gpus(1);
    answer("one GPU", Scenario.PROGRAM::run);
    answer("shared GPU", Scenario.JOINED::run);
    answer(
        "more processes than GPUs",
        () -> {
          List<Bootstrap> group = InProcessBootstrap.group(1, Duration.ofSeconds(2));
          FakeDriver.gpus(2);
          try (Bootstrap ranks = group.getFirst()) {
            CudaExecutor.join(ranks, 5, FabricListener.NONE, System::nanoTime).close();
          }
        });
  }
}
