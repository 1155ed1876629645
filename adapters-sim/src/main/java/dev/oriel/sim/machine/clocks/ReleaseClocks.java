package dev.oriel.sim.machine.clocks;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.CARRIES;
import static dev.oriel.sim.machine.layout.WordLayout.FOR_LANE;
import static dev.oriel.sim.machine.layout.WordLayout.RELEASES;
import static dev.oriel.sim.machine.layout.WordLayout.SCOPE;

import dev.oriel.sim.machine.layout.ClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import java.util.Arrays;

/**
 * The release clocks of the next write of a word: snapshots of the clocks that a reader of the
 * value joins, by the place of the agent that released. The caller sets them just before the write.
 */
public final class ReleaseClocks {
  private final MachineModel model;
  private final ComponentClocks clocks;
  private final OrderingAssumptions kept;

  /** By scope: what the writer itself releases. */
  private final int[] released;

  /** What the write carries on, by release clock of the message. */
  private final int[] carried;

  /** Whether the write releases its agent's whole clock, and so all that the agent did before. */
  private boolean whole;

  /** Whether the write carries on releases of other agents. */
  private boolean carries;

  public ReleaseClocks(MachineModel model, ComponentClocks clocks, OrderingAssumptions kept) {
    this.model = model;
    this.clocks = clocks;
    this.kept = kept;
    released = new int[model.levels];
    carried = new int[model.words.releaseCount];
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
      released[v] = releases && v <= reach ? all : fenced(s, lane, v);
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
        released[v] = s.releases.joined(released[v], s.words[own + v]);
      }
      s.words[own + v] = released[v];
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
    Arrays.fill(released, clocks.keep(s, component));
  }

  /** The next write releases that clock snapshot. */
  public void row(int row) {
    clear();
    Arrays.fill(released, row);
  }

  /** The next write also releases that clock snapshot. */
  public void also(MachineState s, int row) {
    for (int v = 0; v < model.levels; v++) {
      released[v] = s.releases.joined(released[v], row);
    }
  }

  /** The next write releases nothing. */
  public void none() {
    clear();
  }

  private void clear() {
    Arrays.fill(released, 0);
    Arrays.fill(carried, 0);
    whole = false;
    carries = false;
  }

  /**
   * Continues a release sequence: a reader of the new value also joins what the old one released.
   * It does so as far as the scopes of that release and of the reader's acquire reach.
   */
  public void chain(MachineState s, int message, int agent) {
    int other = s.words[message + AGENT];
    boolean again = (s.words[message + SCOPE] & CARRIES) != 0;
    if (whole && other == agent && !again) {
      return;
    }
    carries |= again || other != agent;
    for (int index = 0; index < carried.length; index++) {
      boolean forOther = index == FOR_LANE && model.between(other, agent) > 0;
      int row = forOther ? 0 : s.words[message + RELEASES + index];
      carried[index] = s.releases.joined(carried[index], row);
    }
  }

  /** Stores the release clocks in the message that is written now. */
  public void into(MachineState s, int message) {
    int agent = s.words[message + AGENT];
    add(s, 0, model.levels - 1);
    if (model.levels > 1) {
      int cluster = model.clusterOf(agent);
      int group = model.group(agent);
      add(s, FOR_LANE, MachineModel.CTA);
      if (cluster >= 0) {
        add(s, model.words.inCluster(cluster), MachineModel.CLUSTER);
      }
      // Nothing that an agent outside the GPU releases reaches an acquire of the GPU's scope.
      if (group < model.world && !model.fromOutside(agent)) {
        add(s, model.words.inGroup(group), MachineModel.NEAR);
      }
      add(s, model.words.outOfGroup(group), MachineModel.SYS);
    }
    System.arraycopy(carried, 0, s.words, message + RELEASES, carried.length);
    s.words[message + SCOPE] |= carries ? CARRIES : 0;
  }

  private void add(MachineState s, int index, int level) {
    carried[index] = s.releases.joined(carried[index], released[level]);
  }
}
