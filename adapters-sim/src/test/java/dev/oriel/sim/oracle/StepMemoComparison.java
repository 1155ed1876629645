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
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Random executions of one program, run twice: with every step executed, and with known steps
 * recalled. Enabled agents, findings and states must be the same. Its interface consists of strings
 * if it is loaded together with a changed engine.
 */
@SuppressWarnings("StringSplitter")
public final class StepMemoComparison implements UnaryOperator<String> {
  private static final int EXECUTIONS = 60;
  private static final int MAX_STEPS = 5_000;
  private static final int LOOKS = 8;

  /** The first difference, empty if there is none, and the number of recalled steps. */
  public record Comparison(String difference, long recalled) {}

  /**
   * The argument is a line with shape and profile, then a text; the result is the difference, or
   * empty.
   */
  @Override
  public String apply(String program) {
    return compare(program).difference();
  }

  static Comparison compare(String program) {
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    DetectorSet detectors =
        switch (Math.floorMod(parts[1].hashCode(), 4)) {
          case 1 -> DetectorSet.VALUES;
          case 3 -> DetectorSet.RESULTS;
          default -> DetectorSet.ALL;
        };
    return compare(bound, topology, Profile.parse(head[1]), detectors);
  }

  public static Comparison compare(
      Program program, Topology topology, Profile profile, DetectorSet detectors) {
    Simulation plain = simulation(program, topology, profile, detectors);
    Simulation repeating = simulation(program, topology, profile, detectors);
    repeating.repeat(0);
    List<String> wanted = walk(plain);
    List<String> found = walk(repeating);
    String difference = "";
    for (int i = 0; i < Math.max(wanted.size(), found.size()) && difference.isEmpty(); i++) {
      String one = i < wanted.size() ? wanted.get(i) : "the end";
      String other = i < found.size() ? found.get(i) : "the end";
      difference =
          one.equals(other) ? "" : "at %d of all: %s, recalled %s".formatted(i, one, other);
    }
    return new Comparison(difference, repeating.recalled());
  }

  private static Simulation simulation(
      Program program, Topology topology, Profile profile, DetectorSet detectors) {
    return new Simulation(
        program,
        topology,
        FormLowering.lower(program.form(), topology.kinds()),
        new ExecutionSettings(profile, 2, detectors, TimeoutPolicy.NEVER));
  }

  private static List<String> walk(Simulation simulation) {
    return simulation.exploring(() -> {
      List<String> seen = new ArrayList<>();
      for (long execution = 0; execution < EXECUTIONS; execution++) {
        one(simulation, new Random(execution), seen);
      }
      return seen;
    });
  }

  private static void one(Simulation simulation, Random random, List<String> seen) {
    simulation.restart();
    for (int step = 0; simulation.enabled() > 0 && step < MAX_STEPS; step++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < simulation.enabled(); i++) {
        line.append(simulation.enabledAt(i)).append(' ');
      }
      int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
      Optional<Finding> finding = simulation.step(agent, random::nextInt);
      line.append(": ").append(agent).append(finding.map(Finding::toString).orElse(""));
      // Most states are not printed: printing one materialises all of it.
      boolean look = finding.isPresent() || random.nextInt(LOOKS) == 0;
      seen.add(line.append(look ? print(simulation) : "").toString());
      if (finding.isPresent() || simulation.endless()) {
        return;
      }
    }
    seen.add("end " + simulation.end() + print(simulation));
  }

  private static String print(Simulation simulation) {
    Fingerprint print = new Fingerprint();
    print.clear();
    simulation.digest(print);
    return ", %x%x".formatted(print.high(), print.low());
  }
}
