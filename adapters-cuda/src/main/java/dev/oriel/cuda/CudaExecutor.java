package dev.oriel.cuda;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Device;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.StreamFork;
import dev.oriel.cuda.driver.StreamNode;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.stress.StressKernels;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Runs programs on the GPUs of this host: all ranks in this process, or one in each of several. */
public final class CudaExecutor implements Executor {
  private final WorldProcesses company;
  private final FabricListener listener;
  private final Clock clock;
  private final Map<Gpu, StressKernels> stressKernels = new LinkedHashMap<>();
  private java.util.concurrent.Executor compiling = Runnable::run;
  private int prepared;
  private int open;

  private CudaExecutor(WorldProcesses company, FabricListener listener, Clock clock) {
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
    return new CudaExecutor(
        new SingleProcessWorld(CudaDriver.open(), Optional.empty(), false), listener, clock);
  }

  /**
   * Opens every GPU for ranks that may share GPUs: ranks are assigned round robin. While ranks
   * share a GPU, no other work may run on it, of this process or another. The check that all their
   * lanes are co-resident only counts blocks, and the count holds only on an otherwise empty GPU.
   */
  public static CudaExecutor shared(FabricListener listener, Clock clock) {
    return new CudaExecutor(
        new SingleProcessWorld(CudaDriver.open(), Optional.empty(), true), listener, clock);
  }

  /** Opens every GPU, with a network for peers that are not on NVLink; kernels post to it. */
  public static CudaExecutor open(
      Optional<NetworkPath> outside, FabricListener listener, Clock clock) {
    boolean sharing = outside.isPresent();
    return new CudaExecutor(
        new SingleProcessWorld(CudaDriver.open(), outside, sharing), listener, clock);
  }

  /**
   * Opens the GPU of this process, one rank of a world whose other ranks are in other processes of
   * this host. Collective over these ranks.
   *
   * <p>If one of them is lost, every current and later launch of the others ends. The surviving
   * processes then close this executor and the group, and join another one. A GPU that is open
   * twice is set up once; keep another executor open meanwhile to avoid the set-up.
   *
   * @param ranks stays the caller's, and must stay open as long as the executor
   * @param localRank the number of this process on its host
   * @throws MachineException on every rank, if one of them cannot take part
   */
  public static CudaExecutor join(
      Bootstrap ranks, int localRank, FabricListener listener, Clock clock) {
    return new CudaExecutor(
        MultiProcessWorld.join(ranks, () -> CudaDriver.open(localRank), listener, clock),
        listener,
        clock);
  }

  /**
   * Opens the GPU of this process, one rank of a world of several hosts that a network connects.
   * Ranks that a program's topology puts on one host share what peers reach in pages of that host.
   * Collective over these ranks.
   *
   * <p>The thread that launches also drives the network, and a launch ends on a rank once it has
   * ended on all others, or at its deadline. A rank that is lost ends the launch of the others.
   *
   * @param ranks stays the caller's, and must stay open as long as the executor
   * @param localRank the number of this process on its host
   * @throws MachineException on every rank, if one of them cannot take part
   */
  public static CudaExecutor join(
      Bootstrap ranks, int localRank, RemoteNetwork network, FabricListener listener, Clock clock) {
    return new CudaExecutor(
        NetworkedWorld.join(
            ranks, () -> CudaDriver.open(localRank), network, /* sharing */ false, clock),
        listener,
        clock);
  }

  /**
   * The same for processes that may share a GPU. The driver then runs their kernels in turns, so a
   * rank that waits for another one waits for whole time slices.
   */
  public static CudaExecutor joinShared(
      Bootstrap ranks, int localRank, RemoteNetwork network, FabricListener listener, Clock clock) {
    return new CudaExecutor(
        NetworkedWorld.join(
            ranks, () -> CudaDriver.open(localRank), network, /* sharing */ true, clock),
        listener,
        clock);
  }

