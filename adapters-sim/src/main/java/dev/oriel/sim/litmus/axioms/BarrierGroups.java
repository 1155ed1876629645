package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.has;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.path.PathEvent;
import dev.oriel.sim.litmus.path.ThreadPath;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arrivals at block barriers that happen before each exit.
 *
 * <p>Uses of one barrier number belong to one group within a thread block if they are the n-th of
 * their threads and their resources are equal. Without a quorum, a use waits for every thread of
 * the block whose code names the barrier. With quorum q, it waits for some q arrivals, the same for
 * all members. If members disagree on q, which the instruction set leaves undefined, the largest
 * counts. An arrive is an arrival but never waits. An order is kept only if the threads can pass
 * their barriers in it.
 */
final class BarrierGroups {
  private record Key(ThreadPlacement block, int instance, int use, long resource) {}

  private final ExecutionGraph graph;
  private final ValueFlow values;
  private final Map<Key, Long> groups = new LinkedHashMap<>();
  private final List<Long> members = new ArrayList<>();
  private final List<Integer> quorums = new ArrayList<>();
  private final List<long[]> orders = new ArrayList<>();
  private final SearchBudget budget;
  private final int work;

  /** The budget pays {@code work} for each choice. */
  BarrierGroups(ExecutionGraph graph, ValueFlow values, SearchBudget budget, int work) {
    this.graph = graph;
    this.values = values;
    this.budget = budget;
    this.work = work;
  }

  /** Every order that barriers may impose, as rows of "arrival before exit"; empty if none. */
  List<long[]> orders() {
    if (graph.barriers == 0) {
      return List.of(new long[graph.size]);
    }
    for (long rest = graph.barriers; rest != 0; rest &= rest - 1) {
      int event = lowest(rest);
      groups.merge(key(event), bit(event), (a, b) -> a | b);
    }
    groups.forEach((key, group) -> {
      members.add(group);
      quorums.add(quorum(key, group));
    });
    choose(0, new long[members.size()]);
    return orders;
  }

  /** Bytes of memory per order. */
  static long footprint(ExecutionGraph graph) {
    return 24 + (long) Long.BYTES * graph.size;
  }

  private Key key(int event) {
    int use = 0;
    for (int before = graph.firstOf[graph.thread[event]]; before < event; before++) {
      if (has(graph.barriers, before)
          && graph.events[before].instance() == graph.events[event].instance()) {
        use++;
      }
    }
    return new Key(graph.placement(event), graph.events[event].instance(), use, values.of(event));
  }

  /**
   * The number of arrivals that release a group; more than the group has if it is never released.
   */
  private int quorum(Key key, long group) {
    int quorum = -1;
    for (long rest = group; rest != 0; rest &= rest - 1) {
      int event = lowest(rest);
      int term = graph.events[event].quorum();
      if (term >= 0) {
        quorum = (int) Math.max(quorum, Math.min(64, values.of(graph.thread[event], term)));
      }
    }
    if (quorum >= 0) {
      return quorum;
    }
    int all = Long.bitCount(group);
    for (int t = 0; t < graph.paths.size(); t++) {
      if (graph.test.threads().get(t).placement().equals(key.block()) && missing(key, t)) {
        all++;
      }
    }
    return all;
  }

  /** Whether a thread whose code could join a group has not reached it, nor a use like it. */
  private boolean missing(Key key, int t) {
    int uses = 0;
    for (int event = graph.firstOf[t]; event < graph.firstOf[t + 1]; event++) {
      if (has(graph.barriers, event) && graph.events[event].instance() == key.instance()) {
        uses++;
      }
    }
    return uses <= key.use() && mayJoin(key, t, uses);
  }

  private boolean mayJoin(Key key, int t, int uses) {
    int textual = 0;
    boolean resource = false;
    for (LitmusInstruction instruction : graph.test.threads().get(t).code()) {
      if (instruction instanceof LitmusInstruction.Barrier barrier
          && barrier.instance() == key.instance()) {
        textual++;
        resource |=
            !(barrier.resource() instanceof InstructionOperand.Constant constant)
                || constant.value() == key.resource();
      }
    }
    return textual > uses && resource;
  }

  /** Chooses the released arrivals of one group after another; 0 means a closed group. */
  private void choose(int group, long[] arrivals) {
    if (!budget.spend(work)) {
      return;
    }
    if (group == members.size()) {
      if (passable(arrivals)) {
        orders.add(edges(arrivals));
        budget.keep(footprint(graph));
      }
      return;
    }
    int quorum = Math.max(0, quorums.get(group));
    long all = members.get(group);
    if (quorum > Long.bitCount(all)) {
      arrivals[group] = 0;
      choose(group + 1, arrivals);
      return;
    }
    subsets(group, arrivals, all, 0, quorum);
  }

  private void subsets(int group, long[] arrivals, long rest, long chosen, int missing) {
    if (missing == 0) {
      arrivals[group] = chosen;
      choose(group + 1, arrivals);
    } else if (Long.bitCount(rest) >= missing && !budget.spent()) {
      long others = rest & rest - 1;
      subsets(group, arrivals, others, chosen | bit(lowest(rest)), missing - 1);
      subsets(group, arrivals, others, chosen, missing);
    }
  }

  /** Runs the threads from barrier to barrier: exactly the blocked ones must remain waiting. */
  private boolean passable(long[] arrivals) {
    long arrived = 0;
    long passed = 0;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (long rest = graph.barriers & ~passed; rest != 0; rest &= rest - 1) {
        int event = lowest(rest);
        if ((earlier(event) & ~passed) == 0) {
          moved |= !has(arrived, event);
          arrived |= bit(event);
          if (passes(event, arrivals, arrived)) {
            passed |= bit(event);
            moved = true;
          }
        }
      }
    }
    long waiting = 0;
    for (int t = 0; t < graph.paths.size(); t++) {
      if (graph.paths.get(t).ending() == ThreadPath.Ending.BLOCKED) {
        waiting |= bit(graph.firstOf[t + 1] - 1);
      }
    }
    return (graph.barriers & ~passed) == waiting && (waiting & ~arrived) == 0;
  }

  private long earlier(int event) {
    return graph.barriers & EventRelations.range(graph.firstOf[graph.thread[event]], event);
  }

  private boolean passes(int event, long[] arrivals, long arrived) {
    int group = group(event);
    boolean full = Long.bitCount(members.get(group) & arrived) >= quorums.get(group);
    ThreadPath path = graph.paths.get(graph.thread[event]);
    boolean last = event == graph.firstOf[graph.thread[event] + 1] - 1;
    if (last && path.ending() == ThreadPath.Ending.BLOCKED) {
      return full;
    }
    return graph.events[event].kind() == PathEvent.Kind.ARRIVE
        || (full && (arrivals[group] & ~arrived) == 0);
  }

  private int group(int event) {
    for (int group = 0; group < members.size(); group++) {
      if (has(members.get(group), event)) {
        return group;
      }
    }
    throw new IllegalStateException("barrier in no group: event=" + event + "; report it");
  }

  private long[] edges(long[] arrivals) {
    long[] rows = new long[graph.size];
    for (int group = 0; group < arrivals.length; group++) {
      long exits = 0;
      for (long rest = members.get(group); rest != 0; rest &= rest - 1) {
        int event = lowest(rest);
        exits |= graph.events[event].kind() == PathEvent.Kind.SYNC ? bit(event) : 0;
      }
      for (long rest = arrivals[group]; rest != 0; rest &= rest - 1) {
        int event = lowest(rest);
        rows[event] |= exits & ~bit(event);
      }
    }
    return rows;
  }
}
