package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.SteeredSimulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of every order of every step of a program under faults. The argument is a line with
 * shape, profile, timeouts, the number of observed registers of a lane, and a fault plan, then the
 * program's text. The first line of the answer holds the findings. Each other line lists the ranks
 * that did not end well, then the outcome. The answer is {@code cut} if there are too many states.
 * Loaded together with a changed engine, so its interface consists of strings.
 */
public final class FaultEndings implements UnaryOperator<String> {
  private static final int MAX_STATES = 20_000;

  @Override
  @SuppressWarnings("StringSplitter")
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ", 5);
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    ExecutionSettings settings =
        new ExecutionSettings(
                Profile.parse(head[1]), 1, DetectorSet.ALL, TimeoutPolicy.valueOf(head[2]))
            .with(FaultPlan.parse(head[4]));
    int registers = Integer.parseInt(head[3]);
    Endings ends =
        Endings.systematic(
            new Simulation(bound, topology, lowered, settings),
            true,
            MAX_STATES,
            s -> disturbed(s) + ":" + outcome(s, registers));
    String found = ends.found.stream().map(Kind::name).collect(Collectors.joining(" "));
    return ends.cut ? "cut" : found + "\n" + String.join("\n", ends.outcomes);
  }

  private static String disturbed(Simulation s) {
    return IntStream.range(0, s.code().world())
        .filter(r -> SteeredSimulation.disturbed(s, r))
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** Registers and memory, in the format of a plain search. */
  private static String outcome(Simulation s, int registers) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < s.code().lanes().size(); l++) {
      for (int r = 0; r < registers; r++) {
        text.append(s.register(l, r)).append(' ');
      }
    }
    int buffers = s.code().form().buffers().size();
    for (int place = 0; place < s.code().world() * buffers; place++) {
      StringJoiner words = new StringJoiner(" ", "", "; ");
      for (int word = 0; word < 4; word++) {
        long value = 0;
        for (int i = 0; i < 8; i++) {
          value |= (s.octet(place / buffers, place % buffers, 8 * word + i) & 0xFF) << (8 * i);
        }
        words.add(String.valueOf(value));
      }
      text.append(words);
    }
    return text.toString();
  }
}
