package dev.oriel.sim.explore;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.engine.Transition;
import dev.oriel.sim.engine.TransitionText;
import dev.oriel.sim.engine.WorldFingerprint;
import dev.oriel.sim.engine.WorldState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Visits every state that a program can reach, depth first. Fingerprints of 128 bits identify
 * states; beyond a number of states the verdict reports a bound.
 */
public final class Exhaustive implements ProgramRunner {
  private final int maxStates;
  private final int launches;

  public Exhaustive(int maxStates, int launches) {
    this.maxStates = maxStates;
    this.launches = launches;
  }

  /** A state that still has transitions to take. */
  private static final class Frame {
    final WorldState world;
    final List<Transition> transitions;
    int next;

    Frame(WorldState world, List<Transition> transitions) {
      this.world = world;
      this.transitions = transitions;
    }
  }

  @Override
  public Verdict check(Program program, Topology topology) {
    Exploration exploration = new Exploration(program, topology, launches);
    Set<WorldFingerprint> seen = new HashSet<>();
    Deque<Frame> path = new ArrayDeque<>();
    List<String> bounds = new ArrayList<>();
    long executions = 0;
    WorldState first = exploration.start();
    Optional<Violation> violation = exploration.settle(first, List.of());
    seen.add(WorldFingerprint.of(first));
    path.push(new Frame(first, exploration.enabled(first)));
    while (!path.isEmpty() && violation.isEmpty()) {
      Frame frame = path.element();
      if (frame.next == frame.transitions.size()) {
        path.pop();
        continue;
      }
      WorldState world = new WorldState(frame.world);
      frame.transitions.get(frame.next++).apply(world);
      violation = exploration.settle(world, List.of());
      if (violation.isEmpty() && seen.add(WorldFingerprint.of(world))) {
        List<Transition> enabled = exploration.enabled(world);
        if (enabled.isEmpty()) {
          executions++;
          violation = exploration.stuck(world, List.of());
        } else if (seen.size() >= maxStates) {
          bounds.add("states: stopped at " + maxStates);
          break;
        }
        path.push(new Frame(world, enabled));
      }
    }
    return new Verdict(
        program.digest(),
        exploration.lowered().digest(),
        Explorers.MODEL,
        "exhaustive",
        launches,
        executions,
        seen.size(),
        bounds,
        OutputCoverage.of(program),
        violation.map(v -> new Violation(v.kind(), v.message(), trace(path))));
  }

  private static List<String> trace(Deque<Frame> path) {
    List<String> trace = new ArrayList<>();
    path.descendingIterator()
        .forEachRemaining(f -> {
          if (f.next > 0) {
            trace.add(TransitionText.of(f.transitions.get(f.next - 1), f.world));
          }
        });
    return trace;
  }
}
