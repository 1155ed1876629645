package dev.oriel.sim.search;

import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.machine.Remedy;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.ReplayException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the cheapest edge that would have ordered two accesses: the failing execution is run again
 * on machines that supply one kind of edge each, until one no longer finds that race.
 */
final class Advice {
  private Advice() {}

  /** Other edges may make other choices: a script that does not fit them shows nothing. */
  private static Optional<Finding> unscripted(
      Supplier<Optional<Finding>> execution, Finding otherwise) {
    try {
      return execution.get();
    } catch (ReplayException e) {
      return Optional.of(otherwise);
    }
  }

  /** The story, its finding told with what to add to the program where that is known. */
  static Simulation.Story told(
      Simulation simulation, Simulation.Story plain, Supplier<Optional<Finding>> execution) {
    return plain
        .finding()
        .map(finding -> plain.told(on(simulation, finding, execution)))
        .orElse(plain);
  }

  /** The finding, with what to add to the program where that is known. */
  static Finding on(Simulation simulation, Finding finding, Supplier<Optional<Finding>> execution) {
    if (finding.kind() != Kind.RACE) {
      return finding;
    }
    String facts = finding.message().substring(0, finding.message().lastIndexOf("; "));
    for (Remedy remedy : Remedy.values()) {
      if (remedy != Remedy.NONE) {
        Optional<Finding> left = simulation.with(remedy, () -> unscripted(execution, finding));
        if (left.isEmpty() || !left.get().message().startsWith(facts)) {
          return new Finding(Kind.RACE, facts + "; cheapest edge: " + remedy.advice());
        }
      }
    }
    return new Finding(
        Kind.RACE,
        facts
            + "; no single edge of what stands there orders them: let one side await a signal that"
            + " the other sends behind its access");
  }
}
