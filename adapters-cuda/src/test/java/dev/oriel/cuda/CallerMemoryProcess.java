package dev.oriel.cuda;

import dev.oriel.bootstrap.TcpBootstrap;
import dev.oriel.bootstrap.TcpSettings;
import dev.oriel.bootstrap.launch.LaunchEnvironment;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.AllocationExchange;
import dev.oriel.cuda.process.NoFiles;
import dev.oriel.cuda.process.OpenAllocations;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * One process of {@link CallerMemoryProcessesTest}: shares memory of {@code cuMemAlloc} with the
 * others, and launches programs on it.
 */
final class CallerMemoryProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final int B = 4099;
  private static final int LAUNCHES = 20;
  private static final List<String> PROGRAMS =
      List.of("push_all_gather", "ll_all_gather", "pull_all_reduce", "copy_all_gather");

  private CallerMemoryProcess() {}

  public static void main(String[] arguments) {
    try {
      TcpSettings settings = LaunchEnvironment.from(System.getenv()).settings(TIMEOUT);
      try (Bootstrap ranks = TcpBootstrap.join(settings)) {
        switch (arguments[0]) {
          case "copies" -> copies(ranks);
          case "programs" -> programs(ranks);
          case "reads" -> readsBehindADeath(ranks);
          default -> launchesUntilADeath(ranks);
        }
      }
    } catch (MachineException | IOException e) {
      say("refused: " + e.getMessage());
    }
  }

  /** Each rank reads its predecessor's data in two pieces of one allocation; works on any GPUs. */
  private static void copies(Bootstrap ranks) {
    int rank = ranks.rank();
    int last = (rank + ranks.world() - 1) % ranks.world();
    List<Gpu> all = CudaDriver.open();
    Gpu gpu = all.get(rank % all.size());
    long base = gpu.allocate(3 * B);
    gpu.write(base, bytes(rank, 3 * B));
    try (ResourceStack owned = new ResourceStack()) {
      List<Map<String, AllocationExchange.MappedAllocation>> reached =
          new AllocationExchange(
                  ranks, gpu.sharing(), new OpenAllocations(gpu.sharing()), new NoFiles())
              .map(
                  "memory",
                  Map.of("a", new UserMemory(base + 1, B), "b", new UserMemory(base + B, B)),
                  () -> ranks.barrier("closed"),
                  owned);
      AllocationExchange.MappedAllocation one = Objects.requireNonNull(reached.get(last).get("a"));
      AllocationExchange.MappedAllocation two = Objects.requireNonNull(reached.get(last).get("b"));
      byte[] theirs = bytes(last, 3 * B);
      boolean right =
          two.address() - one.address() == B - 1
              && Arrays.equals(gpu.read(one.address(), B), Arrays.copyOfRange(theirs, 1, B + 1))
              && Arrays.equals(gpu.read(two.address(), B), Arrays.copyOfRange(theirs, B, 2 * B));
      // A rank's writes there are visible to the owner.
      ranks.barrier("read");
      gpu.write(two.address(), bytes(rank + 100, B));
      ranks.barrier("written");
      int next = (rank + 1) % ranks.world();
      right &= Arrays.equals(gpu.read(base + B, B), bytes(next + 100, B));
      say("copied " + right);
    }
    gpu.free(base);
    all.forEach(Gpu::close);
  }

  /** Rank 1 lends and waits to be killed; rank 0 then reads once more, and closes. */
  private static void readsBehindADeath(Bootstrap ranks) throws IOException {
    List<Gpu> all = CudaDriver.open();
    Gpu gpu = all.get(ranks.rank() % all.size());
    long base = gpu.allocate(B);
    gpu.write(base, bytes(ranks.rank(), B));
    try (ResourceStack owned = new ResourceStack()) {
      Map<String, AllocationExchange.MappedAllocation> reached =
          new AllocationExchange(
                  ranks, gpu.sharing(), new OpenAllocations(gpu.sharing()), new NoFiles())
              .map("memory", Map.of("a", new UserMemory(base, B)), () -> {}, owned)
              .get(1 - ranks.rank());
      long theirs = Objects.requireNonNull(reached.get("a")).address();
      say("mapped");
      int command = System.in.read();
      say("read " + (command == 'g' && Arrays.equals(gpu.read(theirs, B), bytes(1, B))));
    }
    say("closed");
    gpu.free(base);
    all.forEach(Gpu::close);
  }

  /** Launches until one fails. */
  private static void launchesUntilADeath(Bootstrap ranks) {
    int rank = ranks.rank();
    List<Gpu> all = CudaDriver.open();
    Gpu gpu = all.size() == 1 ? all.getFirst() : all.get(rank);
    Form form = ShippedPrograms.form("push_all_gather");
    Program program = Program.bind(form, ranks.world(), Map.of("B", 1L << 20));
    try (CudaExecutor joined =
            CudaExecutor.join(ranks, rank, FabricListener.NONE, System::nanoTime);
        Executor executor = new CallerMemoryExecutor(joined, _ -> gpu, _ -> IntStream.of(rank));
        Executor.Instance instance = executor.prepare(program, Topology.grid(1, ranks.world()))) {
      say("prepared");
      List<Outcome> outcomes = instance.launch(TIMEOUT);
      while (outcomes.equals(List.of(new Outcome.Done()))) {
        outcomes = instance.launch(TIMEOUT);
      }
      say("ended " + outcomes);
    }
    say("closed");
    all.forEach(Gpu::close);
  }

  private static byte[] bytes(int rank, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(rank).nextBytes(bytes);
    return bytes;
  }

  private static void programs(Bootstrap ranks) {
    int rank = ranks.rank();
    List<Gpu> all = CudaDriver.open();
    Gpu gpu = all.size() == 1 ? all.getFirst() : all.get(rank);
    try (CudaExecutor joined =
            CudaExecutor.join(ranks, rank, FabricListener.NONE, System::nanoTime);
        Executor executor = new CallerMemoryExecutor(joined, _ -> gpu, _ -> IntStream.of(rank))) {
      for (String name : PROGRAMS) {
        say(name + " " + launched(ranks, executor, ShippedPrograms.form(name)));
      }
    }
    all.forEach(Gpu::close);
  }

  /** Whether every output was right after each launch. */
  private static boolean launched(Bootstrap ranks, Executor executor, Form form) {
    Program program = Program.bind(form, ranks.world(), Map.of("B", B / 4 * 4L));
    boolean right = true;
    try (Executor.Instance instance = executor.prepare(program, Topology.grid(1, ranks.world()))) {
      for (int launch = 0; launch < LAUNCHES; launch++) {
        int seed = 1000 * launch;
        instance.write(ranks.rank(), "in", 0, bytes(seed + ranks.rank(), B / 4 * 4));
        right &= instance.launch(TIMEOUT).equals(List.of(new Outcome.Done()));
        right &=
            program
                .rank(ranks.rank())
                .claims((source, length) -> start(source.rank(), source.offset(), length, seed))
                .stream()
                .allMatch(claim ->
                    Arrays.equals(
                        instance.read(
                            ranks.rank(),
                            claim.actual(),
                            claim.actualOffset(),
                            Math.toIntExact(claim.bytes())),
                        claim.expected((source, length) ->
                            start(source.rank(), source.offset(), length, seed))));
      }
    }
    return right;
  }

  private static byte[] start(int rank, long offset, int length, int seed) {
    int from = Math.toIntExact(offset);
    return Arrays.copyOfRange(bytes(seed + rank, B / 4 * 4), from, from + length);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
