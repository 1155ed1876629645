package dev.oriel.sim.museum;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Shard;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;

/** Executes the programs of an exhibit, with its launches, timeouts and faults. */
final class Runs {
  private static final Budget BUDGET = new Budget(100, 200_000, 1_000_000, 500_000_000);
  private static final long SEED = 1;

  private final Showcase showcase;

  Runs(Showcase showcase) {
    this.showcase = showcase;
  }

  /** The broken program under the conditions at which its exhibit says that it fails. */
  Shown broken() {
    return broken(showcase.world(), showcase.profile(), showcase.strategy());
  }

  Shown broken(Profile profile, Strategy strategy) {
    return broken(showcase.world(), profile, strategy);
  }

  Shown broken(String world, Profile profile, Strategy strategy) {
    return of(showcase.edit().broken(), showcase.conditions().in(world).with(profile), strategy);
  }

  /** The broken program under other conditions. */
  Shown broken(Conditions conditions) {
    return of(showcase.edit().broken(), conditions, showcase.strategy());
  }

  /** Another text under other conditions. */
  Shown of(String text, Conditions conditions) {
    return of(text, conditions, showcase.strategy());
  }

  /** All orders of the synchronisation of the repaired program. */
  Shown twin(Profile profile) {
    return of(
        showcase.edit().twin(), showcase.conditions().with(profile), Strategy.SYNCHRONISATION);
  }

  Shown twin(String world) {
    return of(showcase.edit().twin(), showcase.conditions().in(world), Strategy.SYNCHRONISATION);
  }

  private Shown of(String text, Conditions conditions, Strategy strategy) {
    Topology topology = Topology.parse(conditions.world());
    Program program;
    try {
      program = Program.bind(Parser.parse(text), topology.world(), Map.of());
    } catch (ProgramException e) {
      return Shown.refused(String.valueOf(e.getMessage()));
    }
    Checker checker =
        new Checker(strategy, BUDGET, SEED, conditions.terms(), conditions.faults(), Shard.WHOLE);
    return Shown.of(checker.explore(program, topology));
  }
}
