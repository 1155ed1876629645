package dev.oriel.sim.museum;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;

/** Executes the programs of an exhibit, with its launches, timeouts and faults. */
final class CaseStudyRunner {
  private static final Budget BUDGET = new Budget(100, 200_000, 1_000_000, 500_000_000);
  private static final long SEED = 1;

  private final CaseStudyPrograms showcase;

  CaseStudyRunner(CaseStudyPrograms showcase) {
    this.showcase = showcase;
  }

  /** The broken program under the conditions at which its exhibit says that it fails. */
  ProgramResult broken() {
    return broken(showcase.world(), showcase.profile(), showcase.strategy());
  }

  ProgramResult broken(Profile profile, Strategy strategy) {
    return broken(showcase.world(), profile, strategy);
  }

  ProgramResult broken(String world, Profile profile, Strategy strategy) {
    return of(showcase.edit().broken(), showcase.conditions().in(world).with(profile), strategy);
  }

  /** The broken program under other conditions. */
  ProgramResult broken(RunConditions conditions) {
    return of(showcase.edit().broken(), conditions, showcase.strategy());
  }

  /** Another text under other conditions. */
  ProgramResult of(String text, RunConditions conditions) {
    return of(text, conditions, showcase.strategy());
  }

  /** All orders of the synchronisation of the repaired program. */
  ProgramResult twin(Profile profile) {
    return of(
        showcase.edit().twin(), showcase.conditions().with(profile), Strategy.SYNCHRONISATION);
  }

  ProgramResult twin(String world) {
    return of(showcase.edit().twin(), showcase.conditions().in(world), Strategy.SYNCHRONISATION);
  }

  private ProgramResult of(String text, RunConditions conditions, Strategy strategy) {
    Topology topology = Topology.parse(conditions.world());
    Program program;
    try {
      program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    } catch (ProgramException e) {
      return ProgramResult.refused(String.valueOf(e.getMessage()));
    }
    Checker checker =
        new Checker(
            strategy,
            BUDGET,
            SEED,
            conditions.settings(),
            conditions.faults(),
            CampaignShard.WHOLE);
    return ProgramResult.of(checker.explore(program, topology));
  }
}
