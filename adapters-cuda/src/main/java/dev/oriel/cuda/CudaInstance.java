package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.driver.Stream;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.cuda.ptx.Status;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.queue.QueueNetwork;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A program prepared on the GPUs of one process: memory mapped, kernels loaded, launches laid out.
 */
public final class CudaInstance implements Executor.Instance {
  /** How long one wait on the device may last, whatever the host does. */
  private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

  /** How long a replay may last before its kernels are asked to end. */
  private static final Duration REPLAY = Duration.ofMinutes(2);

  /** How long the host waits for kernels that it asked to end. */
  private static final long GRACE = Duration.ofSeconds(5).toNanos();

  private final String digest;
  private final FabricListener listener;
  private final Clock clock;
  private final List<RankMemory> memories = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private final HostWord abortWord;
  private final Optional<RankQueues> queues;

  /** Why no lane may go on; the first who asks decides. */
  private final AtomicReference<@Nullable String> end = new AtomicReference<>();

  private final AtomicBoolean inUse = new AtomicBoolean();
  private boolean closed;

  CudaInstance(
      Program program,
      Topology topology,
      List<Gpu> gpus,
      Optional<Outside> outside,
      FabricListener listener,
      Clock clock,
      Runnable onClose) {
    this.digest = program.digest();
    this.listener = listener;
    this.clock = clock;
    undo.push(onClose);
    try {
      boolean hosted = outside.map(Outside::hosted).orElse(false);
      abortWord = own(new HostWord(gpus.getFirst()));
      for (int rank = 0; rank < gpus.size(); rank++) {
        memories.add(own(new RankMemory(gpus.get(rank), program.rank(rank), hosted)));
      }
      gpus.forEach(from -> gpus.stream().filter(to -> to != from).forEach(from::map));
      Optional<QueueNetwork> network = outside.map(Outside::network);
      queues = network.map(n -> own(new RankQueues(n, memories, topology)));
      load(program, topology, network);
    } catch (RuntimeException e) {
      undo.removeLast();
      free();
      throw e;
    }
  }

  private <T extends AutoCloseable> T own(T resource) {
    undo.push(() -> {
      try {
        resource.close();
      } catch (Exception e) {
        throw new MachineException(
            "could not free: resource=%s, reason=%s; the process must end".formatted(resource, e));
      }
    });
    return resource;
  }

  /** Compiles for the links that there are; without a network, only those of NVLink peers. */
  private void load(Program program, Topology topology, Optional<QueueNetwork> network) {
    Set<PeerKind> kinds = network.isPresent() ? topology.kinds() : Set.of(PeerKind.NVLINK);
    LoweredForm form = Lowering.lower(program.form(), kinds);
    Map<Gpu, LoadedKernel> kernels = new LinkedHashMap<>();
    for (RankMemory memory : memories) {
      kernels
          .computeIfAbsent(
              memory.gpu(),
              gpu -> own(new LoadedKernel(gpu, form, network.map(QueueNetwork::format))))
          .admit(memory.rank().lanes().size());
    }
    for (RankMemory memory : memories) {
      LoadedKernel loaded = Objects.requireNonNull(kernels.get(memory.gpu()));
      streams.add(own(memory.gpu().stream()));
      long[][] arguments = arguments(program, memory, loaded.kernel());
      launches.add(own(loaded.launch(memory.rank().lanes().size(), arguments)));
    }
  }

  /** Where every rank's memory is mapped; see {@link Kernel}. */
  private long[] bases(Program program) {
    List<Long> bases = new ArrayList<>();
    for (Buffer b : program.form().buffers()) {
      memories.forEach(m -> bases.add(m.buffer(b.name())));
    }
    memories.forEach(m -> bases.add(m.slots()));
    long[] all = bases.stream().mapToLong(Long::longValue).toArray();
    return Arrays.copyOf(all, Kernel.bases(program.form()));
  }

  private long[][] arguments(Program program, RankMemory memory, Kernel kernel) {
    List<long[]> arguments = new ArrayList<>();
    arguments.add(bases(program));
    arguments.add(new long[] {memory.lane(0)});
    arguments.add(new long[] {memory.status()});
    arguments.add(new long[] {abortWord.address()});
    arguments.add(new long[] {PATIENCE});
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
  public List<Integer> ranks() {
    return IntStream.range(0, memories.size()).boxed().toList();
  }

  @Override
  public void write(int rank, String buffer, long offset, byte[] bytes) {
    exclusively(() -> {
      RankMemory memory = memory(rank);
      memory.write(buffer, offset, bytes);
      return memory;
    });
  }

  @Override
  public byte[] read(int rank, String buffer, long offset, int length) {
    return exclusively(() -> memory(rank).read(buffer, offset, length));
  }

  private RankMemory memory(int rank) {
    if (rank < 0 || rank >= memories.size()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: rank=%d, world=%d; use a local rank"
              .formatted(rank, memories.size()));
    }
    return memories.get(rank);
  }

