package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Judges one program. The argument is a line with shape and profile, then the program's text. The
 * line may also hold {@code full}, {@code values} (races end no execution), {@code told} (the
 * messages of findings count too), {@code launches=2}, {@code timeouts=QUIESCENCE}, and {@code
 * faults=} with commas for spaces. Loaded together with a changed engine, so its interface consists
 * of strings.
 */
@SuppressWarnings("StringSplitter")
public final class Battery implements UnaryOperator<String> {
  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    List<String> head = List.of(parts[0].split(" "));
    Topology topology = Topology.parse(head.get(0));
    Profile profile = Profile.parse(head.get(1));
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    ExecutionSettings settings =
        new ExecutionSettings(
                profile,
                Integer.parseInt(after(head, "launches=").orElse("1")),
                head.contains("values") ? DetectorSet.VALUES : DetectorSet.ALL,
                TimeoutPolicy.valueOf(after(head, "timeouts=").orElse("NEVER")))
            .with(FaultPlan.parse(after(head, "faults=").orElse("none").replace(',', ' ')));
    Simulation simulation = new Simulation(bound, topology, lowered, settings);
    StringBuilder verdict = new StringBuilder();
    boolean[] both = {false, true};
    for (boolean full : head.contains("full") ? both : new boolean[] {false}) {
      Endings endings = Endings.systematic(simulation, full, Battery::memory);
      verdict.append(full ? " full " : "synchronisation ");
      verdict.append(endings.found).append(endings.outcomes);
      verdict.append(head.contains("told") ? endings.messages : "");
      verdict.append(simulation.sumsCut() ? " cut" : "");
    }
    return verdict.toString();
  }

  private static Optional<String> after(List<String> head, String name) {
    return head.stream()
        .filter(word -> word.startsWith(name))
        .map(word -> word.substring(name.length()))
        .findFirst();
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
