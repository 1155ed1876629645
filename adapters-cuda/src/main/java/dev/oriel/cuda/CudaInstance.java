package dev.oriel.cuda;

import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.cuda.ptx.LaneStatus;
import dev.oriel.cuda.stress.RecordedStressRun;
import dev.oriel.cuda.stress.StressContents;
import dev.oriel.cuda.stress.StressKernels;
import dev.oriel.cuda.stress.StressedRank;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.StreamedInstance;
import dev.oriel.ports.setup.ExclusiveUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A program prepared on the GPUs of this process: memory is mapped, kernels are loaded, launches
 * are laid out.
 *
 * <p>The launching thread also waits for the end: no other thread watches.
 */
public final class CudaInstance implements StreamedInstance {
  /** How long one wait on the device may last, whatever the host does. */
  static final long TIMEOUT = Duration.ofSeconds(60).toNanos();

  /** How long the host waits for kernels that it has asked to end. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final String digest;
  private final List<LocalRank> ranks;
  private final HostWord abortWord;
  private final InstancePeers peers;
  private final Optional<RankQueues> queues;
  private final Function<Gpu, StressKernels> stressKernels;
  private final FabricListener listener;
  private final Clock clock;
  private final ResourceStack owned;

  /**
   * Why no lane may continue: the first reason given here, later replaced by the one that all ranks
   * agree on.
   */
  private final AtomicReference<@Nullable InstanceEnd> end = new AtomicReference<>();

  private final CallerStreams borrowed = new CallerStreams();

  /** The number of times that this thread waited for kernels. */
  private long rounds;

  /** Whether kernels were asked to give up; all later ones will give up as well. */
  private boolean asked;

  /** Whether kernels may run that no call of this instance waits for. */
  private volatile boolean recorded;

  private final ExclusiveUse turn;

  CudaInstance(
      Program program,
      List<LocalRank> ranks,
      HostWord abortWord,
      InstancePeers peers,
      Optional<RankQueues> queues,
      Function<Gpu, StressKernels> stressKernels,
      FabricListener listener,
      Clock clock,
      ResourceStack owned) {
    this.digest = program.digest();
    this.turn = new ExclusiveUse(digest);
    this.ranks = ranks;
    this.abortWord = abortWord;
    this.peers = peers;
    this.queues = queues;
    this.stressKernels = stressKernels;
    this.listener = listener;
    this.clock = clock;
    this.owned = owned;
  }

  @Override
  public List<Integer> ranks() {
    return ranks.stream().map(LocalRank::rank).toList();
  }

  @Override
  public void write(int rank, String buffer, long offset, byte[] bytes) {
    turn.use(() -> {
      LocalRank local = local(rank);
      local.memory().write(local.gpu(), buffer, offset, bytes);
      return local;
    });
  }

  @Override
  public byte[] read(int rank, String buffer, long offset, int length) {
    return turn.use(() -> {
      LocalRank local = local(rank);
      return local.memory().read(local.gpu(), buffer, offset, length);
    });
  }

  private LocalRank local(int rank) {
    return ranks.stream()
        .filter(local -> local.rank() == rank)
        .findFirst()
        .orElseThrow(() ->
            new IndexOutOfBoundsException(
                "rank is not local: rank=%d, local=%s; use a local rank".formatted(rank, ranks())));
  }

  @Override
  public List<Outcome> launch(Duration deadline) {
    return turn.use(() -> {
      borrowed.requireIdle();
      Deadline until = Deadline.in(deadline, clock);
      return over() ? later() : run(until);
    });
  }

  private boolean over() {
    if (end.get() == null) {
      peers.ended().ifPresent(this::finish);
    }
    return end.get() != null;
  }

  /** Asks the kernels to end; only the first reason counts. */
  private void finish(InstanceEnd reason) {
    if (end.compareAndSet(null, reason)) {
      peers.announce(reason);
    }
    abortWord.set(1);
  }

  private List<Outcome> later() {
    InstanceEnd over = end.get();
    return ranks.stream().map(_ -> over == null ? new Outcome.Done() : over.later()).toList();
  }

  private List<Outcome> run(Deadline until) {
    together(() -> {
      for (LocalRank local : ranks) {
        listener.posted(local.rank(), digest, clock.nanos());
        local.launch();
      }
      await(until, this::idle, "");
    });
    List<Outcome> outcomes = outcomes(ranks);
    for (int i = 0; i < ranks.size(); i++) {
      listener.completed(ranks.get(i).rank(), digest, outcomes.get(i), clock.nanos());
    }
    return outcomes;
  }

