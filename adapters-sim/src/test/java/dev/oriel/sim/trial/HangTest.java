package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The report of a missing signal names it. */
class HangTest {
  private static final Budget BUDGET = new Budget(5, 20_000, 20_000, 200_000_000);

  /** Without one of their barriers, an early read is found before a deadlock. */
  private static final Set<String> EARLIER =
      Set.of("get_after_barrier", "put_quiet_barrier", "strided_transpose", "team_barrier");

  static List<Correct> programs() {
    return CorrectPrograms.all();
  }

  /** The array or buffer that the operation changes, if it signals anything. */
  private static Optional<String> changed(Op op) {
    return switch (op) {
      case Op.Signal s -> Optional.of("signal=" + s.slot().signal() + "[");
      case Call.Put p when p.notice().isPresent() ->
          Optional.of("signal=" + p.notice().get().signal() + "[");
      case Call.Put p when p.counter().isPresent() ->
          Optional.of("buffer=" + p.counter().get().buffer());
      case Call.Change c -> Optional.of("buffer=" + c.word().buffer() + ",");
      case Call.Unlock u -> Optional.of("buffer=" + u.word().buffer() + ",");
      case Op.Move m -> Optional.of("buffer=" + m.destinations().getFirst().buffer());
      case Call.Meet m -> Optional.of("signal=" + m.barrier() + "[");
      default -> Optional.empty();
    };
  }

  /** Without the operation, and with it in a later launch only, which binding accepts. */
  private static List<Form> without(RewriteSite spot) {
    Cond late = Cond.of(Expr.name("epoch"), Comparison.EQ, Expr.of(2));
    Cond others = Cond.of(Expr.name("r"), Comparison.NE, Expr.of(0));
    return List.of(
        spot.replaced(List.of()),
        spot.replaced(List.of(new Op.If(others, List.of(spot.op()), List.of()))),
        spot.replaced(List.of(new Op.If(late, List.of(spot.op()), List.of()))));
  }

  /**
   * The findings of FIFO: of all kinds, or deadlocks alone; a rejection by binding states a reason.
   */
  private static Optional<Violation> found(TrialSetting setting, Form form) {
    try {
      Optional<Violation> first = setting.check(form, Strategy.FIFO, DetectorSet.ALL).violation();
      return first.filter(v -> !v.kind().equals("deadlock")).isPresent()
          ? setting.check(form, Strategy.FIFO, DetectorSet.VALUES).violation()
          : first;
    } catch (ProgramException e) {
      assertThat(e.getMessage()).containsAnyOf("wait that nothing matches", "unknown ticket");
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Sampled(every = 10)
  void aReportOfAHangNamesTheMissingSignal(Correct program) {
    int[] hangs = {0};
    for (String world : program.worlds()) {
      TrialSetting setting =
          new TrialSetting(
              Topology.parse(world),
              program.params(),
              Profile.RDMA_STRICT,
              2,
              2,
              BUDGET,
              BUDGET,
              1);
      for (RewriteSite spot : RewriteSite.of(program.form())) {
        changed(spot.op())
            .ifPresent(changed ->
                without(spot)
                    .forEach(form ->
                        found(setting, form)
                            .filter(v -> v.kind().equals("deadlock"))
                            .ifPresent(v -> {
                              hangs[0]++;
                              assertThat(v.message())
                                  .as("%s %s without %s", program, world, spot.place())
                                  .contains(changed)
                                  .containsAnyOf(
                                      "without sending it",
                                      "is past that and waits",
                                      "operation that sends it",
                                      "for its request",
                                      "cycle: ");
                            })));
      }
    }
    if (EARLIER.contains(program.toString())) {
      assertThat(hangs[0]).as("hangs of %s", program).isZero();
    } else {
      assertThat(hangs[0]).as("hangs of %s", program).isPositive();
    }
  }

  private static String hang(String text, String world) {
    Topology topology = Topology.parse(world);
    TrialSetting setting =
        new TrialSetting(topology, Map.of(), Profile.RDMA_STRICT, 1, 2, BUDGET, BUDGET, 1);
    return found(setting, FormParser.parse(text)).orElseThrow().message();
  }

  @Test
  void aReportNamesTheSlotThatReceivedTheSignal() {
    String message =
        hang(
            """
            form astray
            signal S[2]
            lane main: sm(32) {
              let late = (epoch + 1) & 1
              signal S[(late + 1) & 1]@((r + 1) % n) set epoch release
              await S[late]@((r - 1) % n) reached epoch acquire
            }
            """,
            "1x2");
    assertThat(message)
        .contains("signal=S[0], owner=0, source=1: wanted=reached 1, seen=nothing")
        .contains("it was sent to signal=S[1], owner=0, source=1, value=1");
  }

  @Test
  void aReportNamesTheRankThatMissedABarrier() {
    for (String world : List.of("1x3", "2x1")) {
      assertThat(
              hang(
                  """
                  form skips
                  barrier all_in
                  lane main: sm(32) {
                    barrier all_in
                    if r != 1 {
                      barrier all_in
                    }
                  }
                  """,
                  world))
          .contains("signal=all_in[0], owner=0, source=1: wanted=reached 2, seen=1")
          .containsPattern("rank=1, lane=main, which has .* ended launch=1 without sending it");
    }
  }

  @Test
  void aReportPrintsTheCycleOfWaitingLanes() {
    String message =
        hang(
            """
            form politely
            signal S[1]
            lane main: sm(32) {
              await S[0]@((r - 1) % n) reached epoch acquire
              signal S[0]@((r + 1) % n) set epoch release
            }
            """,
            "1x3");
    assertThat(message)
        .contains(
            "cycle: rank=0, lane=main waits for rank=2, lane=main waits for rank=1, lane=main waits for rank=0, lane=main;");
  }

  @Test
  void aReportNamesTheRequestThatBlocksAnother() {
    String message =
        hang(
            """
            form blocked_request
            scratch guard[8]
            signal S[1]
            lane main: sm(32) {
              if r == 1 {
                lock guard@0[0]
                unlock guard@0[0]
                signal S[0]@0 set 1 release
              }
              if r == 0 {
                store guard[0] <- 1 release
                await S[0]@1 reached 1 acquire
              }
            }
            """,
            "2x1");
    assertThat(message).contains("signal=S[0], owner=0, source=1").contains("lock guard");
  }
}
