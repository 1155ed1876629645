package dev.oriel.cuda.window;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.cuda.driver.ApplicationGpu;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.persistent.GpuCalls;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.RankProcesses;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Memory of the caller on the GPUs of this host, of every kind, with every byte checked: among
 * threads of one process, and among processes. A window is made over it, used by copies and by
 * kernels, and closed; then the memory is freed and allocated again.
 */
public final class GpuUserMemory {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long SECONDS = 500;

  private final int world;
  private final int bytes;
  private final int rounds;
  private final boolean kernels;

  private GpuUserMemory(int world, int bytes, int rounds, boolean kernels) {
    this.world = world;
    this.bytes = bytes;
    this.rounds = rounds;
    this.kernels = kernels;
  }

  /**
   * Arguments: ranks, bytes of a block (a multiple of 16), rounds, and {@code kernels}, or {@code
   * copies} for copies alone; {@code rank} is added for the processes that this one starts.
   */
  public static void main(String[] arguments) throws Exception {
    GpuUserMemory test =
        new GpuUserMemory(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            arguments[3].equals("kernels"));
    List<String> said = new ArrayList<>();
    if (arguments.length > 4) {
      try (Bootstrap ranks =
          TcpBootstrap.join(LaunchEnvironment.from(System.getenv()).settings(LONG))) {
        said.addAll(test.kinds("process", ranks));
      }
    } else {
      List<Bootstrap> group = InProcessBootstrap.group(test.world, LONG);
      RankThreads.all(group, ranks -> test.kinds("thread", ranks)).forEach(said::addAll);
      group.forEach(Bootstrap::close);
      said.addAll(test.processes(arguments));
    }
    said.forEach(System.out::println);
    boolean right = said.stream().allMatch(line -> line.contains("wrong=0"));
    System.out.println(right ? "RIGHT: lines=" + said.size() : "WRONG");
    System.exit(right ? 0 : 1);
  }

  private List<String> processes(String[] arguments) throws Exception {
    List<String> options = new ArrayList<>(List.of(GpuUserMemory.class.getName()));
    options.addAll(List.of(arguments));
    options.add("rank");
    List<String> said = new ArrayList<>();
    try (RankProcesses processes = RankProcesses.start(world, options)) {
      for (int rank = 0; rank < world; rank++) {
        String output = processes.output(rank, SECONDS);
        output.lines().filter(line -> line.startsWith("process")).forEach(said::add);
        if (processes.get(rank).exitValue() != 0) {
          said.add(
              "process rank=%d: exit=%d%n%s"
                  .formatted(rank, processes.get(rank).exitValue(), output));
        }
      }
    }
    return said;
  }

  private List<String> kinds(String how, Bootstrap ranks) throws Exception {
    List<String> said = new ArrayList<>();
    for (MemoryKind kind : MemoryKind.values()) {
      long[] counts = new long[2];
      String end = "shared";
      for (int round = 0; round < rounds; round++) {
        end = round(ranks, kind, round, counts);
      }
      said.add(
          "%s rank=%d, kind=%s, rounds=%d, bytes=%d, checked=%d, wrong=%d: %s"
              .formatted(how, ranks.rank(), kind, rounds, bytes, counts[0], counts[1], end));
    }
    return said;
  }

  private CallSpec calls() {
    return new CallSpec((world + 1L) * bytes, 0, 2, 0);
  }

  private String round(Bootstrap ranks, MemoryKind kind, int round, long[] counts)
      throws Exception {
    CallSpec calls = calls();
    long all = calls.control() + calls.controlBytes(world);
    WindowSpec spec =
        WindowSpec.named("u")
            .withData(DataSizes.uniform(all))
            .withSignals(calls.signalCount())
            .withBarriers(2);
    try (Gpu gpu = CudaDriver.openInTurn(ranks.rank());
        ResourceStack application = new ResourceStack()) {
      UserMemory memory = ApplicationGpu.allocate(gpu, kind, all, application);
      try (Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks)) {
        LocalBuffer buffer;
        try {
          buffer = member.buffer(memory);
        } catch (MachineException e) {
          // Every rank refuses it, before any exchange.
          counts[1] += kind.obstacle().isPresent() ? 0 : 1;
          return "refused as a buffer: " + e.getMessage();
        }
        try (buffer;
            Window window = member.window(spec, buffer)) {
          copies(gpu, window, memory, round, counts);
          if (kernels) {
            kernels(gpu, window, memory, round, counts);
          }
        } catch (MachineException e) {
          boolean expected =
              kind.obstacle().isPresent()
                  && String.valueOf(e.getMessage()).contains(kind.obstacle().get());
          counts[1] += expected ? 0 : 1;
          return (expected ? "refused: " : "failed: ") + e.getMessage();
        }
      }
    }
    counts[1] += kind.obstacle().isPresent() ? 1 : 0;
    return "shared";
  }

  /** Each rank puts a block into every part, reads all parts back, and looks at its own. */
  private void copies(Gpu gpu, Window window, UserMemory memory, int round, long[] counts)
      throws TimeoutException {
    int rank = window.rank();
    long source = (long) world * bytes;
    gpu.write(memory.address() + source, pattern(rank, round));
    for (int peer = 0; peer < world; peer++) {
      window.put(peer, (long) rank * bytes, source, bytes);
    }
    window.barrier(1, LONG);
    for (int owner = 0; owner < world; owner++) {
      long address = window.nvlinkAddress(owner).orElseThrow();
      for (int from = 0; from < world; from++) {
        check(gpu.read(address + (long) from * bytes, bytes), pattern(from, round), counts);
        check(
            gpu.read(memory.address() + (long) from * bytes, bytes), pattern(from, round), counts);
      }
    }
    window.barrier(1, LONG);
  }

  /** Kernels store into the other ranks' memory. */
  private void kernels(Gpu gpu, Window window, UserMemory memory, int round, long[] counts)
      throws TimeoutException {
    long source = (long) world * bytes;
    WindowRegion out = new WindowRegion("u", 0, source);
    try (PersistentCalls calls =
            PersistentCalls.over(
                window,
                calls(),
                GpuCalls.over(GpuWindow.of(window), calls(), System::nanoTime),
                LONG);
        GpuStream stream = GpuStream.on(gpu, 1)) {
      for (int call = 0; call < 3; call++) {
        int seed = 1000 + 10 * round + call;
        gpu.write(memory.address() + source, pattern(window.rank(), seed));
        Object ignored = calls.allGather(stream, out, window, source, bytes, LONG);
        for (int from = 0; from < world; from++) {
          check(
              gpu.read(memory.address() + (long) from * bytes, bytes), pattern(from, seed), counts);
        }
      }
    }
  }

  private byte[] pattern(int rank, int round) {
    byte[] block = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      block[i] = (byte) (i * 31 + (i >>> 8) * 7 + rank * 101 + round * 13 + 1);
    }
    return block;
  }

  private static void check(byte[] found, byte[] expected, long[] counts) {
    for (int i = 0; i < expected.length; i++) {
      counts[0]++;
      counts[1] += found[i] == expected[i] ? 0 : 1;
    }
  }
}
