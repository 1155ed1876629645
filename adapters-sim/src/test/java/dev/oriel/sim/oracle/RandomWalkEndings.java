package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * How random executions of one program end, each by the step and the kind of its finding. The
 * argument is a line with shape and profile, then the program's text. Loaded together with a
 * changed engine, so its interface consists of strings.
 */
@SuppressWarnings("StringSplitter")
public final class RandomWalkEndings implements UnaryOperator<String> {
  private static final int EXECUTIONS = 40;
  private static final int LAUNCHES = 2;

  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Profile profile = Profile.parse(head[1]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    Simulation simulation =
        new Simulation(
            bound,
            topology,
            lowered,
            new ExecutionSettings(profile, LAUNCHES, DetectorSet.ALL, TimeoutPolicy.NEVER));
    return simulation.exploring(() -> {
      List<String> ends = new ArrayList<>();
      for (int i = 0; i < EXECUTIONS; i++) {
        ends.add(one(simulation, new Random(i)));
      }
      return String.join(" ", ends);
    });
  }

  private static String one(Simulation simulation, Random random) {
    simulation.restart();
    int step = 0;
    while (simulation.enabled() > 0) {
      int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
      Optional<Finding> finding = simulation.step(agent, random::nextInt);
      if (finding.isPresent()) {
        return finding.get().kind() + "@" + step;
      }
      step++;
    }
    return simulation.end().map(f -> f.kind() + "@" + 0).orElse("holds") + "@" + step;
  }
}
