package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.replay.ChoiceSource;
import dev.oriel.sim.time.LinkModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Every execution of a window that does not grow, by plain recursion. Two states are equal if
 * machine and due times are equal; if time does not matter, if the machines are equal.
 */
final class WindowSearch {
  private final Simulation simulation;
  private final LinkModel links;
  private final WindowDelta delta;
  private final int maxStates;
  private final Consumer<Optional<Finding>> end;
  private final List<ReadyTimes> saved = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final Fingerprint fingerprint = new Fingerprint();
  private final ReadyTimes times;

  boolean cut;
  long executions;

  WindowSearch(
      Simulation simulation, WindowTiming pace, int maxStates, Consumer<Optional<Finding>> end) {
    this.simulation = simulation;
    this.links = pace.links();
    this.delta = pace.delta();
    this.maxStates = maxStates;
    this.end = end;
    times = new ReadyTimes(links);
  }

  void run() {
    simulation.exploring(() -> {
      seen.clear();
      cut = false;
      executions = 0;
      simulation.restart();
      times.begin();
      visit(0);
      return true;
    });
  }

  private void visit(int depth) {
    int enabled = simulation.enabled();
    if (enabled == 0 && !simulation.goesOn()) {
      executions++;
      end.accept(simulation.end());
      return;
    }
    enabled = simulation.enabled();
    times.look(simulation, enabled);
    if (seen.size() >= maxStates) {
      cut = true;
      return;
    }
    if (!seen.add(state(enabled))) {
      return;
    }
    while (saved.size() <= depth) {
      saved.add(new ReadyTimes(links));
    }
    simulation.save(depth);
    saved.get(depth).copy(times);
    int candidates = times.candidates(simulation, enabled, delta.picos());
    for (int i = 0; i < candidates; i++) {
      Inside inside = new Inside();
      do {
        simulation.restore(depth);
        times.copy(saved.get(depth));
        int agent = times.candidate(simulation, i, delta.picos());
        times.take(agent);
        Optional<Finding> found = simulation.step(agent, inside);
        cut |= simulation.endless();
        if (found.isPresent()) {
          executions++;
          end.accept(found);
        } else if (!simulation.endless()) {
          visit(depth + 1);
        }
      } while (inside.advance());
    }
  }

  private String state(int enabled) {
    fingerprint.clear();
    simulation.digest(fingerprint);
    StringBuilder key = new StringBuilder();
    key.append(fingerprint.high()).append(' ').append(fingerprint.low());
    for (int i = 0; i < enabled && !delta.equals(WindowDelta.ANY); i++) {
      key.append(' ').append(times.after(simulation.enabledAt(i)));
    }
    return key.toString();
  }

  /** All decisions inside one step, in sequence. */
  private static final class Inside implements ChoiceSource {
    private final List<int[]> taken = new ArrayList<>();
    private int at;

    @Override
    public int choose(int options) {
      if (at == taken.size()) {
        taken.add(new int[] {0, options});
      }
      return taken.get(at++)[0];
    }

    boolean advance() {
      at = 0;
      while (!taken.isEmpty() && ++taken.getLast()[0] == taken.getLast()[1]) {
        taken.removeLast();
      }
      return !taken.isEmpty();
    }
  }
}
