package dev.oriel.cuda;

import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Function;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.Target;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** Runs programs on the GPUs of this host: all ranks in this process, or one in each of several. */
public final class CudaExecutor implements Executor {
  private final Company company;
  private final FabricListener listener;
  private final Clock clock;
  private int prepared;
  private int open;

  private CudaExecutor(Company company, FabricListener listener, Clock clock) {
    this.company = company;
    this.listener = listener;
    this.clock = clock;
  }

  /**
   * Opens the driver and every GPU it shows: rank i of a program runs on GPU i.
   *
   * @throws MachineException saying what this host lacks
   */
  public static CudaExecutor open(FabricListener listener, Clock clock) {
    return new CudaExecutor(new Alone(Driver.open()), listener, clock);
  }

  /**
   * Opens the GPU of this process, one rank of a world whose others are in other processes of this
   * host. Collective over these ranks.
   *
   * <p>When one of them is lost, every launch of the others ends, and so does every later one. Who
   * is left closes this executor and the group and joins another, in the same process; a GPU that
   * is opened twice is set up once, so who expects to do so keeps an executor open meanwhile.
   *
   * @param ranks stays the caller's, and open for as long as the executor
   * @param localRank the number of this process on its host
   * @throws MachineException on every rank, if one of them cannot take part
   */
  public static CudaExecutor join(
      Bootstrap ranks, int localRank, FabricListener listener, Clock clock) {
    return new CudaExecutor(
        Joined.join(ranks, () -> Driver.open(localRank), listener, clock), listener, clock);
  }

  @Override
  public String name() {
    return "cuda";
  }

  /** One line per GPU of this process: number, name and capability. */
  public List<String> inventory() {
    return company.gpus().stream()
        .map(g -> "gpu=%d, name=%s, capability=%d".formatted(g.ordinal(), g.name(), g.capability()))
        .toList();
  }

  @Override
  public synchronized CudaInstance prepare(Program program, Topology topology) {
    int number = prepared++;
    String step = "instance " + number;
    Resources owned = new Resources();
    try {
      SortedMap<Integer, Gpu> local =
          company.together(
              step + ": place",
              () -> {
                Reach.require(program, topology);
                return company.place(program, topology);
              });
      List<RankMemory> memories = company.memories(number, program, local, owned);
      HostWord abort =
          company.together(step + ": word", () -> owned.add(new HostWord(first(local))));
      List<LocalRank> ranks =
          company.together(step + ": load", () -> load(program, local, memories, abort, owned));
      open++;
      owned.add(this::closed);
      return new CudaInstance(program, ranks, abort, company.peers(number), listener, clock, owned);
    } catch (RuntimeException e) {
      owned.close();
      throw e;
    }
  }

  private static Gpu first(SortedMap<Integer, Gpu> local) {
    return local.sequencedValues().getFirst();
  }

  private synchronized void closed() {
    open--;
  }

  private static List<LocalRank> load(
      Program program,
      SortedMap<Integer, Gpu> local,
      List<RankMemory> memories,
      HostWord abort,
      Resources owned) {
    List<LocalRank> ranks = new ArrayList<>();
    for (Map.Entry<Integer, Gpu> place : local.entrySet()) {
      Gpu gpu = place.getValue();
      RankMemory memory = memories.get(place.getKey());
      Target target = gpu.capability() >= 90 ? Target.SM_90 : Target.SM_80;
      Kernel kernel =
          new PtxCompiler(target).compile(Lowering.lower(program.form(), Set.of(PeerKind.NVLINK)));
      Function function = owned.add(gpu.load(kernel.ptx(), kernel.entry()));
      int blocks = memory.rank().lanes().size();
      Launch launch =
          owned.add(
              new Launch(
                  function,
                  blocks,
                  kernel.threads(),
                  kernel.cluster(),
                  target.dependentLaunch(),
                  arguments(program, memories, memory, kernel, abort)));
      int resident =
          kernel.cluster() == 1
              ? function.resident(kernel.threads())
              : kernel.cluster() * function.residentClusters(launch);
      if (blocks > resident) {
        throw new MachineException(
            "lanes do not fit at once: lanes=%d, resident=%d, threads=%d, cluster=%d; use fewer lanes or threads"
                .formatted(blocks, resident, kernel.threads(), kernel.cluster()));
      }
      ranks.add(new LocalRank(place.getKey(), gpu, memory, owned.add(gpu.stream()), launch));
    }
    return ranks;
  }

  /** Where every rank's memory is mapped; see {@link Kernel}. */
  private static long[] bases(Program program, List<RankMemory> memories) {
    List<Long> bases = new ArrayList<>();
    for (Buffer b : program.form().buffers()) {
      memories.forEach(m -> bases.add(m.buffer(b.name())));
    }
    memories.forEach(m -> bases.add(m.slots()));
    long[] all = bases.stream().mapToLong(Long::longValue).toArray();
    return Arrays.copyOf(all, Kernel.bases(program.form()));
  }

  private static long[][] arguments(
      Program program,
      List<RankMemory> memories,
      RankMemory memory,
      Kernel kernel,
      HostWord abort) {
    List<long[]> arguments = new ArrayList<>();
    arguments.add(bases(program, memories));
    arguments.add(new long[] {memory.lane(0)});
    arguments.add(new long[] {memory.status()});
    arguments.add(new long[] {abort.address()});
    arguments.add(new long[] {CudaInstance.PATIENCE});
    kernel.values().forEach(name -> arguments.add(new long[] {memory.rank().known(name)}));
    return arguments.toArray(long[][]::new);
  }

  @Override
  public synchronized void close() {
    if (open > 0) {
      throw new MachineException(
          "instances are still open: instances=" + open + "; close them before their executor");
    }
    company.close();
  }
}