  /** If one rank fails to start or to run, ends the others: no kernel is left running. */
  private void together(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      lose(ranks.getFirst().rank(), "launch failed: reason=" + e.getMessage());
      Deadline grace = Deadline.in(GRACE, clock);
      while (!ranks.stream().allMatch(CudaInstance::gone) && !grace.passed()) {
        Thread.onSpinWait();
      }
      throw e;
    }
  }

  /** Whether no work of the rank runs any more; a failed stream runs nothing. */
  private static boolean gone(LocalRank local) {
    try {
      return local.stream().idle();
    } catch (MachineException e) {
      return true;
    }
  }

  /**
   * Waits for every kernel, and drives the network where the host has to. After the deadline, or
   * once the instance has ended, asks the kernels to give up, and waits for that as well.
   *
   * @param besides advice for the message: other work that may keep a stream busy, and its remedy
   */
  private void await(Deadline until, BooleanSupplier idle, String besides) {
    Deadline grace = null;
    long round = ++rounds;
    while (!idle.getAsBoolean() || !(settled(round) || over() || until.passed())) {
      Thread.onSpinWait();
      queues.ifPresent(RankQueues::progress);
      queues.flatMap(RankQueues::failure).ifPresent(why -> lose(ranks.getFirst().rank(), why));
      if (grace == null && (over() || until.passed())) {
        abortWord.set(1);
        asked = true;
        grace = Deadline.in(GRACE, clock);
      }
      if (grace != null && grace.passed()) {
        late();
        throw new MachineException(
            "kernels do not end: program=%s; %sthe process must end".formatted(digest, besides));
      }
    }
  }

  /** Whether no rank of another process needs this thread for its requests of that round. */
  private boolean settled(long round) {
    return queues.map(own -> own.settled(round)).orElse(true);
  }

  /**
   * Ends the instance if kernels were asked to give up: no launch may follow, even if all of them
   * completed.
   */
  private void late() {
    if (asked && end.get() == null) {
      finish(
          new InstanceEnd(
              ranks.getFirst().rank(), InstanceEnd.Kind.TIMED_OUT, "the deadline passed"));
    }
  }

  /** Ends the instance after a failure of one lane that stops every other lane, too. */
  private void lose(int rank, String why) {
    finish(new InstanceEnd(rank, InstanceEnd.Kind.ABORTED, why));
  }

  private boolean idle() {
    return ranks.stream().allMatch(local -> local.stream().idle());
  }

  private List<Outcome> outcomes(List<LocalRank> of) {
    SortedMap<Integer, Long> statuses = new TreeMap<>();
    // All ranks, since a rank that was not asked for may have the cause.
    ranks.forEach(r -> statuses.put(r.rank(), r.gpu().readWord(r.memory().status())));
    LaunchEndCause.end(statuses, rank -> wait(local(rank))).ifPresent(this::finish);
    late();
    InstanceEnd mine = end.get();
    InstanceEnd over = mine == null ? null : peers.settle(mine);
    if (over != null) {
      end.set(over);
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (LocalRank local : of) {
      long status = Objects.requireNonNull(statuses.get(local.rank()));
      outcomes.add(outcome(local, status, over));
    }
    return outcomes;
  }

  /** The wait that the rank's first lane gave up, as the end of a sentence. */
  private static String wait(LocalRank local) {
    RankMemory memory = local.memory();
    long[] words = local.gpu().readWords(memory.status(), LaneStatus.BYTES / Long.BYTES);
    long polled = words[LaneStatus.POLLED / Long.BYTES];
    return polled == 0
        ? ""
        : ": lane=%s, waited for=%s"
            .formatted(memory.lane(words[LaneStatus.LINE / Long.BYTES]), memory.place(polled));
  }

  private static Outcome outcome(LocalRank local, long status, @Nullable InstanceEnd over) {
    if (status >= LaneStatus.FAILED) {
      local.gpu().write(local.memory().status(), new long[LaneStatus.BYTES / Long.BYTES]);
      return new Outcome.Failed((int) (status - LaneStatus.FAILED));
    }
    return status == LaneStatus.RUNNING || over == null
        ? new Outcome.Done()
        : over.outcome(local.rank(), wait(local));
  }

  /**
   * {@inheritDoc}
   *
   * <p>A wait gives up after a minute. Capture in mode {@code RELAXED}.
   *
   * @param stream the {@code CUstream}, made with {@code CU_STREAM_NON_BLOCKING}
   * @throws IllegalArgumentException if it is a blocking one
   */
  @Override
  public void record(int rank, long stream) {
    turn.use(() -> {
      LocalRank local = local(rank);
      recorded = true;
      // Set before the check: a later abort then stops the recorded work, and the check sees an
      // earlier one.
      if (over()) {
        throw new MachineException(
            "instance has ended: program=%s, why=%s; prepare it again"
                .formatted(digest, Objects.requireNonNull(end.get()).cause()));
      }
      try {
        borrowed.launch(local, stream);
      } catch (MachineException e) {
        if (borrowed.mayHold(stream)) {
          lose(rank, "launch failed: reason=" + e.getMessage());
        }
        throw e;
      }
      return local;
    });
  }

  @Override
  public Outcome settle(int rank, long stream, Duration deadline) {
    return turn.use(() -> {
      LocalRank local = local(rank);
      DriverStream external =
          orLost(rank, stream, () -> DriverStream.external(local.gpu(), stream));
      if (orLost(rank, stream, external::isCapturing)) {
        throw new MachineException(
            "stream is being captured: rank=%d, stream=%d; settle it after the capture"
                .formatted(rank, stream));
      }
      await(
          Deadline.in(deadline, clock),
          () -> orLost(rank, stream, external::idle),
          "if work of your own is in the stream, end that and settle it again, or else ");
      borrowed.settled(stream);
      return outcomes(List.of(local)).getFirst();
    });
  }

  /**
   * If the driver reports an error for the stream, the stream has failed: nothing in it runs any
   * more.
   */
  private <T> T orLost(int rank, long stream, Supplier<T> question) {
    try {
      return question.get();
    } catch (MachineException e) {
      if (borrowed.mayHold(stream)) {
        borrowed.settled(stream);
        lose(rank, "stream failed: reason=" + e.getMessage());
      }
      throw e;
    }
  }

  /**
   * Records {@code calls} launches in a row on every GPU of this process. Not collective, but all
   * ranks replay equally often.
   */
  public Recording record(int calls) {
    return turn.use(() -> {
      List<DriverGraph> graphs =
          ranks.stream().map(local -> captured(local, calls, local::launch)).toList();
      return deadline -> turn.use(() -> replay(graphs, Deadline.in(deadline, clock)));
    });
  }

  private DriverGraph captured(LocalRank local, int times, Runnable work) {
    return owned.add(
        local.stream()
            .capture(() -> {
              for (int i = 0; i < times; i++) {
                work.run();
              }
            }));
  }

  /**
   * Records {@code calls} launches in a row on every GPU of this process. Before each launch the
   * GPU writes the inputs, and after it the GPU compares the outputs. All ranks replay equally
   * often.
   *
   * @param sheets of each local rank, with the same buffers; launches use the sheets in turn
   * @param seed of the pauses before every other launch
   * @param longest the longest such pause
   */
  public RecordedStressRun stressRun(
      Map<Integer, List<StressContents>> sheets, int calls, long seed, Duration longest) {
    return turn.use(() -> {
      SortedMap<Integer, StressedRank> stressed = new TreeMap<>();
      List<DriverGraph> graphs = new ArrayList<>();
      for (LocalRank local : ranks) {
        int rank = local.rank();
        StressedRank own =
            owned.add(
                new StressedRank(
                    local.gpu(),
                    stressKernels.apply(local.gpu()),
                    Objects.requireNonNull(sheets.get(rank)),
                    local.memory()::buffer,
                    seed + rank,
                    longest.toNanos()));
        stressed.put(rank, own);
        graphs.add(captured(local, calls, () -> round(local, own)));
      }
      return deadline -> turn.use(() -> stressed(graphs, stressed, Deadline.in(deadline, clock)));
    });
  }

  private static void round(LocalRank local, StressedRank stressed) {
    stressed.before(local.stream());
    local.launch();
    stressed.after(local.stream());
  }

  private RecordedStressRun.StressResult stressed(
      List<DriverGraph> graphs, SortedMap<Integer, StressedRank> ranks, Deadline until) {
    List<Outcome> outcomes = replay(graphs, until).outcomes();
    SortedMap<Integer, StressedRank.RankMismatch> wrong = new TreeMap<>();
    ranks.forEach((rank, stressed) -> stressed.wrong().ifPresent(first -> wrong.put(rank, first)));
    return new RecordedStressRun.StressResult(outcomes, wrong);
  }

  private ReplayResult replay(List<DriverGraph> graphs, Deadline until) {
    borrowed.requireIdle();
    if (over()) {
      return new ReplayResult(later(), Duration.ZERO);
    }
    together(() -> {
      graphs.forEach(DriverGraph::replay);
      await(until, this::idle, "");
    });
    Duration slowest =
        graphs.stream().map(DriverGraph::elapsed).max(Duration::compareTo).orElseThrow();
    return new ReplayResult(outcomes(ranks), slowest);
  }

  /**
   * How often memory was allocated, a kernel loaded or a driver object made on the GPUs of this
   * process so far. From the second launch, replay or recording into a stream on, the number stays
   * the same.
   */
  public long preparations() {
    return ranks.stream().map(LocalRank::gpu).distinct().mapToLong(Gpu::preparations).sum();
  }

  /** A recorded run of launches on every GPU of this process. */
  @FunctionalInterface
  public interface Recording {
    /** Runs it once within the deadline, and returns as a launch does. */
    ReplayResult replay(Duration deadline);
  }

  /**
   * How a replay ended.
   *
   * @param outcomes of each local rank
   * @param slowest the time on the slowest GPU, by its own clock
   */
  public record ReplayResult(List<Outcome> outcomes, Duration slowest) {}

  @Override
  public void abort(String cause) {
    InstanceEnd asked = new InstanceEnd(ranks.getFirst().rank(), InstanceEnd.Kind.ABORTED, cause);
    if (end.compareAndSet(null, asked)) {
      peers.announce(asked);
      if (turn.inUse() || recorded) {
        abortWord.set(1);
      }
    }
  }

  @Override
  public void close() {
    turn.close(
        () -> borrowed.requireNone(Deadline.in(GRACE, clock)),
        () -> {
          try (owned) {
            peers.meet();
          }
        });
  }
}
