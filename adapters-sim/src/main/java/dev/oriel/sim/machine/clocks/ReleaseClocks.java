package dev.oriel.sim.machine.clocks;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.CARRIES;
import static dev.oriel.sim.machine.layout.WordLayout.RELEASES;
import static dev.oriel.sim.machine.layout.WordLayout.SCOPE;

import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import java.util.Arrays;

/**
 * The release clocks of the next write of a word: per scope, a snapshot of the clock that a reader
 * of the value joins. The caller sets them just before the write.
 */
public final class ReleaseClocks {
  private final MachineModel model;
  private final ComponentClocks clocks;
  private final OrderingAssumptions kept;
  private final int[] rows;

  /** Whether the write releases its agent's whole clock, and so all that the agent did before. */
  private boolean whole;

  /** Whether the write carries on releases of other agents. */
  private boolean carries;

  /** Whether the clocks of the writer's group include what the writer itself releases. */
  private boolean grouped;

  public ReleaseClocks(MachineModel model, ComponentClocks clocks, OrderingAssumptions kept) {
    this.model = model;
    this.clocks = clocks;
    this.kept = kept;
    rows = new int[model.words.releaseCount];
  }

  /**
   * Sets the clocks of a lane's next write: its whole clock if it releases, else that of its last
   * fence.
   */
  public void ofLane(MachineState s, int lane, int scope, boolean releases) {
    if (model.ordered) {
      all(s, model.agents.leader[lane]);
      return;
    }
    clear();
    int reach = kept.scopes ? model.levels - 1 : model.level(scope);
    whole = releases && reach == model.levels - 1;
    int all = releases ? clocks.keep(s, model.agents.leader[lane]) : 0;
    for (int v = 0; v < model.levels; v++) {
      rows[v] = releases && v <= reach ? all : fenced(s, lane, v);
    }
  }

  /**
   * Adds what the lane released earlier at that word of a buffer, even if others wrote the word
   * since. Its later writes there add what it releases now.
   */
  public void own(MachineState s, int word, int lane) {
    if (model.ordered) {
      return;
    }
    int own = model.words.own(word, model.words.reader(word, lane));
    for (int v = 0; v < model.levels; v++) {
      if (!whole) {
        rows[v] = s.releases.joined(rows[v], s.words[own + v]);
      }
      s.words[own + v] = rows[v];
    }
  }

  private int fenced(MachineState s, int lane, int level) {
    return level == model.levels - 1
        ? clocks.fencedRow(s, lane)
        : s.releases.keep(s.clocks, ClockIndex.fenced(model, lane, level));
  }

  /** The next write releases its component's whole clock, as writes of interfaces do. */
  public void all(MachineState s, int component) {
    clear();
    whole = true;
    Arrays.fill(rows, 0, model.levels, clocks.keep(s, component));
  }

  /** The next write releases that clock snapshot. */
  public void row(int row) {
    clear();
    Arrays.fill(rows, 0, model.levels, row);
  }

  /** The next write also releases that clock snapshot. */
  public void also(MachineState s, int row) {
    for (int v = 0; v < model.levels; v++) {
      rows[v] = s.releases.joined(rows[v], row);
    }
  }

  /** The next write releases nothing. */
  public void none() {
    clear();
  }

  private void clear() {
    Arrays.fill(rows, 0);
    whole = false;
    carries = false;
    grouped = false;
  }

  /** Adds what the writer itself releases to the clocks of its group. */
  private void group(int agent) {
    if (!grouped && model.levels > 1) {
      int group = model.group(agent);
      // Nothing that an agent outside the GPU releases reaches an acquire of the GPU's scope.
      rows[model.words.inGroup(group)] = model.fromOutside(agent) ? 0 : rows[MachineModel.NEAR];
      rows[model.words.outOfGroup(group)] = rows[MachineModel.SYS];
    }
    grouped = true;
  }

  /**
   * Continues a release sequence: a reader of the new value also joins what the old one released.
   * It does so as far as the scopes of that release and of the reader's acquire reach. So the
   * reader's distance counts from the component that released, not from the one that writes now.
   */
  public void chain(MachineState s, int message, int agent) {
    int other = s.words[message + AGENT];
    boolean carried = (s.words[message + SCOPE] & CARRIES) != 0;
    if (whole && other == agent && !carried) {
      return;
    }
    carries |= carried || other != agent;
    group(agent);
    int away = model.level(model.between(other, agent));
    for (int v = away; v < model.levels; v++) {
      add(s, v, message, v);
    }
    if (model.levels > 1) {
      scoped(s, message, agent, away);
    }
  }

  private void scoped(MachineState s, int message, int agent, int away) {
    WordLayout table = model.words;
    for (int v = Math.max(1, away); v < MachineModel.SYS; v++) {
      add(s, table.around(v), message, v == away ? v : table.around(v));
    }
    int group = model.group(agent);
    if (away == MachineModel.SYS && group < model.world) {
      add(s, table.around(MachineModel.NEAR), message, table.inGroup(group));
      add(s, MachineModel.NEAR, message, table.inGroup(group));
    }
    for (int index = table.inGroup(0); index < table.releaseCount; index++) {
      add(s, index, message, index);
    }
  }

  private void add(MachineState s, int index, int message, int other) {
    rows[index] = s.releases.joined(rows[index], s.words[message + RELEASES + other]);
  }

  /** Stores the release clocks in the message that is written now. */
  public void into(MachineState s, int message) {
    group(s.words[message + AGENT]);
    System.arraycopy(rows, 0, s.words, message + RELEASES, rows.length);
    s.words[message + SCOPE] |= carries ? CARRIES : 0;
  }
}
