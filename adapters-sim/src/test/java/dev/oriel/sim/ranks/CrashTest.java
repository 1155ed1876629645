package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.LaneReceivers;
import dev.oriel.ports.channel.LaneSenders;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank crashes, or requests an abort, at each of its steps. Every other rank ends within its
 * deadlines, and all ranks that fail report the same first cause.
 */
class CrashTest {
  private static final WindowSpec SPEC =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(96))
          .withSignals(3)
          .withCounters(2)
          .withBarriers(1);

  /** Room for the rings of two lanes, and a slot for what the calls use. */
  private static final WindowSpec CHANNELS =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(640))
          .withSignals(5)
          .withCounters(3)
          .withBarriers(1);

  /** A message is stored after the rings. */
  private static final int MESSAGE = 512;

  private static ChannelSpec ring(ChannelMode mode) {
    return new ChannelSpec(0, 16, 2, 1, 3, 1).in(mode);
  }

  /**
   * One execution first in, first out, and one for each depth of priorities. A check of rank code
   * also repeats executions and runs executions in rounds. These are random with the same seed
   * under every strategy, so the check of random executions includes them all.
   */
  private static final int ONE = 1;

  /**
   * The default build crashes a rank at every tenth of its steps, the thorough one at every second.
   */
  private static final int STRIDE = Thorough.count(10, 4);

  private static final Duration SOON = Duration.ofMillis(100);
  private static final String THROUGH = "through";

  /** The calls that the ranks make on the window. */
  enum Use {
    CALLS(8),
    LANES(2),
    CHANNEL(3, ChannelMode.SIMPLE, 1),
    CHANNEL_OF_LANES(3, ChannelMode.SIMPLE, 2),
    PACKETS(3, ChannelMode.LL, 1),
    PACKETS_OF_LANES(3, ChannelMode.LL, 2),
    LINES(3, ChannelMode.LL128, 1);

    private final int calls;
    private final ChannelMode mode;
    private final int channels;

    Use(int calls) {
      this(calls, ChannelMode.SIMPLE, 0);
    }

    Use(int calls, ChannelMode mode, int channels) {
      this.calls = calls;
      this.mode = mode;
      this.channels = channels;
    }

    private boolean goesOver(String shape) {
      return mode == ChannelMode.SIMPLE || shape.equals("1x3");
    }

    private WindowSpec spec() {
      return channels == 0 ? SPEC : CHANNELS;
    }

    private RankArena arena() {
      RankArena plain =
          RankArena.of(3, List.of(spec())).withLanes(this == LANES ? 2 : Math.max(1, channels));
      return mode.packets().map(plain::withPackets).orElse(plain);
    }

    private List<Call> of(Communicator c, Window window) {
      return switch (this) {
        case CALLS -> calls(c.rank(), window);
        case LANES -> lanes(c, window);
        case CHANNEL, PACKETS, LINES -> channel(c.rank(), window, ring(mode));
        case CHANNEL_OF_LANES, PACKETS_OF_LANES -> channels(c, window, ring(mode));
      };
    }
  }

  private final String[] ends = {"", "", ""};

  private MemberCode code(Use use, int aborter, int call) {
    return (machine, ranks) -> {
      ends[ranks.rank()] = "not yet";
      try (Communicator c = machine.join(ranks)) {
        ends[ranks.rank()] = run(c, use, ranks.rank() == aborter ? call : -1);
      } catch (BootstrapException e) {
        ends[ranks.rank()] = String.valueOf(e.getMessage());
      }
    };
  }

  private static String run(Communicator c, Use use, int abortAt) throws Exception {
    try (Window window = c.window(use.spec())) {
      return use(c, window, use.of(c, window), abortAt);
    } catch (AbortedException e) {
      return e.abort().cause();
    } catch (BootstrapException e) {
      return c.abort(String.valueOf(e.getMessage())).cause();
    }
  }

  private static List<Call> calls(int rank, Window window) {
    int next = (rank + 1) % 3;
    int last = (rank + 2) % 3;
    return List.of(
        () -> window.write(0, CorrectRankCode.bytes(rank)),
        () -> window.putCounted(next, 8, window, 0, 8, 0),
        () -> window.signal(next, 0, 1),
        () -> window.awaitCounter(next, 0, Comparison.EQ, 1, SOON),
        () -> window.await(last, 0, Comparison.EQ, 1, SOON),
        () -> window.flush(next, SOON),
        () -> window.awaitSum(0, Comparison.GE, 1, SOON),
        () -> window.barrier(0, SOON));
  }

  /** Rank 0's message of three tiles goes to rank 2 through a ring of two tiles of rank 1. */
  private static List<Call> channel(int rank, Window window, ChannelSpec ring) {
    Sender next = new Sender(window, (rank + 1) % 3, ring);
    Receiver last = new Receiver(window, (rank + 2) % 3, ring);
    Transfer transfer =
        switch (rank) {
          case 0 -> next.send(window, MESSAGE, 48);
          case 1 -> last.forward(window, MESSAGE, 48, next);
          default -> last.receive(window, MESSAGE, 48);
        };
    return List.of(
        () -> window.write(MESSAGE + 48, CorrectRankCode.bytes(rank)),
        () -> transfer.finish(SOON),
        () -> window.barrier(0, SOON));
  }

  /** The same by two lanes. */
  private static List<Call> channels(Communicator c, Window window, ChannelSpec ring) {
    int rank = c.rank();
    LaneSenders next = new LaneSenders(window, (rank + 1) % 3, ring, 2, CopyOp.PLAIN);
    LaneReceivers last = new LaneReceivers(window, (rank + 2) % 3, ring, 2, CopyOp.PLAIN);
    return List.of(
        () -> window.write(MESSAGE + 96, CorrectRankCode.bytes(rank)),
        () ->
            c.lanes(
                2,
                Thread::startVirtualThread,
                lane -> {
                  next.in(lane);
                  last.in(lane);
                  Transfer transfer =
                      switch (rank) {
                        case 0 -> next.send(lane, window, MESSAGE, 96);
                        case 1 -> last.forward(lane, window, MESSAGE, 96, next);
                        default -> last.receive(lane, window, MESSAGE, 96);
                      };
                  transfer.finish(SOON);
                }),
        () -> window.barrier(0, SOON));
  }

  /** Two lanes, each with a neighbour of its own. */
  private static List<Call> lanes(Communicator c, Window window) {
    int rank = c.rank();
    return List.of(
        () ->
            c.lanes(
                2,
                Thread::startVirtualThread,
                lane -> {
                  int id = lane.number();
                  int peer = (rank + 1 + id) % 3;
                  int other = (rank + 2 - id) % 3;
                  Window mine = lane.window(window);
                  mine.put(peer, 8L * id, 48, 8);
                  mine.signal(peer, id, 1);
                  mine.await(other, id, Comparison.EQ, 1, SOON);
                }),
        () -> window.barrier(0, SOON));
  }

  private static String use(Communicator c, Window window, List<Call> calls, int abortAt)
      throws Exception {
    String end = THROUGH;
    try {
      for (int i = 0; i < calls.size(); i++) {
        if (i == abortAt) {
          end = c.abort("asked at call " + i).cause();
        }
        calls.get(i).run();
      }
    } catch (AbortedException e) {
      end = e.abort().cause();
    } catch (TimeoutException e) {
      end = c.abort(String.valueOf(e.getMessage())).cause();
    }
    try {
      window.close();
    } catch (BootstrapException e) {
      // Some rank has crashed: the result stays as it is, or becomes this cause.
      end = end.equals(THROUGH) ? c.abort(String.valueOf(e.getMessage())).cause() : end;
    }
    return end;
  }

  @FunctionalInterface
  private interface Call {
    void run() throws TimeoutException;
  }

  private Verdict check(
      String shape,
      Use use,
      Strategy strategy,
      int executions,
      MemberCode code,
      FaultPlan faults,
      int dead) {
    Arrays.fill(ends, "not yet");
    Topology world = shape.equals("mixed") ? LiveWorld.mixed(3) : Topology.parse(shape);
    return RankCodeExploration.of("dies", use.arena(), world, Thread::startVirtualThread, code)
        .withTimeouts(TimeoutPolicy.QUIESCENCE)
        .withFaults(faults)
        .withStrategy(strategy)
        .withBudget(new Budget(executions, 100, 100_000, 10_000_000))
        .afterEach(() -> judge(dead))
        .check()
        .verdict();
  }

  private void judge(int dead) {
    Set<String> causes = new TreeSet<>();
    for (int rank = 0; rank < 3; rank++) {
      if (rank != dead) {
        assertThat(ends[rank]).as("rank " + rank).isNotEqualTo("not yet");
        causes.add(ends[rank]);
      }
    }
    causes.remove(THROUGH);
    assertThat(causes).as(Arrays.toString(ends)).hasSizeLessThan(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1", "mixed"})
  void aRankDiesAtEachStep(String shape) {
    Set<String> seen = diesAtEachStep(shape, Use.CALLS);
    assertThat(seen).anySatisfy(s -> assertThat(s).contains("signal missing"));
    assertThat(seen).anySatisfy(s -> assertThat(s).contains("barrier not complete"));
    assertThat(seen).anySatisfy(s -> assertThat(s).contains("a rank is gone"));
  }

  @ParameterizedTest
  @CsvSource({
    "CHANNEL, 1x3",
    "CHANNEL, 3x1",
    "PACKETS, 1x3",
    "PACKETS_OF_LANES, 1x3",
    "LINES, 1x3"
  })
  void aRankDiesAtEachStepOfAChannel(Use use, String shape) {
    Set<String> seen = diesAtEachStep(shape, use);
    assertThat(seen).anySatisfy(s -> assertThat(s).contains("signal missing"));
    assertThat(seen).anySatisfy(s -> assertThat(s).contains("barrier not complete"));
    if (use.mode != ChannelMode.SIMPLE) {
      assertThat(seen).anySatisfy(s -> assertThat(s).contains("packets missing"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1"})
  void aRankDiesAtEachStepOfItsLanes(String shape) {
    assertThat(diesAtEachStep(shape, Use.LANES))
        .anySatisfy(s -> assertThat(s).contains("signal missing"));
  }

  private Set<String> diesAtEachStep(String shape, Use use) {
    Set<String> seen = new TreeSet<>();
    int steps = 0;
    for (int dead = 0; dead < 3; dead++) {
      boolean any = true;
      for (int after = 0; any; after += STRIDE) {
        FaultPlan crash = FaultPlan.of(new Fault.Crash(dead, after));
        for (Strategy strategy : List.of(Strategy.FIFO, Strategy.RANDOM)) {
          int executions = strategy == Strategy.RANDOM ? 3 : ONE;
          Verdict verdict = check(shape, use, strategy, executions, code(use, -1, 0), crash, dead);
          assertThat(verdict.violation()).as(crash.toString()).isEmpty();
        }
        any = !Arrays.stream(ends).allMatch(THROUGH::equals);
        seen.addAll(Arrays.asList(ends));
        steps += STRIDE;
      }
    }
    assertThat(steps).as("steps of all ranks").isGreaterThan(60);
    return seen;
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1", "mixed"})
  void aRankAbortsBeforeEachCall(String shape) {
    for (Use use : Use.values()) {
      if (use.goesOver(shape)) {
        abortsBeforeEachCall(shape, use);
      }
    }
  }

  private void abortsBeforeEachCall(String shape, Use use) {
    for (int aborter = 0; aborter < 3; aborter++) {
      for (int call = 0; call < use.calls; call++) {
        if (!Thorough.takes(8, shape, use, aborter, call)) {
          continue;
        }
        for (Strategy strategy : List.of(Strategy.FIFO, Strategy.RANDOM, Strategy.PCT)) {
          int executions = strategy == Strategy.RANDOM ? 5 : ONE;
          Verdict verdict =
              check(shape, use, strategy, executions, code(use, aborter, call), FaultPlan.NONE, -1);
          assertThat(verdict.violation()).as(aborter + " at " + call).isEmpty();
          assertThat(ends[aborter]).isEqualTo("asked at call " + call);
        }
      }
    }
  }
}
