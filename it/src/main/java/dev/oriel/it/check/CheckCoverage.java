package dev.oriel.it.check;

import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The combinations of one check: the checked ones, with a failing one last, the refused ones, and
 * the number of those left unchecked.
 */
record CheckCoverage(List<CheckedCombination> checked, List<RefusedCombination> refused, int left) {

  /**
   * A combination with its report.
   *
   * @param decided whether one execution covers all others, since one agent ends each wait
   */
  record CheckedCombination(Combination combination, CheckReport report, boolean decided) {}

  /** A refused combination: its world, its values, and the first mistake that binding found. */
  record RefusedCombination(String world, Map<String, Long> params, Mistake mistake) {
    /** The program would deadlock with these values. */
    static final String DEAF = "wait that nothing matches";

    RefusedCombination {
      params = Collections.unmodifiableMap(new TreeMap<>(params));
    }

    static RefusedCombination of(String world, Map<String, Long> params, RuntimeException reason) {
      return new RefusedCombination(
          world,
          params,
          reason instanceof ProgramException refused
              ? refused.mistakes().getFirst()
              : Mistake.of(String.valueOf(reason.getMessage())));
    }

    String reason() {
      return mistake.message();
    }

    /** The reason without its facts. */
    String what() {
      int facts = reason().indexOf(':');
      return facts < 0 ? reason() : reason().substring(0, facts);
    }
  }

  CheckCoverage {
    checked = List.copyOf(checked);
    refused = List.copyOf(refused);
  }

  /**
   * Refused values with which a lane would wait for ever, in worlds in which other values were
   * checked. No machine runs the program with them.
   */
  List<RefusedCombination> deaf() {
    return refused.stream()
        .filter(one -> one.what().equals(RefusedCombination.DEAF) && !one.params().isEmpty())
        .filter(one ->
            checked.stream().anyMatch(other -> other.combination().world().equals(one.world())))
        .toList();
  }

  /** Whether something fails. */
  boolean failed() {
    return checked.getLast().report().found().isPresent();
  }

  /** Whether there is only one combination. */
  boolean single() {
    return checked.size() == 1;
  }

  /** The combination that a verdict shows: the failing one, or else the first. */
  CheckedCombination shown() {
    return failed() ? checked.getLast() : checked.getFirst();
  }

  /** The combination whose outputs are promised least; of equals, the first. */
  CheckedCombination silent() {
    if (failed()) {
      return shown();
    }
    return checked.stream()
        .filter(one -> one.report().verdict().outputs().unpromised() > 0)
        .findFirst()
        .orElseGet(() ->
            checked.stream()
                .filter(one -> !one.report().verdict().outputs().complete())
                .findFirst()
                .orElse(checked.getFirst()));
  }

  /** Every bound that the search of one of them reached. */
  List<String> bounds() {
    return checked.stream()
        .flatMap(one -> one.report().verdict().bounds().stream())
        .distinct()
        .toList();
  }

  /** Whether one execution of each combination covers all others. */
  boolean decided() {
    return checked.stream().allMatch(CheckedCombination::decided);
  }

  /** In how many combinations any number of launches is covered. */
  int closed() {
    return (int) checked.stream().filter(one -> one.report().closed()).count();
  }

  /** The most launches of executions that were drawn besides the others; 0 if none were. */
  int drawnLaunches() {
    return checked.stream()
        .flatMap(one -> one.report().anyLaunches().stream())
        .mapToInt(AnyLaunches::drawn)
        .max()
        .orElse(0);
  }

  /** Every kind of link that was covered. */
  Set<PeerKind> links() {
    Set<PeerKind> links = EnumSet.noneOf(PeerKind.class);
    checked.forEach(one -> links.addAll(one.combination().topology().kinds()));
    return links;
  }

  /** The most ranks of a combination. */
  int ranks() {
    return checked.stream().mapToInt(one -> one.combination().topology().world()).max().orElse(0);
  }
}
