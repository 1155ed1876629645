package dev.oriel.sim.museum;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Feature;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The conditions of a run: world, profile, launches, timeouts, faults and detectors. */
record Conditions(
    String world,
    Profile profile,
    int launches,
    Timeouts timeouts,
    FaultPlan faults,
    Detectors detectors) {

  Simulation.Terms terms() {
    return new Simulation.Terms(profile, launches, detectors, timeouts);
  }

  Conditions without(Feature feature) {
    return with(detectors.without(feature));
  }

  Conditions without(Kind kind) {
    return with(detectors.without(kind));
  }

  Conditions with(Detectors others) {
    return new Conditions(world, profile, launches, timeouts, faults, others);
  }

  Conditions with(Profile other) {
    return new Conditions(world, other, launches, timeouts, faults, detectors);
  }

  Conditions with(FaultPlan plan) {
    return new Conditions(world, profile, launches, timeouts, plan, detectors);
  }

  Conditions with(Timeouts other) {
    return new Conditions(world, profile, launches, other, faults, detectors);
  }

  Conditions in(String other) {
    return new Conditions(other, profile, launches, timeouts, faults, detectors);
  }

  Conditions launched(int times) {
    return new Conditions(world, profile, times, timeouts, faults, detectors);
  }

  /** The next smaller worlds of at least two ranks: one host less, or one GPU less on each host. */
  List<Conditions> smaller() {
    int hosts = sides()[0];
    int each = sides()[1];
    List<Conditions> smaller = new ArrayList<>();
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
  Conditions ofTwoRanks() {
    int hosts = sides()[0];
    int each = sides()[1];
    return hosts * each <= 2 ? this : in(hosts > 1 ? "2x1" : "1x2");
  }
}