  @Override
  public List<Outcome> launch(Duration deadline) {
    return exclusively(() -> {
      Deadline until = Deadline.in(deadline, clock);
      String over = end.get();
      return over == null ? run(until) : everyRank(new Outcome.Aborted(over));
    });
  }

  private List<Outcome> run(Deadline until) {
    for (int rank : ranks()) {
      listener.posted(rank, digest, clock.nanos());
      streams.get(rank).launch(launches.get(rank));
    }
    await(until);
    List<Outcome> outcomes = ranks().stream().map(this::outcome).toList();
    if (outcomes.stream().anyMatch(Outcome.TimedOut.class::isInstance)) {
      end.compareAndSet(null, "an earlier launch timed out: outcomes=" + outcomes);
    }
    for (int rank : ranks()) {
      listener.completed(rank, digest, outcomes.get(rank), clock.nanos());
    }
    return outcomes;
  }

  /**
   * Waits for every kernel, and does for the network what it does not do by itself. Past the
   * deadline, or when a request failed, it asks them to end, which they do by themselves.
   */
  private void await(Deadline until) {
    while (!idle()) {
      Thread.onSpinWait();
      queues.ifPresent(RankQueues::progress);
      queues.flatMap(RankQueues::failure).ifPresent(this::stop);
      if (until.passed()) {
        abortWord.set(1);
        if (until.left() < -GRACE) {
          throw new MachineException(
              "kernels do not end: program=%s; the process must end".formatted(digest));
        }
      }
    }
  }

  private boolean idle() {
    return streams.stream().allMatch(Stream::idle);
  }

  private Outcome outcome(int rank) {
    RankMemory memory = memories.get(rank);
    long status = memory.takeStatus();
    if (status == Status.RUNNING) {
      return new Outcome.Done();
    }
    if (status >= Status.FAILED) {
      return new Outcome.Failed((int) (status - Status.FAILED));
    }
    if (status == Status.QUEUE_FAILED) {
      stop("an interface reported a failed request: rank=%d".formatted(rank));
    }
    String cause = end.get();
    return cause == null
        ? new Outcome.TimedOut("rank=%d: a lane gave up waiting".formatted(rank))
        : new Outcome.Aborted(cause);
  }

  private List<Outcome> everyRank(Outcome outcome) {
    return ranks().stream().map(rank -> outcome).toList();
  }

  /**
   * Records {@code calls} launches in a row on every GPU.
   *
   * @return a replay that runs them all and says how long the slowest GPU took
   */
  public Replay record(int calls) {
    List<Stream.Graph> graphs = new ArrayList<>();
    for (int rank : ranks()) {
      Stream stream = streams.get(rank);
      graphs.add(
          own(
              stream.capture(() -> {
                for (int i = 0; i < calls; i++) {
                  stream.launch(launches.get(rank));
                }
              })));
    }
    return () -> {
      List<Stream.Timing> timings = graphs.stream().map(Stream.Graph::replay).toList();
      await(Deadline.in(REPLAY, clock));
      return timings.stream().map(Stream.Timing::elapsed).max(Duration::compareTo).orElseThrow();
    };
  }

  /** A recorded run of launches on every GPU. */
  @FunctionalInterface
  public interface Replay {
    /** Runs it once; the time of the slowest GPU, by its own clock. */
    Duration run();
  }

  /** No lane goes on, in this launch or a later one. */
  private void stop(String cause) {
    end.compareAndSet(null, cause);
    abortWord.set(1);
  }

  @Override
  public void abort(String cause) {
    if (end.compareAndSet(null, cause) && inUse.get()) {
      abortWord.set(1);
    }
  }

  @Override
  public void close() {
    if (!inUse.compareAndSet(false, true)) {
      throw inUse();
    }
    try {
      if (!closed) {
        closed = true;
        free();
      }
    } finally {
      inUse.set(false);
    }
  }

  private void free() {
    while (!undo.isEmpty()) {
      undo.pop().run();
    }
  }

  private <T> T exclusively(Supplier<T> call) {
    if (!inUse.compareAndSet(false, true)) {
      throw inUse();
    }
    try {
      if (closed) {
        throw new MachineException("instance is closed: program=" + digest + "; prepare it again");
      }
      return call.get();
    } finally {
      inUse.set(false);
    }
  }

  private MachineException inUse() {
    return new MachineException(
        "instance is in use: program=" + digest + "; let one thread at a time use it");
  }
}
