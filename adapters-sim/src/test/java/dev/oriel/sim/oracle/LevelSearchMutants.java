package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** A search level by level, wrong in one line. */
final class LevelSearchMutants {
  static final List<EngineMutant> ALL =
      List.of(
          // A state that was seen, one that is new twice, and which path it keeps.
          in("LevelMerge", "!VisitedStates.among(before.seen(), high, low) && ", ""),
          in("LevelMerge", "&& fresh.add(high, low)", "&& (fresh.add(high, low) || true)"),
          in(
              "LevelMerge",
              "one.nodes.precedes(one.at, other.nodes, other.at) ? -1 : 1",
              "one.nodes.precedes(one.at, other.nodes, other.at) ? 1 : -1"),
          in(
              "LevelMerge",
              "VisitedStates.merged(before.seen(), fresh.ascending())",
              "fresh.ascending()"),
          in("VisitedStates", "from = middle + 1;", "from = middle + 2;"),
          in("LevelMerge", "count = count.and(message.count());", "count = message.count();"),
          // What an expansion came to.
          in("LevelExpansion", "steps += path.steps() - stepsBefore;", "steps += path.steps();"),
          in(
              "LevelExpansion",
              "executions += path.executions() - executionsBefore;",
              "executions++;"),
          in(
              "LevelExpansion",
              "violation = violation == null ? ownViolation : violation;",
              "violation = ownViolation;"),
          in("LevelExpansion", "rooms = simulation.rooms();", ""),
          in(
              "LevelExpansion",
              "path.open(depth, 0, simulation.enabled());",
              "path.open(depth, 0, 1);"),
          in("SearchPath", "while (lengths[from] > same) {", "while (lengths[from] > same + 1) {"),
          // When a search is complete.
          in("LevelSearch", "return SearchLimit.STATES;", "return null;"),
          in("LevelSearch", "if (total.rooms().isEmpty()) {", "if (true) {"));

  private LevelSearchMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}