  /**
   * Sets what compiles the kernels of long programs, which have one for each rank. Without it the
   * thread that prepares a program compiles them one after another.
   *
   * @param executor runs each compilation, of seconds, best at the same time. The thread that
   *     prepares a program waits for them, so it is none of this executor's
   */
  public synchronized void compileWith(java.util.concurrent.Executor executor) {
    compiling = executor;
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

  /** The kind of this process's first GPU, as the driver names it. */
  public String gpu() {
    return company.gpus().getFirst().name();
  }

  /** The CUDA version of the driver. */
  public static String driver() {
    return CudaDriver.version();
  }

  /**
   * One line per GPU of this process: its access to the memory of each other GPU that the driver
   * shows. The access is {@code atomics} (loads, stores and atomics), {@code stores} (loads and
   * stores only) or {@code nothing}.
   */
  public List<String> peers() {
    List<Device> shown = Device.shown();
    return company.gpus().stream().map(gpu -> peers(gpu.device(), shown)).toList();
  }

  private static String peers(Device gpu, List<Device> shown) {
    return shown.stream()
        .filter(other -> other.ordinal() != gpu.ordinal())
        .map(other -> other.ordinal() + " " + reached(gpu, other))
        .collect(Collectors.joining(", ", "gpu=%d, peers=[".formatted(gpu.ordinal()), "]"));
  }

  private static String reached(Device from, Device to) {
    if (!from.reaches(to)) {
      return "nothing";
    }
    return from.changesAtomically(to) ? "atomics" : "stores";
  }

  @Override
  public CudaInstance prepare(Program program, Topology topology) {
    return prepare(program, topology, Map.of());
  }

  /**
   * Prepares a program whose local ranks use the application's memory as inputs and outputs. The
   * memory stays the application's. It must not be freed before every rank has closed the instance.
   *
   * <p>Only memory of {@code cuMemAlloc} can be lent: peers map whole allocations, and other
   * processes open them by a legacy handle.
   *
   * @param given by rank and buffer, each at a multiple of 16; the executor allocates buffers that
   *     are not named
   * @throws MachineException on every rank, if some of the memory does not serve
   */
  public synchronized CudaInstance prepare(
      Program program, Topology topology, Map<Integer, Map<String, UserMemory>> given) {
    int number = prepared++;
    String step = "instance " + number;
    ResourceStack owned = new ResourceStack();
    try {
      SortedMap<Integer, Gpu> local =
          company.together(
              step + ": place",
              () -> {
                PeerReachCheck.require(program, topology, company.outside().isPresent());
                SortedMap<Integer, Gpu> placed =
                    company.place(
                        program, topology, PeerAccessRequirement.of(lowered(program, topology)));
                CallerBuffers.require(program, given, placed.keySet(), company.outside());
                return placed;
              });
      List<RankMemory> memories = company.memories(number, program, topology, local, given, owned);
      HostWord abort =
          company.together(step + ": word", () -> owned.add(new HostWord(first(local))));
      Optional<? extends OutsideNetwork> network = company.outside();
      Optional<RankQueues> queues =
          network.map(
              n -> owned.add(new RankQueues(n, step + ": network", local, memories, topology)));
      LoweredForm form = lowered(program, topology);
      List<LocalRank> ranks =
          company.together(
              step + ": load",
              () -> {
                ChainLoader.Arguments arguments =
                    (memory, kernel, lane) ->
                        arguments(program, memories, memory, kernel, lane, queues, abort);
                Map<Integer, List<List<StreamNode>>> work =
                    ChainLoader.serves(form)
                        ? chains(form, local, memories, arguments, owned)
                        : launches(
                            new KernelLoader(
                                    form, network.map(OutsideNetwork::format), compiling, owned)
                                .load(local, memories),
                            local,
                            memories,
                            arguments,
                            owned);
                return ranks(local, memories, work, owned);
              });
      open++;
      owned.add(this::closed);
      return new CudaInstance(
          program,
          ranks,
          abort,
          company.peers(number),
          queues,
          this::stressKernels,
          listener,
          clock,
          owned);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  private LoweredForm lowered(Program program, Topology topology) {
    return FormLowering.lower(
        program.form(), company.outside().isPresent() ? topology.kinds() : Set.of(PeerKind.NVLINK));
  }

  private static Gpu first(SortedMap<Integer, Gpu> local) {
    return local.sequencedValues().getFirst();
  }

  private synchronized StressKernels stressKernels(Gpu gpu) {
    return stressKernels.computeIfAbsent(gpu, StressKernels::load);
  }

  private synchronized void closed() {
    open--;
  }

  /** One kernel for all lanes of a rank. */
  private static Map<Integer, List<List<StreamNode>>> launches(
      Map<Integer, LoadedKernel> kernels,
      SortedMap<Integer, Gpu> local,
      List<RankMemory> memories,
      ChainLoader.Arguments arguments,
      ResourceStack owned) {
    Map<Integer, List<List<StreamNode>>> work = new LinkedHashMap<>();
    local.forEach((rank, gpu) -> {
      RankMemory memory = memories.get(rank);
      LoadedKernel loaded = Objects.requireNonNull(kernels.get(rank));
      long[][] all = arguments.of(memory, loaded.kernel(), 0);
      KernelLaunch launch = owned.add(loaded.launch(memory.rank().lanes().size(), all));
      work.put(rank, List.of(List.of(launch)));
    });
    return work;
  }

  /** A chain for each lane of a rank. */
  private static Map<Integer, List<List<StreamNode>>> chains(
      LoweredForm form,
      SortedMap<Integer, Gpu> local,
      List<RankMemory> memories,
      ChainLoader.Arguments arguments,
      ResourceStack owned) {
    ChainLoader loader = new ChainLoader(form, memories, arguments, owned);
    Map<Integer, List<List<StreamNode>>> work = new LinkedHashMap<>();
    local.forEach((rank, gpu) -> work.put(rank, loader.load(memories.get(rank), gpu)));
    return work;
  }

  private static List<LocalRank> ranks(
      SortedMap<Integer, Gpu> local,
      List<RankMemory> memories,
      Map<Integer, List<List<StreamNode>>> work,
      ResourceStack owned) {
    List<LocalRank> ranks = new ArrayList<>();
    local.forEach((rank, gpu) -> {
      DriverStream stream = owned.add(gpu.stream());
      StreamFork fork = owned.add(new StreamFork(gpu, Objects.requireNonNull(work.get(rank))));
      ranks.add(new LocalRank(rank, gpu, memories.get(rank), stream, fork));
    });
    return ranks;
  }

  /** Where every rank's memory is mapped; see {@link PtxKernel}. */
  private static long[] bases(Program program, List<RankMemory> memories) {
    List<Long> bases = new ArrayList<>();
    for (Buffer b : program.form().buffers()) {
      memories.forEach(m -> bases.add(m.buffer(b.name())));
    }
    memories.forEach(m -> bases.add(m.slots()));
    long[] all = bases.stream().mapToLong(Long::longValue).toArray();
    return Arrays.copyOf(all, PtxKernel.bases(program.form()));
  }

  private static long[][] arguments(
      Program program,
      List<RankMemory> memories,
      RankMemory memory,
      PtxKernel kernel,
      int lane,
      Optional<RankQueues> queues,
      HostWord abort) {
    List<long[]> arguments = new ArrayList<>();
    arguments.add(bases(program, memories));
    arguments.add(new long[] {memory.lane(lane)});
    arguments.add(new long[] {memory.status()});
    arguments.add(new long[] {abort.address()});
    arguments.add(new long[] {CudaInstance.TIMEOUT});
    if (kernel.networked()) {
      RankQueues posted = queues.orElseThrow();
      int rank = memory.rank().rank();
      arguments.add(new long[] {posted.table(rank)});
      arguments.add(new long[] {posted.peers(rank)});
      arguments.add(new long[] {memory.sink()});
    }
    kernel.values().forEach(name -> arguments.add(new long[] {memory.rank().known(name)}));
    return arguments.toArray(long[][]::new);
  }

  @Override
  public synchronized void close() {
    if (open > 0) {
      throw new MachineException(
          "instances are still open: instances=" + open + "; close them before their executor");
    }
    ResourceStack last = new ResourceStack();
    last.add(company);
    stressKernels.values().forEach(last::add);
    stressKernels.clear();
    last.close();
  }
}
