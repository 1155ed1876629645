package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.persistent.CallSchedule;
import dev.oriel.domain.persistent.CallStep;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import dev.oriel.ports.persistent.StepMachine;
import dev.oriel.ports.persistent.StepStream;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Persistent calls in many orders, and the findings if a call lacks a step. */
@ParameterizedClass
@EnumSource(ExchangePattern.class)
class PersistentExplorationTest {
  /** The start of the source, after two ranges of 3 * 8 bytes; all-to-all needs as many bytes. */
  private static final int FROM = 48;

  private static final CallSpec SPEC = new CallSpec(FROM + 24, 0, 2, 0);

  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(SPEC.control() + SPEC.controlBytes(3)))
          .withSignals(SPEC.signalCount())
          .withBarriers(1);
  private static final WindowRegion FIRST = new WindowRegion("w", 0, 24);
  private static final WindowRegion SECOND = new WindowRegion("w", 24, 24);
  private static final Budget BUDGET =
      new Budget(Thorough.count(6, 30), Thorough.count(100, 400), 200_000, 3_000_000_000L);

  @Parameter ExchangePattern exchange = ExchangePattern.ALL_GATHER;

  private RankCodeExploration exploration(String shape, RankCode code) {
    return RankCodeExploration.of(
            exchange.spelling(), WINDOW, Topology.parse(shape), Thread::startVirtualThread, code)
        .withBudget(BUDGET);
  }

  private static PersistentCalls over(Window window, CallSchedule schedule)
      throws TimeoutException {
    return PersistentCalls.over(window, SPEC, new StepMachine(window, SPEC, schedule), LONG);
  }

  private void call(Window window, WindowRegion out, int call, Calls calls)
      throws TimeoutException {
    window.write(FROM, source(window, call));
    calls.make();
    for (int rank = 0; rank < window.world(); rank++) {
      assertThat(window.read(out.offset() + 8L * rank, 8))
          .isEqualTo(share(rank, window.rank(), call));
    }
  }

  @FunctionalInterface
  private interface Calls {
    void make() throws TimeoutException;
  }

  private byte[] source(Window window, int call) {
    int shares = (int) exchange.source(window.world(), 1);
    ByteBuffer all = ByteBuffer.allocate(8 * shares);
    for (int peer = 0; peer < shares; peer++) {
      all.put(share(window.rank(), peer, call));
    }
    return all.array();
  }

  private byte[] share(int rank, int peer, int call) {
    byte[] bytes = CorrectRankCode.bytes(rank);
    bytes[0] = (byte) call;
    bytes[7] = (byte) exchange.share(peer, 1);
    return bytes;
  }

  private CallGraph recorded(PersistentCalls calls, CallStream stream, Window from)
      throws TimeoutException {
    stream.capture();
    calls.call(exchange, stream, FIRST, from, FROM, 8, LONG);
    return stream.captured();
  }

  /** Replays and calls mix; a request is destroyed, and another request reuses its place. */
  private RankCode mixed(CallSchedule schedule, UnaryOperator<Window> seen) {
    return (window, rank) -> {
      CallStream stream = new StepStream(1);
      PersistentCalls calls = over(seen.apply(window), schedule);
      try (CallGraph graph = recorded(calls, stream, window)) {
        for (int replay = 1; replay <= 3; replay++) {
          call(window, FIRST, replay, () -> graph.replay(LONG));
        }
        call(window, FIRST, 4, () -> calls.call(exchange, stream, FIRST, window, FROM, 8, LONG));
        calls.destroy(exchange, stream, FIRST);
        for (int again = 5; again <= 6; again++) {
          call(
              window,
              SECOND,
              again,
              () -> calls.call(exchange, stream, SECOND, window, FROM, 8, LONG));
        }
      }
    };
  }

  /** Rank 0 may time out at once. Then all ranks reset, and the recorded call continues. */
  private RankCode resets(UnaryOperator<Window> seen) {
    return (window, rank) -> {
      CallStream stream = new StepStream(1);
      PersistentCalls calls = over(seen.apply(window), CallSchedule.DIRECT);
      try (CallGraph graph = recorded(calls, stream, window)) {
        call(window, FIRST, 1, () -> graph.replay(LONG));
        if (rank == 0) {
          window.write(FROM, source(window, 2));
          try {
            graph.replay(Duration.ofNanos(1));
          } catch (TimeoutException e) {
            assertThat(e).hasMessageContaining("1");
          }
        }
        calls.reset(LONG);
        call(window, FIRST, 3, () -> graph.replay(LONG));
        call(window, FIRST, 4, () -> graph.replay(LONG));
      }
    };
  }

  @Test
  void callsPassUnderEveryStrategy() {
    for (String shape : List.of("1x2", "2x1", "1x3", "3x1")) {
      for (Profile profile : List.of(Profile.L1, Profile.L2, Profile.L3)) {
        if (!Thorough.takes(4, exchange.spelling(), shape, profile.name())) {
          continue;
        }
        Verdict verdict =
            exploration(shape, mixed(CallSchedule.DIRECT, UnaryOperator.identity()))
                .withProfile(profile)
                .check()
                .verdict();
        assertThat(verdict.violation()).as("%s %s", shape, profile.name()).isEmpty();
        assertThat(verdict.strategy())
            .contains("fifo=", "synchronisation=", "random=", "pct=", "pos=", "window");
      }
    }
  }

  private static CallSchedule without(Class<? extends CallStep> type, CallStep.Word word) {
    return (kind, rank, world, bytes, there) ->
        CallSchedule.DIRECT.steps(kind, rank, world, bytes, there).stream()
            .filter(step -> !(type.isInstance(step) && step.toString().contains(word.name())))
            .toList();
  }

  /** A race, or bytes of another call if the schedule permits the call to end. */
  private static void caught(RankCodeExploration exploration) {
    Verdict verdict = exploration.check().verdict();
    assertThat(verdict.violation()).isPresent();
    Verdict.Violation violation = verdict.violation().orElseThrow();
    assertThat(violation.kind()).isIn("race", "thrown");
    assertThat(violation.message())
        .containsPattern("Expecting actual|expected:|race|nothing orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void withoutTheWaitForReadinessAWriteRaces(String shape) {
    CallSchedule early = without(CallStep.PeerWait.class, CallStep.Word.READY);
    caught(exploration(shape, mixed(early, UnaryOperator.identity())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void withoutTheWaitForDataAReadRaces(String shape) {
    CallSchedule early = without(CallStep.PeerWait.class, CallStep.Word.DATA);
    caught(exploration(shape, mixed(early, UnaryOperator.identity())));
  }

  @Test
  void withoutSettlingASourceIsChangedTooEarly() {
    CallSchedule early =
        (kind, rank, world, bytes, there) ->
            CallSchedule.DIRECT.steps(kind, rank, world, bytes, there).stream()
                .filter(step -> !(step instanceof CallStep.Settle))
                .toList();
    caught(exploration("2x1", mixed(early, UnaryOperator.identity())));
  }

  /** The replacement of a window's method; it may change the arguments. */
  @FunctionalInterface
  private interface Instead {
    @Nullable Object call(String method, Object[] arguments, Calling window) throws Throwable;
  }

  @FunctionalInterface
  private interface Calling {
    @Nullable Object call() throws Throwable;
  }

  private static UnaryOperator<Window> lying(Instead instead) {
    return window ->
        (Window)
            Proxy.newProxyInstance(
                Window.class.getClassLoader(),
                new Class<?>[] {Window.class},
                (proxy, method, arguments) ->
                    instead.call(
                        method.getName(),
                        arguments,
                        () -> {
                          try {
                            return method.invoke(window, arguments);
                          } catch (InvocationTargetException e) {
                            throw e.getCause();
                          }
                        }));
  }

  /** The epoch of the first replay, held in the recording, satisfies every later replay. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aCapturedEpochIsDetected(String shape) {
    UnaryOperator<Window> constant =
        lying((method, arguments, window) -> {
          if (method.equals("await")) {
            arguments[3] = Math.min((long) arguments[3], 1);
          }
          return window.call();
        });
    caught(exploration(shape, mixed(CallSchedule.DIRECT, constant)));
  }

  /**
   * A reused place has slots that hold later counts: a request that starts at 0 observes old
   * signals.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void anEpochThatRestartsAtZeroIsDetected(String shape) {
    UnaryOperator<Window> forgetful =
        lying((method, arguments, window) ->
            method.equals("signalValue") ? (Object) 0L : window.call());
    caught(exploration(shape, mixed(CallSchedule.DIRECT, forgetful)));
  }

  private RankCodeExploration resetting(String shape, UnaryOperator<Window> seen) {
    return exploration(shape, resets(seen)).withTimeouts(TimeoutPolicy.QUIESCENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void callsContinueAfterAReset(String shape) {
    assertThat(resetting(shape, UnaryOperator.identity()).check().verdict().violation()).isEmpty();
  }

  /**
   * No barrier orders the ranks, so signals of a failed call are taken for those of the next call.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aResetWithoutABarrierIsDetected(String shape) {
    UnaryOperator<Window> alone =
        lying((method, arguments, window) -> method.equals("barrier") ? null : window.call());
    assertThat(resetting(shape, alone).check().verdict().violation()).isPresent();
  }

  /** The request continues without a reset: the rank that timed out stays one call ahead. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void withoutAResetTheEpochsDiffer(String shape) {
    RankCode code =
        (window, rank) -> {
          CallStream stream = new StepStream(1);
          PersistentCalls calls = over(window, CallSchedule.DIRECT);
          try (CallGraph graph = recorded(calls, stream, window)) {
            call(window, FIRST, 1, () -> graph.replay(LONG));
            if (rank == 0) {
              window.signal(1, SPEC.signals() + 1, 1);
            }
            call(window, FIRST, 2, () -> graph.replay(LONG));
            call(window, FIRST, 3, () -> graph.replay(LONG));
          }
        };
    caught(exploration(shape, code));
  }

  /** Every rank takes its successor's share: right places, wrong bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void wrongSharesAreDetectedWhereThereAreShares(String shape) {
    CallSchedule shifted =
        (kind, rank, world, bytes, there) ->
            CallSchedule.DIRECT.steps(kind, rank, world, bytes, there).stream()
                .map(step ->
                    step instanceof CallStep.Put(int peer, long from, long to, long length)
                        ? new CallStep.Put(peer, kind.share((peer + 1) % world, bytes), to, length)
                        : step)
                .toList();
    Verdict verdict =
        exploration(shape, mixed(shifted, UnaryOperator.identity())).check().verdict();
    assertThat(verdict.violation().isPresent()).isEqualTo(exchange == ExchangePattern.ALL_TO_ALL);
  }
}
