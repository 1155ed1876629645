package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.layout.WordTable.AGENT;
import static dev.oriel.sim.machine.layout.WordTable.CARRIES;
import static dev.oriel.sim.machine.layout.WordTable.HEADS;
import static dev.oriel.sim.machine.layout.WordTable.SCOPE;

import dev.oriel.sim.machine.layout.ClockRows;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.WordTable;
import dev.oriel.sim.machine.terms.Kept;
import java.util.Arrays;

/**
 * The release clocks of the next write of a word: per scope, a snapshot of the clock that a reader
 * of the value joins. The caller sets them just before the write.
 */
final class Heads {
  private final Model model;
  private final Clocks clocks;
  private final Kept kept;
  private final int[] heads;

  /** Whether the write releases its agent's whole clock, and so all that the agent did before. */
  private boolean whole;

  /** Whether the write carries on releases of other agents. */
  private boolean carries;

  /** Whether the clocks of the writer's group include what the writer itself releases. */
  private boolean grouped;

  Heads(Model model, Clocks clocks, Kept kept) {
    this.model = model;
    this.clocks = clocks;
    this.kept = kept;
    heads = new int[model.words.heads];
  }

  /**
   * Sets the clocks of a lane's next write: its whole clock if it releases, else that of its last
   * fence.
   */
  void ofLane(State s, int lane, int scope, boolean releases) {
    if (model.ordered) {
      all(s, model.agents.leader[lane]);
      return;
    }
    clear();
    int reach = kept.scopes ? model.levels - 1 : model.level(scope);
    whole = releases && reach == model.levels - 1;
    int all = releases ? clocks.keep(s, model.agents.leader[lane]) : 0;
    for (int v = 0; v < model.levels; v++) {
      heads[v] = releases && v <= reach ? all : fenced(s, lane, v);
    }
  }

  /**
   * Adds what the lane released earlier at that word of a buffer, even if others wrote the word
   * since. Its later writes there add what it releases now.
   */
  void own(State s, int word, int lane) {
    if (model.ordered) {
      return;
    }
    int own = model.words.own(word, model.words.reader(word, lane));
    for (int v = 0; v < model.levels; v++) {
      if (!whole) {
        heads[v] = s.heads.joined(heads[v], s.words[own + v]);
      }
      s.words[own + v] = heads[v];
    }
  }

  private int fenced(State s, int lane, int level) {
    return level == model.levels - 1
        ? clocks.fencedRow(s, lane)
        : s.heads.keep(s.clocks, ClockRows.fenced(model, lane, level));
  }

  /** The next write releases its component's whole clock, as writes of interfaces do. */
  void all(State s, int component) {
    clear();
    whole = true;
    Arrays.fill(heads, 0, model.levels, clocks.keep(s, component));
  }

  /** The next write releases that clock snapshot. */
  void row(int row) {
    clear();
    Arrays.fill(heads, 0, model.levels, row);
  }

  /** The next write also releases that clock snapshot. */
  void also(State s, int row) {
    for (int v = 0; v < model.levels; v++) {
      heads[v] = s.heads.joined(heads[v], row);
    }
  }

  /** The next write releases nothing. */
  void none() {
    clear();
  }

  private void clear() {
    Arrays.fill(heads, 0);
    whole = false;
    carries = false;
    grouped = false;
  }

  /** Adds what the writer itself releases to the clocks of its group. */
  private void group(int agent) {
    if (!grouped && model.levels > 1) {
      int group = model.group(agent);
      heads[model.words.inGroup(group)] = heads[Model.NEAR];
      heads[model.words.outOfGroup(group)] = heads[Model.SYS];
    }
    grouped = true;
  }

  /**
   * Continues a release sequence: a reader of the new value also joins what the old one released.
   * It does so as far as the scopes of that release and of the reader's acquire reach. So the
   * reader's distance counts from the component that released, not from the one that writes now.
   */
  void chain(State s, int message, int agent) {
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

  private void scoped(State s, int message, int agent, int away) {
    WordTable table = model.words;
    for (int v = Math.max(1, away); v < Model.SYS; v++) {
      add(s, table.around(v), message, v == away ? v : table.around(v));
    }
    int group = model.group(agent);
    if (away == Model.SYS && group < model.world) {
      add(s, table.around(Model.NEAR), message, table.inGroup(group));
      add(s, Model.NEAR, message, table.inGroup(group));
    }
    for (int head = table.inGroup(0); head < table.heads; head++) {
      add(s, head, message, head);
    }
  }

  private void add(State s, int head, int message, int other) {
    heads[head] = s.heads.joined(heads[head], s.words[message + HEADS + other]);
  }

  /** Stores the release clocks in the message that is written now. */
  void into(State s, int message) {
    group(s.words[message + AGENT]);
    System.arraycopy(heads, 0, s.words, message + HEADS, heads.length);
    s.words[message + SCOPE] |= carries ? CARRIES : 0;
  }
}
