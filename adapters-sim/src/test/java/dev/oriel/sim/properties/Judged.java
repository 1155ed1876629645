package dev.oriel.sim.properties;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;

/** The checker's verdict on a text: the kind of the finding, {@link #HOLDS}, or the bounds. */
final class Judged {
  /** No execution has a finding. */
  static final String HOLDS = "holds";

  /** The profiles with races; L0 has no order that could be missing. */
  static final List<Profile> WEAK = List.of(Profile.L1, Profile.L2, Profile.L3);

  private Judged() {}

  static String text(String text, Topology topology, Profile profile, int launches) {
    return text(text, topology, profile, launches, "none", TimeoutPolicy.NEVER);
  }

  static String text(
      String text,
      Topology topology,
      Profile profile,
      int launches,
      String faults,
      TimeoutPolicy timeouts) {
    ExecutionSettings settings =
        new ExecutionSettings(profile, launches, DetectorSet.ALL, timeouts)
            .with(FaultPlan.parse(faults));
    Program program;
    try {
      program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    } catch (ProgramException e) {
      return "refused: " + e.getMessage();
    }
    Verdict verdict =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, settings).check(program, topology);
    String rest = verdict.bounds().isEmpty() ? HOLDS : "bounded: " + verdict.bounds();
    return verdict.violation().map(v -> v.kind() + ": " + v.message()).orElse(rest);
  }
}
