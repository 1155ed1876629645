package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Endings;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Judges one program: a line with shape, profile and perhaps {@code full}, and {@code values} where
 * races end nothing, then its text. Loaded beside a changed engine, so that it speaks of nothing
 * but strings.
 */
@SuppressWarnings("StringSplitter")
public final class Battery implements UnaryOperator<String> {
  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    List<String> head = List.of(parts[0].split(" "));
    Topology topology = Topology.parse(head.get(0));
    Profile profile = Profile.parse(head.get(1));
    Program bound = Program.bind(Parser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = Lowering.lower(bound.form(), topology.kinds());
    Simulation simulation =
        new Simulation(
            bound,
            topology,
            lowered,
            new Simulation.Terms(
                profile,
                1,
                head.contains("values") ? Detectors.VALUES : Detectors.ALL,
                Timeouts.NEVER));
    StringBuilder verdict = new StringBuilder();
    boolean[] both = {false, true};
    for (boolean full : head.contains("full") ? both : new boolean[] {false}) {
      Endings endings = Endings.systematic(simulation, full, Battery::memory);
      verdict.append(full ? " full " : "synchronisation ");
      verdict.append(endings.found).append(endings.outcomes);
    }
    return verdict.toString();
  }

  static String memory(Simulation s) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < s.code().lanes().size(); l++) {
      for (int i = 0; i < s.code().lanes().get(l).registers(); i++) {
        text.append(s.register(l, i)).append(' ');
      }
    }
    for (int r = 0; r < s.code().world(); r++) {
      for (int b = 0; b < s.code().form().buffers().size(); b++) {
        long size = s.code().ranks().get(r).bytes(s.code().form().buffers().get(b).name());
        for (int i = 0; i < size; i += 8) {
          text.append(s.octet(r, b, i) & 0xFF).append(' ');
        }
      }
    }
    return text.toString();
  }
}
