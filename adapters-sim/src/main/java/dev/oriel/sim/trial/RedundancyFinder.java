package dev.oriel.sim.trial;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the operation that makes a mutant equivalent: with that operation removed as well, the
 * mistake shows. An operation whose removal alone is not found is the best explanation; otherwise
 * one whose removal alone is found.
 */
final class RedundancyFinder {
  /** Mistakes that remove an edge: some other operation then orders the same accesses. */
  private static final Set<String> WEAKER =
      Set.of(
          "drop",
          "missing-credit",
          "no-lock",
          "relaxed-order",
          "narrow-scope",
          "local-flush",
          "cover-one-move",
          "not-blocking",
          "wrong-context",
          "no-notice",
          "fence-for-quiet",
          "meet-for-barrier");

  /** Findings that show a missing wait instead of missing order. */
  private static final Set<String> STUCK = Set.of("refused", "deadlock");

  private final TrialSetting setting;
  private final Form original;

  /** The finding after removal of an operation alone, by the operation's position and text. */
  private final Map<String, String> alone = new HashMap<>();

  RedundancyFinder(TrialSetting setting, Form original) {
    this.setting = setting;
    this.original = original;
  }

  Optional<SurvivorAnalysis.Reason> of(Mutant mutant) {
    if (alone.isEmpty()) {
      each(original, (spot, key) -> alone.put(key, found(spot.replaced(List.of()))));
    }
    List<SurvivorAnalysis.Edge> edges = new ArrayList<>();
    each(
        mutant.form(),
        (spot, key) -> {
          String without = alone.get(key);
          if (edges.isEmpty() && without != null && without.isEmpty()) {
            add(edges, spot, without);
          }
        });
    if (edges.isEmpty() && weakens(mutant)) {
      each(
          mutant.form(),
          (spot, key) -> {
            String without = alone.get(key);
            if (edges.isEmpty() && without != null && !STUCK.contains(kind(without))) {
              add(edges, spot, without);
            }
          });
    }
    return edges.stream().<SurvivorAnalysis.Reason>map(e -> e).findFirst();
  }

  /**
   * The kind of the finding if that operation of the mutant is removed as well; empty if there is
   * none.
   */
  String without(Mutant mutant, ExecutionRecord.Place at) {
    return RewriteSite.of(mutant.form()).stream()
        .filter(s -> s.lane().name().equals(at.lane()) && s.number() == at.operation() + 1)
        .findFirst()
        .map(s -> kind(found(s.replaced(List.of()))))
        .orElseThrow();
  }

  /** Whether the mistake removes an edge. */
  static boolean weakens(Mutant mutant) {
    return WEAKER.contains(mutant.mutation());
  }

  private void add(List<SurvivorAnalysis.Edge> edges, RewriteSite spot, String without) {
    String both = found(spot.replaced(List.of()));
    if (!both.isEmpty() && !STUCK.contains(kind(both)) && !both.equals(without)) {
      edges.add(new SurvivorAnalysis.Edge(spot.place().toString(), kind(both), kind(without)));
    }
  }

  /** Visits an operation; its key is the same in a mutant as in the original. */
  private interface Visit {
    void at(RewriteSite spot, String key);
  }

  private static void each(Form form, Visit visit) {
    Map<String, Integer> times = new HashMap<>();
    for (RewriteSite spot : RewriteSite.of(form)) {
      if (orders(spot.op())) {
        String text = spot.lane().name() + ": " + spot.place().text();
        visit.at(spot, text + " #" + times.merge(text, 1, Integer::sum));
      }
    }
  }

  /** Whether the purpose of the operation is order. */
  private static boolean orders(Op op) {
    return switch (op) {
      case Op.Signal s -> true;
      case Op.Await a -> true;
      case Op.AwaitTicket t -> true;
      case Op.Flush f -> true;
      case Op.Sync s -> true;
      case Op.Join j -> true;
      case Call.Fence f -> true;
      case Call.MemoryFence f -> true;
      case Call.AwaitBulk w -> true;
      case Call.OrderProxy f -> true;
      case Call.Quiet q -> true;
      case Call.Wait w -> true;
      case Call.Lock l -> true;
      case Call.Unlock u -> true;
      case Call.Meet m -> true;
      default -> false;
    };
  }

  private static String kind(String found) {
    return found.isEmpty() ? "" : found.substring(0, found.indexOf(':'));
  }

  /** The finding for a form, kind and message; empty if there is none. */
  private String found(Form form) {
    try {
      FormValidator.validate(form);
      return setting
          .check(form, Strategy.SYNCHRONISATION, DetectorSet.ALL)
          .violation()
          .map(v -> v.kind() + ": " + v.message())
          .orElse("");
    } catch (ProgramException e) {
      return "refused: " + e.getMessage();
    }
  }
}
