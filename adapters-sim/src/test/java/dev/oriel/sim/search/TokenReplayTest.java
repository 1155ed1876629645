package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.testing.ReplayTexts;
import dev.oriel.sim.trace.ActorRole;
import dev.oriel.sim.trace.TraceEventKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TokenReplayTest {
  private static final Budget BUDGET = new Budget(20, 20_000, 100_000, 200_000_000);
  private static final Form RELAXED = FormParser.parse(ReplayTexts.RELAXED);
  private static final Form STUCK = FormParser.parse(ReplayTexts.STUCK);

  /** Only a search reveals which of two signals comes last. */
  private static final Form LATE =
      FormParser.parse(
          """
          form late
          signal S[1]
          signal T[1]
          lane main: sm(32) {
            if r == 0 {
              await S[0]@1 reached epoch acquire
              read x <- T[0]@2 acquire
              check x < epoch else 9
            }
            if r == 1 { signal S[0]@0 set epoch release }
            if r == 2 { signal T[0]@0 set epoch release }
          }
          """);

  private static CheckReport explore(
      Form form, String shape, Strategy strategy, ExecutionSettings settings) {
    Topology topology = Topology.parse(shape);
    Map<String, Long> params = form.params().isEmpty() ? Map.of() : Map.of("B", 16L);
    Program program = Program.bind(form, topology.world(), params);
    return new Checker(strategy, BUDGET, 3, settings).explore(program, topology);
  }

  private static CheckReport.Found found(Form form, String shape, Strategy strategy) {
    return explore(form, shape, strategy, Checker.strict(Profile.L2, 2)).found().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aTokenOfEveryStrategyReplaysItsExecution(Strategy strategy) {
    for (String shape : List.of("1x3", "2x2")) {
      CheckReport.Found found = found(RELAXED, shape, strategy);
      String line = found.token().orElseThrow().toString();
      TokenReplay.ReplayedExecution played = TokenReplay.play(ReplayToken.parse(line), RELAXED);
      assertThat(played.recording()).isEqualTo(found.recording());
      assertThat(played.finding()).get().extracting(f -> f.kind().word()).isEqualTo("race");
    }
  }

  /** All changes of a profile at once, each with the longest value. */
  @Test
  void aTokenHoldsTheLongestProfile() {
    Profile all =
        Profile.parse(
            "rdma-multirail,interfaces=1048576,depth=1048576,resident=1048576,whole=1,platform=1,proxy=1,torn=1,cells=1");
    assertThat(
            ProfileSpelling.name(
                new ExecutionSettings(all, 2, DetectorSet.RESULTS, TimeoutPolicy.NEVER).after(-9)))
        .hasValueSatisfying(
            name -> assertThat(name).endsWith("_after.18446744073709551607_results"));
    ExecutionSettings settings = Checker.strict(all, 2).after(-9);
    CheckReport.Found found =
        explore(RELAXED, "1x2", Strategy.FIFO, settings).found().orElseThrow();
    String line = found.token().orElseThrow().toString();
    assertThat(line).contains(ProfileSpelling.name(settings).orElseThrow());
    assertThat(TokenReplay.play(ReplayToken.parse(line), RELAXED).finding()).isPresent();
  }

  @Test
  void aViolationIsReportedEvenIfNoTokenCanHoldIt() {
    CheckReport report =
        explore(STUCK, "1x2", Strategy.FIFO, Checker.strict(Profile.L2, 1_000_001));
    CheckReport.Found found = report.found().orElseThrow();
    assertThat(found.token()).isEmpty();
    assertThat(found.tokenless()).contains("launches out of range: launches=1000001");
  }

  @Test
  void tooManyLaunchesAreRejected() {
    assertThat(Checker.strict(Profile.L2, 1 << 20).launches()).isEqualTo(1 << 20);
    assertThatThrownBy(() -> Checker.strict(Profile.L2, Integer.MAX_VALUE))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "too many launches in one execution: launches=2147483647, max=1048576; use fewer");
  }

  /** A token could not hold them, so a violation under them would have no token. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "L2,depth=+4         | change of a profile out of range | depth=+4",
        "L2,depth=\u0664      | change of a profile out of range | depth=\u0664",
        "L2,depth=04         | change of a profile out of range | depth=04",
        "L2,depth=0          | change of a profile out of range | depth=0",
        "L2,interfaces=0     | change of a profile out of range | interfaces=0",
        "L2,depth=99999999   | change of a profile out of range | depth=99999999",
        "L2,depth=1048577    | change of a profile out of range | depth=1048577",
        "L2,depth            | change of a profile out of range | depth=",
        "L2,torn=2           | change of a profile out of range | torn=2",
        "L2,depth=4,depth=4  | change of a profile given twice  | depth=4",
        "L2,torn=1,torn=1    | change of a profile given twice  | torn=1",
        "L2,                 | unknown change of a profile      | ''",
        "L2,=4               | unknown change of a profile      | =4",
        "L2,foo=1            | unknown change of a profile      | foo=1",
        "'L2, depth=4'       | unknown change of a profile      | ' depth=4'"
      })
  void aProfileThatNoTokenCanHoldIsRejected(String text, String why, String change) {
    assertThatThrownBy(() -> Profile.parse(text))
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("%s: profile=%s, change='%s'", why, text, change);
  }

  @Test
  void theMessageListsChangesOfAProfile() {
    assertThatThrownBy(() -> Profile.parse("L2,depth=0"))
        .hasMessageEndingWith(
            "change='depth=0', min=1, max=1048576; write plain digits in between");
    assertThatThrownBy(() -> Profile.parse("L2,foo=1"))
        .hasMessageContaining(",resident=N ,whole=1");
    assertThatThrownBy(() -> Profile.parse("L9,foo=1"))
        .hasMessageStartingWith("unknown profile: profile=L9,foo=1; use L0,");
    assertThat(Profile.parse("L2,resident=0,depth=1048576").depth()).isEqualTo(1 << 20);
  }

  @ParameterizedTest
  @CsvSource({
    "RANDOM, 1x3", "PCT, 1x3", "POS, 1x3", "SYNCHRONISATION, 1x3", "FULL, 1x3", "PORTFOLIO, 1x3",
    "RANDOM, 3x1", "PCT, 3x1", "POS, 3x1", "SYNCHRONISATION, 3x1", "FULL, 3x1", "PORTFOLIO, 3x1"
  })
  void aRareViolationIsReplayedAndShrunk(Strategy strategy, String shape) {
    CheckReport.Found found = found(LATE, shape, strategy);
    ReplayToken token = found.token().orElseThrow();
    assertThat(TokenReplay.play(token, LATE).recording()).isEqualTo(found.recording());
    assertThat(token.strategy()).isEqualTo(found.strategy().spelling());
    ExecutionShrinker.Result small = ExecutionShrinker.shrink(token, LATE, 60);
    assertThat(small.same().result().confirmed()).isTrue();
    assertThat(TokenReplay.play(small.same().token(), LATE).finding())
        .get()
        .extracting(f -> f.kind().word())
        .isEqualTo("check");
    small
        .cut()
        .ifPresent(cut ->
            assertThat(TokenReplay.play(cut.token(), cut.form()).finding())
                .get()
                .extracting(f -> f.kind().word())
                .isEqualTo("check"));
  }

  @Test
  void choicesOfAnotherProgramAreRejected() {
    ReplayToken token = found(RELAXED, "1x2", Strategy.RANDOM).token().orElseThrow();
    assertThatThrownBy(() -> TokenReplay.play(with(token, ChoiceScript.of(1_000_000)), RELAXED))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("no such choice: position=0");
    int[] more = new int[100_000];
    more[99_999] = 1;
    assertThatThrownBy(() -> TokenReplay.play(with(token, ChoiceScript.of(more)), RELAXED))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("script not used up");
    assertThatThrownBy(() -> TokenReplay.play(token, STUCK))
        .hasMessageContaining("token of another program");
  }

  @Test
  void aStoppedExecutionIsNotReportedAsCorrect() {
    String text = "form counts\nlane main: sm(32) {\n %s\n}\n";
    Form endless = FormParser.parse(text.formatted("for t < 1000000000000 { let x = t }"));
    assertThat(played(endless).finding()).isEmpty();
    assertThat(played(endless).cut())
        .get()
        .asString()
        .startsWith("steps: the execution was stopped after step ")
        .contains(", lane=main took 1000000 instructions without a visible step");
    assertThat(played(FormParser.parse(text.formatted("for t < 10 { let x = t }"))).cut())
        .isEmpty();
  }

  private static TokenReplay.ReplayedExecution played(Form form) {
    Program program = Program.bind(form, 2, Map.of());
    ReplayToken token =
        new ReplayToken(
            "L2",
            program.digest(),
            WorldShape.parse("1x2"),
            Map.of(),
            1,
            TimeoutPolicy.NEVER,
            FaultPlan.NONE,
            "fifo",
            1,
            ChoiceScript.DEFAULT);
    return TokenReplay.play(token, form);
  }

  private static ReplayToken with(ReplayToken t, ChoiceScript choices) {
    return new ReplayToken(
        t.profile(),
        t.program(),
        t.world(),
        t.params(),
        t.launches(),
        t.timeouts(),
        t.faults(),
        t.strategy(),
        t.seed(),
        choices);
  }

  @Test
  void aTokenHoldsProfileDetectorsAndTimeouts() {
    ExecutionSettings settings =
        new ExecutionSettings(
            Profile.parse("L2,depth=4,resident=2"),
            2,
            DetectorSet.VALUES,
            TimeoutPolicy.QUIESCENCE);
    CheckReport report = explore(LATE, "1x3", Strategy.FULL, settings);
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(token.profile()).isEqualTo("L2_depth.4_resident.2_values");
    assertThat(token.timeouts()).isEqualTo(TimeoutPolicy.QUIESCENCE);
    assertThat(TokenReplay.play(token, LATE).recording())
        .isEqualTo(report.found().orElseThrow().recording());
  }

  @Test
  void aDeadlockTraceEndsWithTheWaits() {
    CheckReport.Found found = found(STUCK, "2x2", Strategy.FIFO);
    assertThat(found.recording().actors())
        .extracting(actor -> actor.role())
        .contains(ActorRole.LANE, ActorRole.CALLER, ActorRole.QUEUE);
    assertThat(found.recording().failure().orElseThrow().events()).hasSize(4);
    assertThat(found.recording().events())
        .filteredOn(event -> event.kind() == TraceEventKind.WAIT)
        .hasSize(4)
        .allSatisfy(event -> {
          assertThat(event.text()).matches("await DATA\\[0]@\\d reached 2 acquire");
          assertThat(event.facts().seenText()).matches("DATA\\[0]@\\d=1");
        });
  }

  @Test
  void aRaceNamesItsTwoAccesses() {
    CheckReport.Found found = found(RELAXED, "2x2", Strategy.FIFO);
    List<Integer> events = found.recording().failure().orElseThrow().events();
    assertThat(events).hasSize(2);
    assertThat(events)
        .extracting(i -> found.recording().events().get(i).kind())
        .contains(TraceEventKind.BEGIN);
  }

  @Test
  void aTokenHoldsTheFaultsOfItsExecution() {
    FaultPlan plan = FaultPlan.parse("crash rank=1 after=2");
    Checker checker =
        new Checker(
            Strategy.FIFO, BUDGET, 1, Checker.strict(Profile.L2, 1), plan, CampaignShard.WHOLE);
    Program program = Program.bind(RELAXED, 2, Map.of());
    CheckReport.Found found = checker.explore(program, Topology.parse("1x2")).found().orElseThrow();
    String line = found.token().orElseThrow().toString();
    TokenReplay.ReplayedExecution played = TokenReplay.play(ReplayToken.parse(line), RELAXED);
    assertThat(line).contains("crash");
    assertThat(played.recording()).isEqualTo(found.recording());
  }
}
