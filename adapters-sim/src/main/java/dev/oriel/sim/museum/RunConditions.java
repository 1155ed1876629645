package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.MachineFeature;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The conditions of a run: world, profile, launches, timeouts, faults and detectors. */
record RunConditions(
    String world,
    Profile profile,
    int launches,
    TimeoutPolicy timeouts,
    FaultPlan faults,
    DetectorSet detectors) {

  ExecutionSettings settings() {
    return new ExecutionSettings(profile, launches, detectors, timeouts);
  }

  RunConditions without(MachineFeature feature) {
    return with(detectors.without(feature));
  }

  RunConditions without(Kind kind) {
    return with(detectors.without(kind));
  }

  RunConditions with(DetectorSet others) {
    return new RunConditions(world, profile, launches, timeouts, faults, others);
  }

  RunConditions with(Profile other) {
    return new RunConditions(world, other, launches, timeouts, faults, detectors);
  }

  RunConditions with(FaultPlan plan) {
    return new RunConditions(world, profile, launches, timeouts, plan, detectors);
  }

  RunConditions with(TimeoutPolicy other) {
    return new RunConditions(world, profile, launches, other, faults, detectors);
  }

  RunConditions in(String other) {
    return new RunConditions(other, profile, launches, timeouts, faults, detectors);
  }

  RunConditions launched(int times) {
    return new RunConditions(world, profile, times, timeouts, faults, detectors);
  }

  /** The next smaller worlds of at least two ranks: one host less, or one GPU less on each host. */
  List<RunConditions> smaller() {
    int hosts = sides()[0];
    int each = sides()[1];
    List<RunConditions> smaller = new ArrayList<>();
    if (hosts > 1 && (hosts - 1) * each > 1) {
      smaller.add(in((hosts - 1) + "x" + each));
    }
    if (each > 1 && hosts * (each - 1) > 1) {
      smaller.add(in(hosts + "x" + (each - 1)));
    }
    return smaller;
  }

  /** One more host if there are several, else one more GPU. */
  String larger() {
    int hosts = sides()[0];
    int each = sides()[1];
    return hosts > 1 ? (hosts + 1) + "x" + each : "1x" + (each + 1);
  }

  private int[] sides() {
    return Arrays.stream(world.split("x", -1)).mapToInt(Integer::parseInt).toArray();
  }

  /** Two ranks if there are more, on two hosts if there are several. */
  RunConditions ofTwoRanks() {
    int hosts = sides()[0];
    int each = sides()[1];
    return hosts * each <= 2 ? this : in(hosts > 1 ? "2x1" : "1x2");
  }
}
