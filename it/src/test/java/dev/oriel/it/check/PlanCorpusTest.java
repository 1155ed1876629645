package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.msccl.AdditionOrders;
import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.msccl.MscclDefects;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.MscclVariant;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.check.PlanInterpreter.Mistake;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Published plans in a folder of one's own: {@code -Doriel.corpus=FOLDER}. The check and the
 * interpreter of the format, {@link PlanInterpreter} or {@link ExecutionPlanInterpreter}, must
 * agree on each kind of call, and for MSCCL XML with both orders of flags.
 */
class PlanCorpusTest {
  private static final Checker CHECKER =
      new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1));

  @Test
  void theCheckAgreesWithTheInterpreterOnPublishedXml() throws IOException {
    for (Path file : files(".xml")) {
      for (FlagOrder flags : FlagOrder.values()) {
        compare(file, Files.readString(file), flags);
      }
    }
  }

  @Test
  void theCheckAgreesWithTheInterpreterOnPublishedJson() throws IOException {
    for (Path file : files(".json")) {
      Map<ExecutionPlanInterpreter.Mistake, Integer> mistakes =
          new EnumMap<>(ExecutionPlanInterpreter.Mistake.class);
      Map<String, Integer> verdicts = new TreeMap<>();
      ExecutionPlanOracleTest.compare(Files.readString(file), mistakes, verdicts);
      System.out.printf(
          "%s: %s, interpreter %s%n", file.getFileName(), verdicts.keySet(), mistakes.keySet());
    }
  }

  private static List<Path> files(String ending) throws IOException {
    String folder = System.getProperty("oriel.corpus", "");
    if (folder.isEmpty()) {
      System.out.println("skipped: no folder of plans; give one by -Doriel.corpus=FOLDER");
      Assumptions.abort("-Doriel.corpus=FOLDER is not given");
    }
    try (Stream<Path> all = Files.walk(Path.of(folder))) {
      List<Path> files = all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      assertThat(files).isNotEmpty();
      return files;
    }
  }

  private static void compare(Path file, String text, FlagOrder flags) {
    MscclPlan plan = MscclReader.read(text, file.toString());
    boolean refused = !MscclDefects.of(plan).isEmpty();
    for (MscclVariant variant : MscclVariant.of(plan)) {
      Set<Mistake> mistakes =
          PlanInterpreter.mistakes(
              text,
              variant.inPlace(),
              flags == FlagOrder.AS_WRITTEN,
              variant.mostChunks(),
              new Random(1));
      String verdict = refused ? "defect" : explored(plan, variant, flags);
      System.out.printf(
          "%s, %s, %s: %s, interpreter %s, orders %s%n",
          file.getFileName(),
          flags,
          variant.words(),
          verdict,
          mistakes,
          AdditionOrders.of(plan).map(AdditionOrders::orders).orElse(1));
      boolean agrees =
          switch (verdict) {
            case "holds" -> mistakes.isEmpty();
            case "defect" -> !mistakes.isEmpty();
            case "value" -> mistakes.contains(Mistake.VALUE);
            case "deadlock" -> mistakes.contains(Mistake.DEADLOCK);
            case "race" -> mistakes.contains(Mistake.RACE);
            default -> false;
          };
      assertThat(agrees).as("%s, %s, %s: %s, %s", file, flags, variant, verdict, mistakes).isTrue();
    }
  }

  private static String explored(MscclPlan plan, MscclVariant variant, FlagOrder flags) {
    Program program =
        Program.bind(MscclTranslation.of(plan, variant, flags).form(), plan.world(), Map.of());
    return CHECKER
        .explore(program, Topology.parse("1x" + plan.world()))
        .verdict()
        .violation()
        .map(violation -> violation.kind())
        .orElse("holds");
  }
}
