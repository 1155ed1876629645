package dev.oriel.sim.oracle;

import dev.oriel.sim.litmus.axioms.AxiomOutcomes;
import dev.oriel.sim.litmus.axioms.AxiomOutcomes.Race;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * One program, explored by the simulator and decided by the axioms.
 *
 * @param axioms the results of the axioms
 * @param differences how the simulator differs, each with a detail
 * @param buffered the number of outcomes that the simulator does not execute and the verdict names
 */
record OutcomeComparison(AxiomOutcomes axioms, Map<Difference, String> differences, int buffered) {
  /** One level of a search. */
  static final List<String> SYNCHRONISATION = List.of("synchronisation");

  static final List<String> BOTH_LEVELS = List.of("synchronisation", "full");

  /** How the simulator and the axioms may differ. */
  enum Difference {
    /** An outcome that the axioms forbid. */
    EXTRA_OUTCOME,
    /** An outcome that some order of steps has, and that the simulator does not find. */
    MISSING_OUTCOME,
    /** An outcome of load buffering that the simulator neither finds nor names. */
    UNNAMED_BUFFERING,
    /** A race that the simulator does not find. */
    MISSED_RACE,
    /** A race, or too narrow a scope, where every access is ordered. */
    FALSE_RACE,
    /** A wait without end that the simulator does not find. */
    MISSED_DEADLOCK,
    /** A deadlock where every wait ends. */
    FALSE_DEADLOCK,
    /** Something else that the simulator finds, or a search that was cut. */
    OTHER
  }

  /** The results of the simulator. */
  private record Shown(String findings, Set<String> outcomes) {
    static Shown of(
        UnaryOperator<String> simulator, LitmusProgram program, String level, String detectors) {
      String head =
          "1x%d %s %s %s".formatted(program.ranks(), level, detectors, program.observed()).strip();
      List<String> lines =
          List.of(simulator.apply(head + "\n" + program.program()).split("\n", -1));
      return new Shown(lines.getFirst(), new TreeSet<>(lines.subList(1, lines.size())));
    }

    boolean found(String kind) {
      return findings.contains(kind);
    }

    boolean hangs() {
      return found("DEADLOCK");
    }

    boolean races() {
      return found("RACE") || found("SCOPE");
    }
  }

  static OutcomeComparison of(
      UnaryOperator<String> simulator, LitmusProgram program, List<String> levels) {
    AxiomOutcomes axioms = AxiomOutcomes.of(LitmusParser.parse(program.litmus()));
    OutcomeComparison result = new OutcomeComparison(axioms, new EnumMap<>(Difference.class), 0);
    int buffered = 0;
    for (String level : levels) {
      Shown shown = Shown.of(simulator, program, level, "races");
      if (axioms.races() == Race.NONE && shown.races() && program.pollsPlainStores()) {
        // The axioms leave out rounds of a wait that find nothing; the simulator does not.
        continue;
      }
      buffered =
          axioms.races() != Race.NONE
              ? result.racing(shown, level, Shown.of(simulator, program, level, "waits"))
              : result.orderly(shown, level);
      if (axioms.races() != Race.NONE) {
        Shown values = Shown.of(simulator, program, level, "values");
        result.extra(values, level);
        result.other(values, level);
      }
      result.other(shown, level);
      if (axioms.races() == Race.NONE && program.waits()) {
        result.waiting(Shown.of(simulator, program, level, "waits"), level);
      }
    }
    return new OutcomeComparison(axioms, result.differences, buffered);
  }

  /**
   * Some access is unordered. The simulator must report it, unless only load buffering causes it.
   * If it belongs to a wait that never ends, or to a signal of too narrow a scope, a report of the
   * wait suffices.
   */
  private int racing(Shown shown, String level, Shown waits) {
    boolean noticed =
        switch (axioms.racesStepwise()) {
          case WEAK -> shown.races();
          case NARROW -> shown.races() || waits.hangs();
          case NONE -> false;
        };
    if (noticed || shown.races()) {
      return 0;
    }
    if (axioms.racesStepwise() != Race.NONE) {
      differs(Difference.MISSED_RACE, level, axioms.racesStepwise().toString());
      return 0;
    }
    if (!shown.found("buffering")) {
      differs(Difference.UNNAMED_BUFFERING, level, "a race");
    }
    return 1;
  }

  private int orderly(Shown shown, String level) {
    extra(shown, level);
    int buffered = 0;
    for (String outcome : axioms.allowed()) {
      if (!shown.outcomes.contains(outcome)) {
        if (axioms.stepwise().contains(outcome)) {
          differs(Difference.MISSING_OUTCOME, level, outcome);
        } else if (shown.found("buffering")) {
          buffered++;
        } else {
          differs(Difference.UNNAMED_BUFFERING, level, outcome);
        }
      }
    }
    if (shown.races()) {
      differs(Difference.FALSE_RACE, level, shown.findings);
    }
    return buffered;
  }

  private void waiting(Shown shown, String level) {
    boolean unnamed = axioms.hangs() && !shown.found("buffering");
    if (!shown.hangs() && (axioms.hangsStepwise() || unnamed)) {
      differs(Difference.MISSED_DEADLOCK, level, shown.findings);
    }
    if (!axioms.hangs() && shown.hangs()) {
      differs(Difference.FALSE_DEADLOCK, level, shown.findings);
    }
  }

  private void extra(Shown shown, String level) {
    shown.outcomes.stream()
        .filter(outcome -> !outcome.isEmpty() && !axioms.allowed().contains(outcome))
        .findFirst()
        .ifPresent(outcome -> differs(Difference.EXTRA_OUTCOME, level, outcome));
  }

  private void other(Shown shown, String level) {
    String left = shown.findings.replaceAll("RACE|SCOPE|DEADLOCK|buffering|[\\[\\], ]", "");
    if (!left.isEmpty()) {
      differs(Difference.OTHER, level, shown.findings);
    }
  }

  private void differs(Difference difference, String level, String detail) {
    differences.putIfAbsent(difference, (level + " " + detail).strip());
  }
}
