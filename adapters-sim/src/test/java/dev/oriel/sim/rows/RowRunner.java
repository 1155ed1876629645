package dev.oriel.sim.rows;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusParser;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a row's shape. */
@SuppressWarnings("ReferenceEquality")
public final class RowRunner {
  /** Bounds the search of a shape that is too large for every order of every step. */
  private static final Budget BUDGET = new Budget(1, 20_000, 5_000_000, 100_000_000);

  private RowRunner() {}

  /** The differences between the result and the row's expectation, in words. */
  static List<String> differences(Row row) {
    String text = row.edited(RowTable.text(row.file()));
    if (row.litmus()) {
      return litmus(row, text);
    }
    List<String> differences = new ArrayList<>();
    // Checks of the program itself are removed unless they are the expected finding.
    boolean looks = !row.allowed() || row.byDetectors().equals("check");
    String unseeing = looks ? text : text.replaceAll("(?m)^ *check .*$", "");
    program(row, unseeing, DetectorSet.ALL, row.byDetectors(), differences);
    if (row.full()) {
      program(row, text, DetectorSet.VALUES, row.byValues(), differences);
    }
    return differences;
  }

  private static List<String> litmus(Row row, String text) {
    LitmusVerdict verdict =
        new LitmusChecker(MemoryModel.parse(row.profile())).check(LitmusParser.parse(text));
    boolean allowed =
        row.world().equals("end")
            ? verdict.termination() != Termination.ALWAYS
            : verdict.answer() == LitmusVerdict.Answer.ALLOWED;
    boolean decided =
        allowed || row.world().equals("end") || verdict.answer() == LitmusVerdict.Answer.FORBIDDEN;
    return decided && verdict.bounds().isEmpty() && allowed == row.allowed()
        ? List.of()
        : List.of(String.valueOf(verdict));
  }

  private static void program(
      Row row, String text, DetectorSet detectors, String expected, List<String> differences) {
    Topology topology = Topology.parse(row.world());
    Program program;
    try {
      program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    } catch (ProgramException e) {
      if (!expected.equals("refused")) {
        differences.add("refused: " + e.getMessage());
      }
      return;
    }
    LoweredForm lowered =
        StepEdits.apply(
            EngineRequirements.lower(program, topology, topology.kinds()), row.stepEdits());
    ExecutionSettings settings =
        new ExecutionSettings(
            profile(row.profile()), row.launches(), detectors, TimeoutPolicy.NEVER);
    for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.FULL)) {
      if (strategy == Strategy.FULL ? !row.full() : detectors == DetectorSet.VALUES) {
        continue;
      }
      Verdict verdict =
          new Checker(strategy, BUDGET, 1, settings).check(program, topology, lowered);
      String found = verdict.violation().map(Verdict.Violation::kind).orElse("none");
      // Load buffering is a shape of the text that no execution has; everything else was executed.
      boolean bounded =
          verdict.bounds().stream().anyMatch(bound -> !bound.startsWith("load buffering: "));
      if (!found.equals(expected) || (found.equals("none") && bounded)) {
        differences.add(
            "%s, %s, states=%d: expected %s, found %s %s %s"
                .formatted(
                    strategy.spelling(),
                    detectors,
                    verdict.states(),
                    expected,
                    found,
                    verdict.violation().map(Verdict.Violation::message).orElse(""),
                    verdict.bounds()));
      }
    }
  }

  /** A named profile; with the suffix {@code +all}, every GPU sees the writes of interfaces. */
  public static Profile profile(String text) {
    Profile p = Profile.parse(text.replace("+all", ""));
    return text.endsWith("+all")
        ? new Profile(
            text, Profile.Visibility.ALL, p.traits(), p.interfaces(), p.depth(), p.resident())
        : p;
  }
}
