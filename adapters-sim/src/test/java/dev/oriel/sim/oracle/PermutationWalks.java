package dev.oriel.sim.oracle;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.SymmetrySearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Checks that ranks reported as symmetric are. If every rank takes another's part, states are equal
 * up to renaming, and a search of one state for all renamings finds as much. Its interface consists
 * of strings if it is loaded together with a changed engine.
 */
@SuppressWarnings("StringSplitter")
public final class PermutationWalks implements UnaryOperator<String> {
  private static final int WALKS = 8;

  /** The number of renamings by which a state is compared; beyond it, only their number is. */
  private static final int FEW = 4;

  /** The number of renamings and of compared states, and the error, if any. */
  record Result(int renamings, int states, String difference) {}

  /**
   * The argument is a line with shape, profile, launches, detectors and faults, then a text; the
   * result is the error, or empty.
   */
  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ", 5);
    FaultPlan faults = FaultPlan.parse(head[4]);
    DetectorSet detectors = head[3].equals("all") ? DetectorSet.ALL : DetectorSet.VALUES;
    ExecutionSettings settings =
        new ExecutionSettings(
                Profile.parse(head[1]), Integer.parseInt(head[2]), detectors, TimeoutPolicy.NEVER)
            .with(faults);
    Result walked = walk(parts[1], head[0], Map.of(), settings);
    if (!walked.difference.isEmpty()) {
      return walked.difference;
    }
    Simulation simulation = simulation(parts[1], head[0], Map.of(), settings);
    SymmetrySearch all = SymmetrySearch.of(simulation, true, false);
    SymmetrySearch one = SymmetrySearch.of(simulation, true, true);
    return one.found.equals(all.found)
        ? ""
        : "finds %s, and looks at all for %s".formatted(one.found, all.found);
  }

  static Simulation simulation(
      String text, String shape, Map<String, Long> params, ExecutionSettings settings) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), params);
    return new Simulation(
        program, topology, FormLowering.lower(program.form(), topology.kinds()), settings);
  }

  /** Random walks, and the same walks renamed. */
  static Result walk(
      String text, String shape, Map<String, Long> params, ExecutionSettings settings) {
    Simulation first = simulation(text, shape, params, settings);
    Simulation second = simulation(text, shape, params, settings);
    int states = 0;
    int walks = Math.clamp(2 * WALKS / Math.max(1, first.renamings()), 2, WALKS);
    for (int r = 0; r < first.renamings(); r++) {
      if (second.renamings() != first.renamings()) {
        return new Result(first.renamings(), states, "other renamings of the same program");
      }
      for (int walk = 0; walk < walks; walk++) {
        List<Integer> agents = new ArrayList<>();
        List<String> prints = there(first, r, walk, agents);
        String difference = again(second, agents, prints, walk);
        if (!difference.isEmpty()) {
          String where = ", renaming %d, walk %d".formatted(r, walk);
          return new Result(first.renamings(), states, difference + where);
        }
        states += agents.size();
      }
    }
    return new Result(first.renamings(), states, "");
  }

  /** Decisions inside a step may be renamed too, so a walk ends before the first of them. */
  private static List<String> there(
      Simulation first, int renaming, int walk, List<Integer> agents) {
    return first.exploring(() -> {
      agents.clear();
      List<String> prints = new ArrayList<>();
      Random random = new Random(31L * walk + renaming);
      boolean[] open = {false};
      first.restart();
      while (first.enabled() > 0) {
        int agent = first.enabledAt(random.nextInt(first.enabled()));
        Optional<Finding> found =
            first.step(
                agent,
                options -> {
                  open[0] |= options > 1;
                  return 0;
                });
        if (found.isPresent() || open[0]) {
          break;
        }
        agents.add(first.renamed(renaming, agent));
        prints.add(print(first, renaming) + chosen(first, walk));
      }
      return prints;
    });
  }

  private static String again(
      Simulation second, List<Integer> agents, List<String> prints, int walk) {
    return second.exploring(() -> {
      second.restart();
      for (int i = 0; i < agents.size(); i++) {
        int agent = agents.get(i);
        if (IntStream.range(0, second.enabled()).noneMatch(e -> second.enabledAt(e) == agent)) {
          return "renamed step %d cannot be taken".formatted(i);
        }
        Optional<Finding> found = second.step(agent, options -> 0);
        if (found.isPresent()) {
          return "renamed step %d finds %s".formatted(i, found.get().kind());
        }
        String print = print(second, second.renamings()) + chosen(second, walk);
        if (!print.equals(prints.get(i))) {
          return "renamed step %d leads elsewhere".formatted(i);
        }
      }
      return "";
    });
  }

  /**
   * The representative of all renamings of a state that a search uses: the same for each of them.
   * In one walk only, since more would only take longer.
   */
  private static String chosen(Simulation simulation, int walk) {
    if (walk > 0) {
      return "";
    }
    int[] names = new int[simulation.renamings() + 1];
    int count = simulation.foremost(names);
    if (count > FEW) {
      return " by " + count;
    }
    return IntStream.range(0, count)
        .mapToObj(i -> print(simulation, names[i]))
        .collect(Collectors.toCollection(TreeSet::new))
        .toString();
  }

  private static String print(Simulation simulation, int renaming) {
    Fingerprint print = new Fingerprint();
    print.clear();
    simulation.digest(renaming, print);
    return print.high() + " " + print.low();
  }
}
