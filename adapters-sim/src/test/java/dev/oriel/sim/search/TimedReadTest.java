package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.sequential.SequentialMachine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that wait for a limited time, and post-conditions that depend on how a launch ended. */
class TimedReadTest {
  /** The successor gives data; a rank that gave up says so, and keeps away from the data. */
  private static final String GUARDED =
      """
      form guarded
      input in[8]
      scratch box[8]
      output out[8]
      output ok[8]
      signal DATA[1]
      barrier all_in
      ensure if ok[0] == 1: out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        barrier all_in
        move box@((r + 1) % n)[0] <- in[0] bytes 8
        signal DATA[0]@((r + 1) % n) set epoch release
        read data <- DATA[0]@((r - 1) % n) acquire until reached epoch within 1ms
        if data reached epoch {
          move out[0] <- box[0] bytes 8
          sync
          store ok[0] <- 1
        } else {
          store ok[0] <- 0
        }
        barrier all_in
      }
      """;

  private static Program bound(String text, Topology topology) {
    return Program.bind(FormParser.parse(text), topology.world(), Map.of());
  }

  private static CheckReport checked(String text, String shape, Profile profile) {
    Topology topology = Topology.parse(shape);
    ExecutionSettings settings =
        new ExecutionSettings(profile, 2, DetectorSet.ALL, TimeoutPolicy.NEVER);
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, settings)
        .explore(bound(text, topology), topology);
  }

  private static String found(String text, String shape) {
    return checked(text, shape, Profile.L2)
        .verdict()
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aProtocolThatReportsWhatItHasIsRight(String shape) {
    assertThat(found(GUARDED, shape)).isEqualTo("nothing");
  }

  @Test
  void dataWithoutTheConditionAreNotPromised() {
    assertThat(found(GUARDED.replace("if ok[0] == 1: ", ""), "1x2")).contains("wrong byte");
  }

  @Test
  void aRankThatDidNotSeeTheDataAndClaimsThemIsFound() {
    assertThat(found(GUARDED.replace("store ok[0] <- 0", "store ok[0] <- 1"), "1x2"))
        .contains("wrong byte: rank=")
        .contains("buffer=out");
  }

  @Test
  void aReadWithoutAcquireOrdersNothing() {
    assertThat(found(GUARDED.replace("acquire until", "relaxed until"), "1x2"))
        .contains("race: buffer=box");
  }

  /** A rank that gave up may get data in the next launch, unless all ranks meet first. */
  @Test
  void dataThatComeAfterARankGaveUpAreFound() {
    String alone = GUARDED.replace("  barrier all_in\n", "");
    assertThat(found(alone, "1x2")).contains("race: buffer=box");
  }

  @Test
  void aConditionThatNobodyWroteIsFound() {
    assertThat(found(GUARDED.replace("store ok[0] <- 0", ""), "1x2"))
        .contains("found=never written")
        .contains("the condition of a post-condition reads");
  }

  @Test
  void aConditionThatNeverHeldIsSaid() {
    String text = GUARDED.replace("store ok[0] <- 1", "store ok[0] <- 2");
    assertThat(checked(text, "1x2", Profile.L2).verdict().bounds())
        .anySatisfy(bound ->
            assertThat(bound)
                .contains("`if ok[0] == 1` was false at the end of every launch")
                .contains("out[0]"));
    assertThat(checked(GUARDED, "1x2", Profile.L2).verdict().bounds())
        .noneMatch(bound -> bound.contains("was false at the end"));
  }

  /** What a condition reads is not part of the argument for any number of launches. */
  @Test
  void aConditionOnScratchMemoryIsNotClosedOverLaunches() {
    String kept = GUARDED.replace("output ok[8]", "scratch ok[8]");
    assertThat(why(GUARDED)).isEmpty();
    assertThat(why(kept)).isEqualTo("a condition of a post-condition reads scratch memory");
  }

  private static String why(String text) {
    Topology topology = Topology.parse("1x2");
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 2, DetectorSet.ALL, TimeoutPolicy.NEVER);
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, settings)
        .anyLaunches()
        .explore(bound(text, topology), topology)
        .anyLaunches()
        .orElseThrow()
        .why();
  }

  @Test
  void aConditionLeavesNoRanksAlike() {
    Topology topology = Topology.parse("1x2");
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 1, DetectorSet.ALL, TimeoutPolicy.NEVER);
    CheckReport report =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, settings)
            .symmetric()
            .explore(bound(GUARDED, topology), topology);
    assertThat(report.parts().getFirst().reduction()).contains("a post-condition has a condition");
  }

  /** The same findings as with a loop of plain reads, each of which may come at any time. */
  @ParameterizedTest
  @CsvSource({
    "acquire, store ok[0] <- 0, 1x2, L1",
    "acquire, store ok[0] <- 0, 1x2, L2",
    "acquire, store ok[0] <- 0, 2x1, L2",
    "acquire, store ok[0] <- 1, 1x2, L2",
    "acquire, store ok[0] <- 1, 2x1, L2",
    "relaxed, store ok[0] <- 0, 1x2, L2",
    "relaxed, store ok[0] <- 0, 2x1, L2"
  })
  void aTimedReadIsALoopOfReads(String order, String otherwise, String shape, String profile) {
    String text =
        GUARDED.replace("acquire until", order + " until").replace("store ok[0] <- 0", otherwise);
    String waits = text.substring(text.indexOf("read data"), text.lastIndexOf("  barrier all_in"));
    String once = waits.replace(" until reached epoch within 1ms", "");
    String then = once.substring(once.indexOf("if data"), once.indexOf("else"));
    String first = once.substring(0, once.indexOf("if data")) + then + "else {\n";
    String loop = first.replace("data", "one") + first.replace("data", "two") + once + "}\n}\n";
    String unrolled = text.replace(waits, loop);
    assertThat(kinds(unrolled, shape, profile)).isEqualTo(kinds(text, shape, profile));
  }

  private static String kinds(String text, String shape, String profile) {
    return checked(text, shape, Profile.parse(profile))
        .verdict()
        .violation()
        .map(v -> v.kind().toString())
        .orElse("nothing");
  }

  /** On a machine without other orders, time passes only if nothing else can happen. */
  @Test
  void theSequentialMachineWaitsAsLongAsSomethingHappens() {
    assertThat(run(GUARDED)).containsExactly("DONE ok=1", "DONE ok=1");
    String late =
        GUARDED
            .replace("signal DATA[0]", "if r == 0 { signal DATA[0]")
            .replace("set epoch release", "set epoch release }");
    assertThat(run(late)).containsExactly("DONE ok=0", "DONE ok=1");
  }

  private static List<String> run(String text) {
    Topology topology = Topology.parse("1x2");
    try (var executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        var instance = executor.prepare(bound(text, topology), topology)) {
      List<Outcome> outcomes = instance.launch(Duration.ofSeconds(5));
      return IntStream.range(0, 2)
          .mapToObj(r ->
              (outcomes.get(r) instanceof Outcome.Done ? "DONE" : "not done")
                  + " ok="
                  + instance.read(r, "ok", 0, 8)[0])
          .collect(Collectors.toList());
    }
  }
}
