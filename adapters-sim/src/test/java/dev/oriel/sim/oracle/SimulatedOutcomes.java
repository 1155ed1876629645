package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.LoadBuffering;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * Every outcome of one program under an exhaustive search. The first line of its argument holds the
 * world, {@code synchronisation} or {@code full} (or {@code relative}, the former with fingerprints
 * that do not depend on earlier launches), what to search for ({@code waits}, {@code races} or
 * {@code values}), and where each value of an outcome is: {@code register:rank:lane:number} or
 * {@code word:rank:buffer:offset}. The program's text follows. The first line of its answer holds
 * the findings, the other lines the outcomes. Loaded together with a changed engine, so its
 * interface consists of strings.
 */
@SuppressWarnings("StringSplitter")
public final class SimulatedOutcomes implements UnaryOperator<String> {
  /** Also searches for waits that may miss a value. */
  private static final DetectorSet WAITS =
      DetectorSet.ALL.without(Kind.WRITERS).without(Kind.ATOMICITY).without(Kind.LEAK);

  /**
   * A wait that may miss a value ends no execution: one in which it finds the value has an outcome.
   */
  private static final DetectorSet RACES = WAITS.without(Kind.OVERWRITE);

  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    List<String> head = List.of(parts[0].split(" "));
    Topology topology = Topology.parse(head.get(0));
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    DetectorSet detectors =
        switch (head.get(2)) {
          case "waits" -> WAITS;
          case "races" -> RACES;
          default -> DetectorSet.VALUES;
        };
    ExecutionSettings settings =
        new ExecutionSettings(Profile.L2, 1, detectors, TimeoutPolicy.NEVER);
    boolean relative = head.get(1).equals("relative");
    Simulation simulation =
        new Simulation(bound, topology, lowered, relative ? settings.closing(1) : settings);
    if (relative && !simulation.forgetLaunches().isEmpty()) {
      return "not looked at: " + simulation.forgetLaunches();
    }
    List<String> observed = head.subList(3, head.size());
    Endings ends =
        Endings.systematic(simulation, head.get(1).equals("full"), s -> outcome(s, observed));
    if (ends.found.remove(Kind.OVERWRITE)) {
      // Whether the wait that may miss a value ends nevertheless.
      ExecutionSettings missing = settings.looking(DetectorSet.VALUES).missingAwaits();
      Endings waits =
          Endings.systematic(
              new Simulation(bound, topology, lowered, missing),
              head.get(1).equals("full"),
              s -> "");
      ends.cut |= waits.cut;
      ends.found.addAll(waits.found);
    }
    StringJoiner answer = new StringJoiner("\n");
    answer.add(
        "%s%s%s"
            .formatted(
                ends.found,
                ends.cut ? " cut" : "",
                LoadBuffering.of(simulation.code()).isPresent() ? " buffering" : ""));
    ends.outcomes.forEach(answer::add);
    return answer.toString();
  }

  private static String outcome(Simulation s, List<String> observed) {
    StringJoiner values = new StringJoiner(" ");
    for (String place : observed) {
      String[] at = place.split(":");
      int rank = Integer.parseInt(at[1]);
      int of = Integer.parseInt(at[2]);
      int number = Integer.parseInt(at[3]);
      values.add(
          String.valueOf(
              at[0].equals("register")
                  ? s.register(s.code().firstLane(rank) + of, number)
                  : s.octet(rank, of, number) & 0xFF));
    }
    return values.toString();
  }
}
