package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.mscclpp.ExecutionPlanReader;
import dev.oriel.domain.mscclpp.ExecutionTranslation;
import dev.oriel.domain.mscclpp.ExportedPlan;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.it.check.ExecutionPlanInterpreter.Mistake;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs as execution plans: what is read back has the verdict of the program, and {@link
 * ExecutionPlanInterpreter}, which executes the file itself, gets the collective's result.
 */
class ExportedPlanOracleTest {
  private static final Checker CHECKER =
      new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2));

  private static String text(String name) throws IOException {
    String text = ShippedProgram.named(name).orElseThrow().text();
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + text + ".oriel")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Program bound(String text, int world, long bytes) {
    Form form = FormParser.parse(text);
    Map<String, Long> params = new TreeMap<>();
    form.params().forEach(p -> params.put(p.name(), p.name().equals("B") ? bytes : 0L));
    return Program.bind(form, world, params);
  }

  private static String verdict(Program program) {
    return CHECKER
        .explore(program, Topology.parse("1x" + program.world()))
        .verdict()
        .violation()
        .map(violation -> violation.kind())
        .orElse("holds");
  }

  /** The verdict of the file. */
  private static String verdict(String plan) {
    ImportedPlan read = ExecutionTranslation.imported(ExecutionPlanReader.read(plan, "plan.json"));
    if (!read.defects().isEmpty()) {
      return read.defects().getFirst().kind().word();
    }
    for (TranslatedPlan program : read.programs()) {
      String verdict = verdict(Program.bind(program.form(), read.world(), Map.of()));
      if (!verdict.equals("holds")) {
        return verdict;
      }
    }
    return "holds";
  }

  private static Set<Mistake> mistakes(String plan) {
    Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
    for (int seed = 0; seed < 3; seed++) {
      mistakes.addAll(ExecutionPlanInterpreter.mistakes(plan, 1, 0, 1, new Random(seed)));
    }
    mistakes.remove(Mistake.STRICT_RACE);
    return mistakes;
  }

  /** Shipped programs that a plan says, each with a size for which its lanes divide the bytes. */
  @Sampled(every = 7)
  @ParameterizedTest(name = "{0}, {1} ranks")
  @CsvSource({
    "allgather, 2, 1024",
    "twoshot-allreduce, 2, 1024",
    "ring-reducescatter, 3, 768",
    "sendrecv, 2, 524288",
    "tree-allreduce, 3, 1024",
    "push-alltoall, 2, 1024",
    "pull-allreduce, 2, 1024",
    "ll-sendrecv, 2, 16384",
    "ll128-allgather, 2, 1920",
    "ll128-allreduce, 2, 3840",
    "ll128-alltoall, 2, 1920",
    "ll128-reducescatter, 2, 1920",
    "push-allgather, 2, 1024",
    "ring, 3, 1024",
    "log, 3, 1024",
    "doubling-allgather, 3, 1024",
    "streamed-allgather, 3, 1024",
    "rail-allgather, 2, 1024",
    "alltoall, 2, 1024",
    "split-alltoall, 2, 1024",
    "allreduce, 3, 1024",
    "ring-allreduce, 3, 768",
    "reducescatter, 3, 1024",
    "push-reducescatter, 3, 1024",
    "pull-reducescatter, 2, 1024",
    "broadcast, 3, 1024",
    "tree-broadcast, 4, 1024",
    "push-sendrecv, 2, 1024"
  })
  void aShippedProgramHoldsAsAPlan(String name, int world, long bytes) throws IOException {
    String plan = ExportedPlan.of(bound(text(name), world, bytes)).text();
    assertThat(verdict(plan)).isEqualTo("holds");
    assertThat(mistakes(plan)).isEmpty();
  }

  /** A mistake of a program is a mistake of its plan, or no plan is written. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "push-allgather | await READY[b]@p reached epoch acquire | ",
        "push-allgather | await DATA[b]@p reached epoch acquire | ",
        "push-allgather | await READY[b]@p reached epoch acquire | await READY[b]@p reached epoch - 1 acquire",
        "ring | await DATA[0]@pred reached epoch * n + s acquire | await DATA[0]@pred reached epoch * n + s - 1 acquire",
        "ring | await READY[0]@succ reached epoch acquire | ",
        "ring-allreduce | await DATA[g]@pred reached epoch * D + s acquire | ",
        "tree-allreduce | await UP[b]@(r + d) reached epoch acquire | ",
        "pull-allreduce | await DONE[b]@peers reached epoch acquire | ",
        "allgather | let half = (epoch & 1) * n | let half = 0",
        "twoshot-allreduce | sync | ",
      })
  void aMistakeOfAProgramIsOneOfItsPlan(String name, String right, String wrong)
      throws IOException {
    String text = text(name);
    assertThat(text).contains(right);
    Program broken =
        bound(
            text.replace(right, wrong == null ? "" : wrong), name.startsWith("ring") ? 3 : 2, 768);
    assertThat(verdict(broken)).isNotEqualTo("holds");
    assertThat(verdict(ExportedPlan.of(broken).text())).isNotEqualTo("holds");
  }

  /** No wait of a plan takes signals of an earlier launch, so the export says what it adds. */
  @Test
  void whatThePlanAwaitsEarlierIsNoted() throws IOException {
    String text = text("push-allgather");
    String late =
        text.replace(
            "await DATA[b]@p reached epoch acquire", "await DATA[b]@p reached epoch - 1 acquire");
    ExportedPlan plan = ExportedPlan.of(bound(late, 2, 1024));
    assertThat(plan.notes())
        .containsExactly(
            "lane push takes signals of DATA at the end of a launch, which the program awaits in the next one");
    assertThat(verdict(bound(late, 2, 1024))).isNotEqualTo("holds");
    assertThat(verdict(plan.text())).isEqualTo("holds");
    assertThat(ExportedPlan.of(bound(text, 2, 1024)).notes()).isEmpty();
    assertThat(ExportedPlan.of(bound(text("sendrecv"), 2, 524288)).notes()).hasSize(1);
  }

  @Test
  void aProgramThatWaitsForeverIsNoPlan() throws IOException {
    String text = text("push-allgather");
    String late =
        text.replace(
            "await READY[b]@p reached epoch acquire", "await READY[b]@p reached epoch + 1 acquire");
    assertThatThrownBy(() -> ExportedPlan.of(bound(late, 2, 1024)))
        .isInstanceOf(ProgramException.class);
  }

  /** Packets of the replay before are accepted, unless signals order them as well. */
  @Test
  void aReplayedGraphShowsTheSameMistakesToTheInterpreter() throws IOException {
    String packets = ExportedPlan.of(bound(text("twoshot-allreduce"), 2, 1024)).text();
    Set<Mistake> stale = EnumSet.noneOf(Mistake.class);
    Set<Mistake> two = EnumSet.noneOf(Mistake.class);
    for (int seed = 0; seed < 4; seed++) {
      stale.addAll(ExecutionPlanInterpreter.replayed(packets, 1, 1, new Random(seed)));
      two.addAll(ExecutionPlanInterpreter.replayed(packets, 1, 2, new Random(seed)));
    }
    assertThat(stale).contains(Mistake.VALUE);
    two.remove(Mistake.STRICT_RACE);
    assertThat(two).isEmpty();
    String halves = ExportedPlan.of(bound(text("allgather"), 2, 1024)).text();
    Set<Mistake> turns = EnumSet.noneOf(Mistake.class);
    for (int seed = 0; seed < 4; seed++) {
      turns.addAll(ExecutionPlanInterpreter.replayed(halves, 1, 2, new Random(seed)));
    }
    assertThat(turns).contains(Mistake.VALUE);
  }

  @Test
  void mostOfTheLibraryIsSaid() {
    List<String> said =
        ShippedProgram.ALL.stream()
            .map(ShippedProgram::name)
            .filter(ExportedPlanOracleTest::said)
            .toList();
    assertThat(said).hasSizeGreaterThan(24).doesNotContain("moe-dispatch", "copy-allgather");
  }

  private static boolean said(String name) {
    try {
      return !ExportedPlan.of(bound(text(name), 2, 7680)).text().isEmpty();
    } catch (ProgramException | IOException refused) {
      return false;
    }
  }
}
