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
import dev.oriel.sim.machine.settings.OrderRemedy;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The results of a program on a machine that supplies an edge. The argument is a line with shape,
 * profile, remedy, {@code full} or {@code synchronisation}, and the number of observed registers of
 * a lane, then the program's text. The first line of the answer holds the findings, each other line
 * an outcome. The answer is {@code cut} if there are too many states. Loaded together with a
 * changed engine, so its interface consists of strings.
 */
public final class SuppliedEndings implements UnaryOperator<String> {
  private static final int MAX_STATES = 100_000;

  @Override
  @SuppressWarnings("StringSplitter")
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    Simulation simulation =
        new Simulation(
            bound,
            topology,
            lowered,
            new ExecutionSettings(Profile.parse(head[1]), 1, DetectorSet.ALL, TimeoutPolicy.NEVER));
    SuppliedOrder edge = new SuppliedOrder(OrderRemedy.valueOf(head[2]), SuppliedOrder.EVERY);
    Endings[] ends = new Endings[1];
    // A search that enlarges the state continues without the edge, so it is repeated.
    for (long size = 0; size != simulation.size(); ) {
      size = simulation.size();
      simulation.with(
          edge,
          () -> {
            ends[0] =
                Endings.systematic(
                    simulation,
                    head[3].equals("full"),
                    MAX_STATES,
                    s -> outcome(s, Integer.parseInt(head[4])));
            return Optional.empty();
          });
    }
    String found = ends[0].found.stream().map(Kind::name).collect(Collectors.joining(" "));
    return ends[0].cut ? "cut" : found + "\n" + String.join("\n", ends[0].outcomes);
  }

  /** Registers and memory, in the format of {@link PlainCode#outcome}. */
  private static String outcome(Simulation s, int registers) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < s.code().lanes().size(); l++) {
      for (int r = 0; r < registers; r++) {
        text.append(s.register(l, r)).append(' ');
      }
    }
    int places = s.code().world() * s.code().form().buffers().size() * 4;
    int buffers = s.code().form().buffers().size();
    for (int place = 0; place < places; place++) {
      long word = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        int at = (place % 4) * Long.BYTES + i;
        word |= (s.octet(place / 4 / buffers, (place / 4) % buffers, at) & 0xFF) << (8 * i);
      }
      text.append(word).append(place % 4 == 3 ? "; " : " ");
    }
    return text.toString();
  }
}
