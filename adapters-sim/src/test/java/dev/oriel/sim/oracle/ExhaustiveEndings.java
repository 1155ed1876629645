package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Buffer;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of every order of every step of a program. The argument is a line with shape, profile
 * and what to search for ({@code all}, {@code values}, {@code races} and the like), then the
 * program's text. A fourth word in the line restricts the search to the orders of synchronisation.
 * The first line of the answer holds the findings, each other line an outcome. The answer is {@code
 * cut} if there are too many states. Loaded together with a changed engine, so its interface
 * consists of strings.
 */
public final class ExhaustiveEndings implements UnaryOperator<String> {
  private static final int MAX_STATES = 2_000;
  private static final int MORE_STATES = 200_000;

  /** The answer, parsed. */
  record Judged(boolean cut, Set<String> found, Set<String> outcomes) {
    static Judged of(UnaryOperator<String> ends, String program) {
      List<String> lines = ends.apply(program).lines().toList();
      Set<String> found = new TreeSet<>(List.of(lines.getFirst().split(" ", -1)));
      found.remove("");
      return new Judged(found.remove("cut"), found, new TreeSet<>(lines.subList(1, lines.size())));
    }

    /** The outcomes with other names of ranks, or without some. */
    Set<String> renamed(int... rank) {
      return outcomes.stream()
          .map(outcome -> outcome.split(" \\| ", -1))
          .map(ranks ->
              IntStream.of(rank).mapToObj(r -> ranks[r]).collect(Collectors.joining(" | ")))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Override
  @SuppressWarnings("StringSplitter")
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(bound.form(), topology.kinds());
    ExecutionSettings settings =
        new ExecutionSettings(Profile.parse(head[1]), 1, detectors(head[2]), TimeoutPolicy.NEVER);
    Endings ends =
        Endings.systematic(
            new Simulation(bound, topology, lowered, settings),
            head.length < 4,
            head.length < 4 ? MAX_STATES : MORE_STATES,
            s -> outcome(s, lowered));
    String found = ends.found.stream().map(Kind::name).collect(Collectors.joining(" "));
    return ends.cut ? "cut" : found + "\n" + String.join("\n", ends.outcomes);
  }

  private static DetectorSet detectors(String name) {
    return switch (name) {
      case "all" -> DetectorSet.ALL;
      case "values" -> DetectorSet.VALUES;
      case "some" ->
          new DetectorSet(
              EnumSet.of(Kind.RACE, Kind.ATOMICITY, Kind.WRITERS, Kind.DEADLOCK),
              EnumSet.noneOf(MachineFeature.class));
      case "race", "overwrite" ->
          new DetectorSet(
              EnumSet.of(Kind.valueOf(name.toUpperCase(Locale.ROOT))),
              EnumSet.noneOf(MachineFeature.class));
      default ->
          new DetectorSet(
              EnumSet.of(Kind.RACE, Kind.SUM, Kind.BOUNDS), EnumSet.noneOf(MachineFeature.class));
    };
  }

  /** The numbers of the registers that the text names; others are temporary. */
  private static List<Integer> named(LoweredLane lane) {
    List<String> names = new ArrayList<>(List.of("epoch"));
    for (LoweredStep step : lane.steps()) {
      String name =
          switch (step.micro()) {
            case MicroOperation.Set s -> s.register();
            case MicroOperation.LoadWord l -> l.register();
            case MicroOperation.ReadSlot r -> r.register();
            case MicroOperation.Rmw r -> r.register();
            default -> "";
          };
      if (!name.isEmpty() && !names.contains(name)) {
        names.add(name);
      }
    }
    return names.stream().filter(n -> n.matches("x\\d+")).sorted().map(names::indexOf).toList();
  }

  /**
   * For each rank: the named registers of its lanes, then every word of each buffer, in the order
   * of the names.
   */
  private static String outcome(Simulation s, LoweredForm lowered) {
    StringJoiner ranks = new StringJoiner(" | ");
    List<Buffer> buffers = s.code().form().buffers();
    List<Buffer> sorted = buffers.stream().sorted(Comparator.comparing(Buffer::name)).toList();
    for (int r = 0; r < s.code().world(); r++) {
      StringJoiner text = new StringJoiner(",");
      for (int l = s.code().firstLane(r); l < s.code().firstLane(r + 1); l++) {
        for (int i : named(lowered.lane(s.code().lanes().get(l).name()))) {
          text.add(String.valueOf(s.register(l, i)));
        }
      }
      for (Buffer buffer : sorted) {
        int size = (int) s.code().ranks().get(r).bytes(buffer.name());
        for (int i = 0; i < size; i += 8) {
          long octet = s.octet(r, buffers.indexOf(buffer), i) & 0xFF;
          text.add(buffer.space().callers() ? "" : String.valueOf(octet));
        }
      }
      ranks.add(text.toString());
    }
    return ranks.toString();
  }
}
