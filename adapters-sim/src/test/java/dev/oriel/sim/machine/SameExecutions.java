package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.rows.ClockSnapshots;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.rows.FlatClockTable;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Random executions of one program, run with flat clocks and with clocks that share parts. Enabled
 * agents, findings and all of the state must be the same.
 */
public final class SameExecutions {
  private static final int MAX_STEPS = 20_000;

  private final int executions;
  private final int looks;

  /** That many executions; one state in {@code looks} is compared. */
  public SameExecutions(int executions, int looks) {
    this.executions = executions;
    this.looks = looks;
  }

  /** The first difference, empty if there is none, and the number of findings and steps. */
  public record Comparison(String difference, int findings, long steps) {}

  public Comparison compare(
      Program program,
      Topology topology,
      LoweredForm lowered,
      Profile profile,
      DetectorSet detectors) {
    ExecutionSettings settings = new ExecutionSettings(profile, 2, detectors, TimeoutPolicy.NEVER);
    WorldCode code = new WorldCode(program, lowered);
    List<String> flat =
        walk(
            new Simulation(code, topology, settings, new StateCapacities(Integer.MAX_VALUE)), true);
    List<String> shared =
        walk(new Simulation(code, topology, settings, new StateCapacities(0)), false);
    int findings = (int) flat.stream().filter(line -> line.contains("Finding")).count();
    for (int i = 0; i < Math.max(flat.size(), shared.size()); i++) {
      String one = i < flat.size() ? flat.get(i) : "the end";
      String other = i < shared.size() ? shared.get(i) : "the end";
      if (!one.equals(other)) {
        return new Comparison("at %d: %s, shared %s".formatted(i, one, other), findings, i);
      }
    }
    return new Comparison("", findings, flat.size());
  }

  private List<String> walk(Simulation simulation, boolean flat) {
    return simulation.exploring(() -> {
      if (simulation.state().clocks instanceof FlatClockTable != flat) {
        throw new AssertionError("rows of the wrong kind");
      }
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < executions; i++) {
        one(simulation, new Random(i), seen);
      }
      return seen;
    });
  }

  private void one(Simulation simulation, Random random, List<String> seen) {
    simulation.restart();
    for (int step = 0; simulation.enabled() > 0 && step < MAX_STEPS; step++) {
      int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
      Optional<Finding> finding = simulation.step(agent, random::nextInt);
      boolean look = finding.isPresent() || random.nextInt(looks) == 0;
      seen.add(
          "%s: %d, %s, %s"
              .formatted(
                  Arrays.toString(simulation.state().enabled),
                  agent,
                  finding.map(Finding::toString).orElse(""),
                  look ? print(simulation.state()) : ""));
      if (finding.isPresent() || simulation.endless()) {
        return;
      }
    }
    seen.add("end " + simulation.end() + print(simulation.state()));
  }

  /** All contents of a state, number by number. */
  private static String print(MachineState state) {
    Fingerprint print = new Fingerprint();
    print.clear();
    try {
      Field model = MachineState.class.getDeclaredField("model");
      model.setAccessible(true);
      int clocks = ClockIndex.count((MachineModel) model.get(state));
      int seen = CausalClockIndex.count((MachineModel) model.get(state));
      for (Field field : MachineState.class.getDeclaredFields()) {
        if (!field.equals(model)) {
          add(field.get(state), field.getName().equals("clocks") ? clocks : seen, print);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
    return "%x %x".formatted(print.high(), print.low());
  }

  private static void add(Object held, int rows, Fingerprint into) {
    switch (held) {
      case ClockTable all -> add(all, 0, rows, into);
      case ClockSnapshots kept -> {
        into.add(kept.used);
        add(kept.rows, 1, kept.used, into);
      }
      case Integer number -> into.add(number);
      default -> {
        for (int i = 0; i < Array.getLength(held); i++) {
          Object one = Array.get(held, i);
          into.add(one instanceof Number n ? n.longValue() : (Boolean) one ? 1 : 0);
        }
      }
    }
  }

  private static void add(ClockTable rows, int first, int end, Fingerprint into) {
    for (int row = first; row < end; row++) {
      for (int column = 0; column < rows.width; column++) {
        into.add(rows.at(row, column));
      }
    }
  }
}
