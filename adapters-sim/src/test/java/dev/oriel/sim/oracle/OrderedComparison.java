package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.MachineFeature;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/** One program in one total order, under a plain search and under the machine's search. */
record OrderedComparison(PlainOrder plain, Endings full, Endings synchronised, boolean missed) {
  private static final DetectorSet MISSED =
      new DetectorSet(EnumSet.of(Kind.OVERWRITE), EnumSet.noneOf(MachineFeature.class));

  static OrderedComparison of(String text, String shape, long maxSteps) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    PlainCode code = new PlainCode(program, topology, lowered, Profile.L0);
    PlainOrder plain = new PlainOrder(code, maxSteps);
    Endings[] ends = new Endings[2];
    for (int i = 0; i < 2; i++) {
      ends[i] =
          Endings.systematic(
              simulation(program, topology, lowered, DetectorSet.VALUES),
              i == 0,
              s -> PlainComparison.outcome(s, code));
    }
    boolean missed =
        !Endings.systematic(simulation(program, topology, lowered, MISSED), true, s -> "")
            .found
            .isEmpty();
    return new OrderedComparison(plain, ends[0], ends[1], missed);
  }

  private static Simulation simulation(
      Program program, Topology topology, LoweredForm lowered, DetectorSet detectors) {
    return new Simulation(
        program,
        topology,
        lowered,
        new ExecutionSettings(Profile.L0, 1, detectors, TimeoutPolicy.NEVER));
  }

  /** Whether the level of synchronisation omits results of other orders of plain accesses. */
  boolean leavesOut() {
    return !synchronised.covers(full);
  }

  /** The disagreement, if any, apart from awaits that may miss a value. */
  Optional<String> disagreement() {
    boolean same = full.found.equals(plain.found) && full.outcomes.equals(plain.outcomes);
    return full.cut || synchronised.cut || !full.covers(synchronised) || (!missed && !same)
        ? Optional.of(
            "plain %s %s%n full %s %s"
                .formatted(plain.found, plain.outcomes, full.found, full.outcomes))
        : Optional.empty();
  }
}
