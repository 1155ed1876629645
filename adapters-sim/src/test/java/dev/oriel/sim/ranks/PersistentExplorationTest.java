package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.Codes.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.persistent.Schedule;
import dev.oriel.domain.persistent.Step;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.GatherSpec;
import dev.oriel.ports.persistent.Gathers;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Persistent calls in many orders; and what is wrong with them when they lack something. */
class PersistentExplorationTest {
  /** Ranges of 3 * 8 bytes at 0 and 24, the source at 48. */
  private static final GatherSpec SPEC = new GatherSpec(56, 0, 2, 0);

  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(160))
          .withSignals(SPEC.signalCount())
          .withBarriers(1);
  private static final Region FIRST = new Region("w", 0, 24);
  private static final Region SECOND = new Region("w", 24, 24);
  private static final Budget BUDGET = new Budget(30, 400, 200_000, 3_000_000_000L);

  private static Exploration exploration(String shape, RankCode code) {
    return Exploration.of(
            "gathers", WINDOW, Topology.parse(shape), Thread::startVirtualThread, code)
        .withBudget(BUDGET);
  }

  private static void call(Window window, Region out, int call, Calls calls)
      throws TimeoutException {
    window.write(48, bytes(window.rank(), call));
    calls.make();
    for (int rank = 0; rank < window.world(); rank++) {
      assertThat(window.read(out.offset() + 8L * rank, 8)).isEqualTo(bytes(rank, call));
    }
  }

  @FunctionalInterface
  private interface Calls {
    void make() throws TimeoutException;
  }

  private static byte[] bytes(int rank, int call) {
    byte[] bytes = Codes.bytes(rank);
    bytes[0] = (byte) call;
    return bytes;
  }

  private static CallGraph recorded(Gathers gathers, CallStream stream, Window from)
      throws TimeoutException {
    stream.capture();
    gathers.allGather(stream, FIRST, from, 48, 8, LONG);
    return stream.captured();
  }

  /** Replays and calls mix; a request is destroyed, and its place used by another. */
  private static RankCode mixed(Schedule schedule, UnaryOperator<Window> seen) {
    return (window, rank) -> {
      CallStream stream = new RankStream(1);
      Gathers gathers = Gathers.over(seen.apply(window), SPEC, schedule, LONG);
      try (CallGraph graph = recorded(gathers, stream, window)) {
        for (int replay = 1; replay <= 3; replay++) {
          call(window, FIRST, replay, () -> graph.replay(LONG));
        }
        call(window, FIRST, 4, () -> gathers.allGather(stream, FIRST, window, 48, 8, LONG));
        gathers.destroy(stream, FIRST);
        for (int again = 5; again <= 6; again++) {
          call(window, SECOND, again, () -> gathers.allGather(stream, SECOND, window, 48, 8, LONG));
        }
      }
    };
  }

  /** Rank 0 may give up at once; whoever did, all reset, and the recorded call goes on. */
  private static RankCode resets(UnaryOperator<Window> seen) {
    return (window, rank) -> {
      CallStream stream = new RankStream(1);
      Gathers gathers = Gathers.over(seen.apply(window), SPEC, LONG);
      try (CallGraph graph = recorded(gathers, stream, window)) {
        call(window, FIRST, 1, () -> graph.replay(LONG));
        if (rank == 0) {
          window.write(48, bytes(0, 2));
          try {
            graph.replay(Duration.ofNanos(1));
          } catch (TimeoutException e) {
            assertThat(e).hasMessageContaining("1");
          }
        }
        gathers.reset(LONG);
        call(window, FIRST, 3, () -> graph.replay(LONG));
        call(window, FIRST, 4, () -> graph.replay(LONG));
      }
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = Strategy.class,
      names = {"FIFO", "SYNCHRONISATION", "RANDOM", "PCT", "POS", "WINDOW"})
  void holdByEveryStrategy(Strategy strategy) {
    for (String shape : List.of("1x2", "2x1", "1x3", "3x1")) {
      for (Profile profile : List.of(Profile.L1, Profile.L2, Profile.L3)) {
        Verdict verdict =
            exploration(shape, mixed(Schedule.ALL_GATHER, UnaryOperator.identity()))
                .withStrategy(strategy)
                .withProfile(profile)
                .check()
                .verdict();
        assertThat(verdict.violation()).as("%s %s", shape, profile.name()).isEmpty();
      }
    }
  }

  private static Schedule without(Class<? extends Step> kind, Step.Word word) {
    return (rank, world, bytes, there) ->
        Schedule.ALL_GATHER.steps(rank, world, bytes, there).stream()
            .filter(step -> !(kind.isInstance(step) && step.toString().contains(word.name())))
            .toList();
  }

  /** A race, or bytes of another call where the schedule lets them come that far. */
  private static void caught(Exploration exploration) {
    Verdict verdict = exploration.check().verdict();
    assertThat(verdict.violation()).isPresent();
    Verdict.Violation violation = verdict.violation().orElseThrow();
    assertThat(violation.kind()).isIn("race", "thrown");
    assertThat(violation.message())
        .containsPattern("Expecting actual|expected:|race|nothing orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void whoDoesNotWaitForReadinessWritesIntoWhatIsStillRead(String shape) {
    Schedule early = without(Step.Hear.class, Step.Word.READY);
    caught(exploration(shape, mixed(early, UnaryOperator.identity())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void whoDoesNotWaitForDataReadsTooEarly(String shape) {
    Schedule early = without(Step.Hear.class, Step.Word.DATA);
    caught(exploration(shape, mixed(early, UnaryOperator.identity())));
  }

  @Test
  void whoDoesNotSettleChangesWhatAnInterfaceStillReads() {
    Schedule early =
        (rank, world, bytes, there) ->
            Schedule.ALL_GATHER.steps(rank, world, bytes, there).stream()
                .filter(step -> !(step instanceof Step.Settle))
                .toList();
    caught(exploration("2x1", mixed(early, UnaryOperator.identity())));
  }

  /** What a window's method is to do instead; the arguments may be changed. */
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

  /** A recording that holds the epoch of its first replay is satisfied by it for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aCapturedConstantLetsTheSecondReplayPass(String shape) {
    UnaryOperator<Window> constant =
        lying((method, arguments, window) -> {
          if (method.equals("await")) {
            arguments[3] = Math.min((long) arguments[3], 1);
          }
          return window.call();
        });
    caught(exploration(shape, mixed(Schedule.ALL_GATHER, constant)));
  }

  /** A place is used again, and its slots have counted on: who begins at 0 is told of the past. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aReusedEpochIsThatOfTheRequestBefore(String shape) {
    UnaryOperator<Window> forgetful =
        lying((method, arguments, window) ->
            method.equals("signalValue") ? (Object) 0L : window.call());
    caught(exploration(shape, mixed(Schedule.ALL_GATHER, forgetful)));
  }

  private static Exploration resetting(String shape, UnaryOperator<Window> seen) {
    return exploration(shape, resets(seen)).withTimeouts(Timeouts.QUIESCENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void goOnBehindAReset(String shape) {
    assertThat(resetting(shape, UnaryOperator.identity()).check().verdict().violation()).isEmpty();
  }

  /** Nobody meets, so what a failed call said is taken for what the next one says. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aResetThatIsNotAgreedOnIsNone(String shape) {
    UnaryOperator<Window> alone =
        lying((method, arguments, window) -> method.equals("barrier") ? null : window.call());
    assertThat(resetting(shape, alone).check().verdict().violation()).isPresent();
  }

  /** As if the request had gone on by itself: the one that gave up is a call ahead for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void withoutAResetRanksCountApart(String shape) {
    RankCode code =
        (window, rank) -> {
          CallStream stream = new RankStream(1);
          Gathers gathers = Gathers.over(window, SPEC, LONG);
          try (CallGraph graph = recorded(gathers, stream, window)) {
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
}
