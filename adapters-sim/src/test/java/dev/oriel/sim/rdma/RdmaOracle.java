package dev.oriel.sim.rdma;

import dev.oriel.sim.rdma.RdmaEvents.Event;
import dev.oriel.sim.rdma.RdmaEvents.Stage;
import dev.oriel.sim.rdma.RdmaEvents.Step;
import dev.oriel.sim.rdma.RdmaRow.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Decides a shape by its axioms: tries every source of every read and every order of the writes to
 * a place. An execution is possible if what comes before what is no circle, where a read comes
 * behind its source and before every later write that is shown to it; if no agent reads one place
 * backwards; and if no atomic falls between the halves of another of its domain.
 */
@SuppressWarnings({"ListRemoveAmbiguous", "NullAway"})
final class RdmaOracle {
  private final RdmaRow row;
  private final RdmaRules rules;
  private final List<Event> events;
  private final int[] source;
  private final TreeMap<String, List<Integer>> lines = new TreeMap<>();
  private long executions;

  private RdmaOracle(RdmaRow row) {
    this.row = row;
    rules = new RdmaRules(row);
    events = new RdmaEvents(row).events;
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).step().agent() < 0) {
        lines.put(events.get(i).writes(), new ArrayList<>(List.of(i)));
      }
    }
    source = new int[events.size()];
  }

  /** How many executions end as the row says. */
  static long executions(RdmaRow row) {
    RdmaOracle oracle = new RdmaOracle(row);
    oracle.choose(0);
    return oracle.executions;
  }

  /** Gives each read its source, and each write its rank among those of its place, in turn. */
  private void choose(int index) {
    if (index == events.size()) {
      executions += possible() && ends() ? 1 : 0;
      return;
    }
    Event event = events.get(index);
    List<Integer> line = lines.getOrDefault(event.writes(), List.of());
    if (!event.reads().isEmpty()) {
      for (int i = 0; i < events.size(); i++) {
        if (events.get(i).writes().equals(event.reads())) {
          source[index] = i;
          choose(index + 1);
        }
      }
    } else if (line.isEmpty() || line.getFirst() == index) {
      choose(index + 1);
    } else {
      for (int rank = 1; rank <= line.size(); rank++) {
        line.add(rank, index);
        choose(index + 1);
        line.remove(rank);
      }
    }
  }

  private boolean possible() {
    boolean[][] global = new boolean[events.size()][events.size()];
    boolean[][] local = new boolean[events.size()][events.size()];
    for (int j = 0; j < events.size(); j++) {
      Event b = events.get(j);
      for (int i = 0; i < j; i++) {
        Event a = events.get(i);
        boolean own = a.stage() == Stage.OWN && b.stage() == Stage.OWN;
        if (a.step().agent() == b.step().agent() && b.step().agent() >= 0) {
          global[i][j] = rules.before(a, b);
          local[i][j] = own && (a.reads() + a.writes()).equals(b.reads() + b.writes());
        }
      }
      if (!b.reads().isEmpty()) {
        List<Integer> line = lines.get(b.reads());
        List<Integer> later = line.subList(line.indexOf(source[j]) + 1, line.size());
        if (rules.domain(b) >= 0 && interrupted(j, later)) {
          return false;
        }
        global[source[j]][j] = true;
        local[source[j]][j] = true;
        for (int write : later) {
          local[j][write] = true;
          shown(j, write).ifPresent(by -> global[by][write] = true);
        }
      }
    }
    for (List<Integer> line : lines.values()) {
      for (int i = 1; i < line.size(); i++) {
        global[line.get(i - 1)][line.get(i)] = true;
        local[line.get(i - 1)][line.get(i)] = true;
      }
    }
    return !circular(global) && !circular(local);
  }

  /** What of the reader shows it a write: the read itself or, if it must, a consistency step. */
  private OptionalInt shown(int read, int write) {
    Step reader = events.get(read).step();
    boolean hidden =
        events.get(read).stage() == Stage.OWN
            && events.get(write).stage() != Stage.OWN
            && (rules.is(Setting.VISIBLE_TO_NONE)
                || (rules.is(Setting.VISIBLE_TO_OWNER) && row.agents().get(reader.agent()).peer()));
    return hidden
        ? IntStream.range(0, read)
            .filter(i -> events.get(i).step().agent() == reader.agent())
            .filter(i -> events.get(i).op() instanceof RdmaOp.Consist)
            .max()
        : OptionalInt.of(read);
  }

  private boolean interrupted(int read, List<Integer> later) {
    for (int write : later) {
      if (events.get(write).from() == read) {
        return false;
      }
      if (rules.domain(events.get(write)) == rules.domain(events.get(read))) {
        return true;
      }
    }
    return true;
  }

  private static boolean circular(boolean[][] order) {
    for (int via = 0; via < order.length; via++) {
      for (boolean[] from : order) {
        for (int to = 0; from[via] && to < order.length; to++) {
          from[to] |= order[via][to];
        }
      }
    }
    return IntStream.range(0, order.length).anyMatch(i -> order[i][i]);
  }

  private boolean ends() {
    return IntStream.range(0, events.size())
            .allMatch(i ->
                switch (events.get(i).op()) {
                  case RdmaOp.Await a -> value(i) == a.value();
                  case RdmaOp.Load l -> asTold(l.register(), i);
                  default -> true;
                })
        && lines.entrySet().stream().allMatch(e -> asTold(e.getKey(), e.getValue().getLast()));
  }

  private boolean asTold(String variable, int event) {
    return row.outcome().getOrDefault(variable, value(event)) == value(event);
  }

  private long value(int event) {
    Event e = events.get(event);
    return e.reads().isEmpty()
        ? e.value() + (e.from() < 0 ? 0 : value(e.from()))
        : value(source[event]);
  }
}
