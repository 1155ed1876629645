package dev.oriel.sim.machine.race;

import static dev.oriel.sim.machine.layout.WordLayout.AGENT;
import static dev.oriel.sim.machine.layout.WordLayout.TICK;

import dev.oriel.sim.machine.clocks.NicVisibility;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.PendingAtomicLayout;
import dev.oriel.sim.machine.words.SyncWords;

/**
 * Accesses ordered before a component's next read. They are the accesses in its clock, as far as
 * visibility and aliases allow, and strong writes that a strong read in its clock returned.
 *
 * <p>The second part is PTX's observation order. It orders such a write, and all that the write
 * replaced, before everything after the read. It orders nothing else that the writer did.
 */
final class ObservedOrder {
  private final MachineModel model;
  private final AgentLayout agents;
  private final WordLayout table;
  private final OrderingAssumptions kept;
  private final NicVisibility sight;

  /** For each buffer: whether another one is an alias of it. */
  private final boolean[] hasAlias;

  ObservedOrder(MachineModel model, OrderingAssumptions kept, NicVisibility sight) {
    this.model = model;
    this.kept = kept;
    this.sight = sight;
    agents = model.agents;
    table = model.words;
    hasAlias = new boolean[model.buffers];
    for (int b = 0; b < model.buffers; b++) {
      hasAlias[model.base[b]] |= model.base[b] != b;
    }
  }

  private boolean ofLane(int component) {
    return agents.laneOf[component] >= 0 && agents.interfaceOf[component] < 0;
  }

  /**
   * Whether the component's access and the other one go through different names of the same memory.
   */
  boolean renamed(int other, int then, int component, int tick) {
    return ((then ^ tick) & ShadowLayout.ALIAS) != 0
        && !kept.aliased
        && ofLane(other)
        && ofLane(component);
  }

  /**
   * Whether the component observed that strong write of those bytes, in each word of them. It is
   * ordered after a strong read that returned the write, or after a write that replaced it there.
   * Such a read may also give the latter order.
   */
  boolean found(
      MachineState s,
      int memory,
      int from,
      int end,
      int writer,
      int event,
      int component,
      boolean renamed) {
    if (!table.hasWords(memory) || end > model.bytes[memory] / Long.BYTES * Long.BYTES) {
      return false;
    }
    for (int at = from / Long.BYTES * Long.BYTES; at < end; at += Long.BYTES) {
      if (!foundAt(s, table.word(memory, at), writer, event, component, renamed)) {
        return false;
      }
    }
    return true;
  }

  /** Looks from the newest message back to the write; messages are in coherence order. */
  private boolean foundAt(
      MachineState s, int word, int writer, int event, int component, boolean renamed) {
    if (PendingAtomicLayout.pending(model, s, writer, word)) {
      return false;
    }
    for (int i = s.words[table.fields[word] + 1] - 1; i >= 0; i--) {
      if (knows(s, word, i, component, renamed)) {
        return true;
      }
      int m = table.message(word, i);
      if (s.words[m + AGENT] == writer && s.words[m + TICK] == event) {
        return false;
      }
    }
    return false;
  }

  /**
   * Whether the component is ordered after the message. A strong read proves a hidden interface
   * write only after a later step makes the write visible. It never proves a store of a whole cell,
   * which is weak.
   */
  private boolean knows(MachineState s, int word, int index, int component, boolean renamed) {
    int m = table.message(word, index);
    int agent = s.words[m + AGENT];
    if (follows(s, m, component, renamed)) {
      return true;
    }
    if (model.cells && s.words[m + table.stored] > 0) {
      return !renamed && SyncWords.cellKnown(model, s, word, m, component);
    }
    return sight.hides(agent, component)
        ? SyncWords.shownBefore(model, s, word, index, component)
        : SyncWords.foundBefore(model, s, word, index, component, renamed);
  }

  /** Whether the component is ordered after the message by its clock alone. */
  private boolean follows(MachineState s, int m, int component, boolean renamed) {
    int agent = s.words[m + AGENT];
    if (agent < 0) {
      return true;
    }
    int column = renamed && ofLane(agent) ? agent + 1 : sight.column(agent, component);
    return s.words[m + TICK] <= s.clocks.at(component, column);
  }

  /** Whether the component is ordered after the last write of the word there. */
  boolean knowsLast(MachineState s, int memory, int at, int component, boolean renamed) {
    int word = word(memory, at);
    return word >= 0 && knows(s, word, last(s, word), component, renamed && ofLane(component));
  }

  /** The word there, -1 if there is none. */
  private int word(int memory, int at) {
    return table.hasWords(memory) && at < model.bytes[memory] / Long.BYTES * Long.BYTES
        ? table.word(memory, at)
        : -1;
  }

  private int last(MachineState s, int word) {
    return s.words[table.fields[word] + 1] - 1;
  }

  /**
   * Whether the bytes are words, and the component is ordered after the last write of each by its
   * clock. A strong read does not prove it: the last write may be a weak one, and messages do not
   * show it. Nor do they keep the name that wrote them; so a memory with aliases counts as written
   * through another.
   */
  boolean followsWords(MachineState s, int memory, int from, int end, int component) {
    if (from % Long.BYTES != 0 || end % Long.BYTES != 0) {
      return false;
    }
    boolean renamed = !kept.aliased && hasAlias[memory % model.buffers] && ofLane(component);
    int at = from;
    while (at < end && followsLast(s, word(memory, at), component, renamed)) {
      at += Long.BYTES;
    }
    return at >= end;
  }

  private boolean followsLast(MachineState s, int word, int component, boolean renamed) {
    return word >= 0 && follows(s, table.message(word, last(s, word)), component, renamed);
  }
}
