package dev.oriel.sim.explore;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.engine.Launches;
import dev.oriel.sim.engine.Transition;
import dev.oriel.sim.engine.WaitDescription;
import dev.oriel.sim.engine.WorldState;
import java.util.List;
import java.util.Optional;

/** The common parts of all strategies: the first state, relaunching, and judging a state. */
final class Exploration {
  private final Program program;
  private final Topology topology;
  private final LoweredForm lowered;
  private final int launches;

  Exploration(Program program, Topology topology, int launches) {
    this.program = program;
    this.topology = topology;
    this.lowered = EngineRequirements.lower(program, topology, topology.kinds());
    this.launches = launches;
  }

  LoweredForm lowered() {
    return lowered;
  }

  int launches() {
    return launches;
  }

  /** Every rank has just started its first launch. */
  WorldState start() {
    WorldState world = new WorldState(program, topology, lowered);
    for (int rank = 0; rank < world.size(); rank++) {
      Launches.refresh(world, rank);
      world.launch(rank);
    }
    return world;
  }

  /**
   * Judges ranks that have ended and starts their next launch at once, without waiting for others.
   */
  Optional<Violation> settle(WorldState world, List<String> trace) {
    for (int rank = 0; rank < world.size(); rank++) {
      while (world.ended(rank) && Launches.of(world, rank) <= launches) {
        int ended = rank;
        Optional<Violation> violation =
            world
                .failure(rank)
                .map(code ->
                    new Violation(
                        "check",
                        "check failed: rank=%d, code=%d; see the lane's checks"
                            .formatted(ended, code),
                        trace))
                .or(() ->
                    Launches.broken(world, ended)
                        .map(message ->
                            new Violation(
                                "value", message + "; see the last steps of the trace", trace)));
        if (violation.isPresent()) {
          return violation;
        }
        Launches.refresh(world, rank);
        if (Launches.of(world, rank) == launches) {
          Launches.retire(world, rank);
        } else {
          world.launch(rank);
        }
      }
    }
    return Optional.empty();
  }

  /** A state without a next step: correct if every rank is done, otherwise a deadlock. */
  Optional<Violation> stuck(WorldState world, List<String> trace) {
    List<String> waiting = WaitDescription.lines(world);
    return waiting.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "deadlock",
                "nothing can happen any more: lanes="
                    + waiting.size()
                    + "; "
                    + String.join("; ", waiting),
                trace));
  }

  List<Transition> enabled(WorldState world) {
    return Transition.enabled(world);
  }
}
