package dev.oriel.sim.litmus;

import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.MemoryOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The memory model once more, without optimisation: tables of booleans, every source of every read,
 * every total order of all stores and sc fences. All axioms are checked at the end. Supports only
 * loads, stores, atomics and scoped fences without branches.
 */
final class SlowEnumerator {
  private record Node(int thread, LitmusInstruction code, boolean read, int memory, int twin) {}

  private final LitmusTest test;
  private final MemoryModel model;
  private final List<Node> nodes = new ArrayList<>();
  private final int n;
  private final boolean[][] po;
  private final boolean[][] strong;
  private final int[] from;
  private final Set<List<Long>> states = new HashSet<>();

  SlowEnumerator(LitmusTest test, MemoryModel model) {
    this.test = test;
    this.model = model;
    for (MemoryLocation location : test.locations()) {
      nodes.add(new Node(-1, new LitmusInstruction.Jump(0), false, location.memory(), -1));
    }
    for (int t = 0; t < test.threads().size(); t++) {
      for (LitmusInstruction code : test.threads().get(t).code()) {
        int at = nodes.size();
        switch (code) {
          case LitmusInstruction.Load load ->
              nodes.add(new Node(t, code, true, load.location(), -1));
          case LitmusInstruction.Store store ->
              nodes.add(new Node(t, code, false, store.location(), -1));
          case LitmusInstruction.Atomic atomic -> {
            nodes.add(new Node(t, code, true, atomic.location(), at + 1));
            nodes.add(new Node(t, code, false, atomic.location(), at));
          }
          default -> nodes.add(new Node(t, code, false, -1, -1));
        }
      }
    }
    n = nodes.size();
    po = new boolean[n][n];
    strong = new boolean[n][n];
    from = new int[n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        boolean both = a != b && nodes.get(a).thread() >= 0 && nodes.get(b).thread() >= 0;
        po[a][b] = both && nodes.get(a).thread() == nodes.get(b).thread() && a < b;
        boolean reach = both && ((holds(a, b) && holds(b, a)) || po[a][b] || po[b][a]);
        boolean overlap =
            !memory(a) || !memory(b) || nodes.get(a).memory() == nodes.get(b).memory();
        strong[a][b] = reach && overlap;
      }
    }
  }

  private boolean memory(int a) {
    return nodes.get(a).memory() >= 0;
  }

  private boolean write(int a) {
    return memory(a) && !nodes.get(a).read();
  }

  private boolean same(int a, int b) {
    return memory(a) && nodes.get(a).memory() == nodes.get(b).memory();
  }

  private boolean scFence(int a) {
    return nodes.get(a).code() instanceof LitmusInstruction.Fence fence
        && fence.order() == MemoryOrder.SC;
  }

  private boolean holds(int a, int b) {
    LitmusScope scope =
        switch (nodes.get(a).code()) {
          case LitmusInstruction.Load load -> load.order().strong() ? load.scope() : null;
          case LitmusInstruction.Store store -> store.order().strong() ? store.scope() : null;
          case LitmusInstruction.Atomic atomic -> atomic.scope();
          case LitmusInstruction.Fence fence -> fence.scope();
          default -> null;
        };
    return scope != null
        && test.threads()
            .get(nodes.get(a).thread())
            .placement()
            .shares(scope, test.threads().get(nodes.get(b).thread()).placement());
  }

  private MemoryOrder order(int a) {
    return switch (nodes.get(a).code()) {
      case LitmusInstruction.Load load -> load.order();
      case LitmusInstruction.Store store -> store.order();
      case LitmusInstruction.Atomic atomic -> atomic.order();
      case LitmusInstruction.Fence fence -> fence.order();
      default -> MemoryOrder.WEAK;
    };
  }

  Set<List<Long>> states() {
    sources(0);
    return states;
  }

  private void sources(int read) {
    if (read == n) {
      List<Integer> ordered = new ArrayList<>();
      for (int a = 0; a < n; a++) {
        if (nodes.get(a).thread() >= 0 && (write(a) || scFence(a))) {
          ordered.add(a);
        }
      }
      permute(ordered, 0);
    } else if (!nodes.get(read).read()) {
      sources(read + 1);
    } else {
      for (int w = 0; w < n; w++) {
        if (write(w) && same(w, read) && nodes.get(read).twin() != w) {
          from[read] = w;
          sources(read + 1);
        }
      }
    }
  }

  private void permute(List<Integer> order, int fixed) {
    if (fixed == order.size()) {
      judge(order);
      return;
    }
    for (int i = fixed; i < order.size(); i++) {
      List<Integer> next = new ArrayList<>(order);
      Collections.rotate(next.subList(fixed, i + 1), 1);
      permute(next, fixed + 1);
    }
  }

  private void judge(List<Integer> order) {
    boolean[][] observes = new boolean[n][n];
    boolean[][] rf = new boolean[n][n];
    for (int r = 0; r < n; r++) {
      if (nodes.get(r).read()) {
        rf[from[r]][r] = true;
        observes[from[r]][r] = strong[from[r]][r];
        if (nodes.get(r).twin() >= 0) {
          observes[r][nodes.get(r).twin()] = true;
        }
      }
    }
    boolean[][] observation = RelationTables.closure(observes);
    boolean[][] sc = new boolean[n][n];
    boolean[][] co = new boolean[n][n];
    for (int i = 0; i < order.size(); i++) {
      for (int j = i + 1; j < order.size(); j++) {
        int a = order.get(i);
        int b = order.get(j);
        sc[a][b] = scFence(a) && scFence(b) && strong[a][b];
        co[a][b] = write(a) && write(b) && same(a, b) && strong[a][b];
        if (po[b][a] && (sc[a][b] || co[a][b])) {
          return;
        }
      }
    }
    boolean[][] sync = new boolean[n][n];
    for (int w = 0; w < n; w++) {
      for (int r = 0; r < n; r++) {
        if (write(w) && nodes.get(r).read() && observation[w][r]) {
          for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
              sync[a][b] |= opens(a, w) && closes(b, r) && strong[a][b];
            }
          }
        }
      }
    }
    boolean[][] edge = RelationTables.union(sync, sc);
    boolean[][] step =
        RelationTables.union(
            edge,
            RelationTables.union(
                RelationTables.join(po, edge),
                RelationTables.join(
                    RelationTables.union(edge, RelationTables.join(po, edge)), po)));
    boolean[][] base =
        RelationTables.closure(
            model == MemoryModel.PTX_6_0 ? step : RelationTables.union(edge, po));
    boolean[][] ordered = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        ordered[a][b] = base[a][b] && same(a, b);
      }
    }
    boolean[][] seen = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        seen[a][b] = observation[a][b] && write(a) && nodes.get(b).read();
      }
    }
    boolean[][] after = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        after[a][b] = ordered[a][b] || (po[a][b] && same(a, b));
      }
    }
    boolean[][] cause = RelationTables.union(ordered, RelationTables.join(seen, after));
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        co[a][b] |=
            write(a)
                && write(b)
                && same(a, b)
                && (cause[a][b] || (a != b && nodes.get(a).thread() < 0));
      }
    }
    co = RelationTables.closure(co);
    boolean[][] fr = new boolean[n][n];
    for (int r = 0; r < n; r++) {
      for (int w = 0; w < n; w++) {
        fr[r][w] = nodes.get(r).read() && co[from[r]][w];
      }
    }
    if (broken(rf, co, fr, cause, base, sc)) {
      return;
    }
    finals(co);
  }

  private boolean broken(
      boolean[][] rf,
      boolean[][] co,
      boolean[][] fr,
      boolean[][] cause,
      boolean[][] base,
      boolean[][] sc) {
    boolean[][] local = new boolean[n][n];
    boolean[][] made = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      if (nodes.get(a).read() && nodes.get(a).twin() >= 0) {
        for (int w = 0; w < n; w++) {
          if (fr[a][w] && strong[a][w] && co[w][a + 1] && strong[w][a + 1]) {
            return true;
          }
        }
      }
      for (int b = 0; b < n; b++) {
        local[a][b] =
            strong[a][b] && (rf[a][b] || co[a][b] || fr[a][b] || (po[a][b] && same(a, b)));
        made[a][b] = rf[a][b] || adds(a, b);
      }
    }
    return RelationTables.cyclic(co)
        || RelationTables.cyclic(local)
        || RelationTables.cyclic(made)
        || RelationTables.reflexive(RelationTables.join(sc, base))
        || RelationTables.reflexive(RelationTables.join(RelationTables.union(rf, fr), cause));
  }

  /** Whether b stores a sum that includes the value that a read. */
  private boolean adds(int a, int b) {
    return nodes.get(a).twin() == b
        && nodes.get(a).read()
        && nodes.get(a).code() instanceof LitmusInstruction.Atomic atomic
        && atomic.op() != null;
  }

  private boolean opens(int a, int w) {
    MemoryOrder order = order(a);
    boolean fence = nodes.get(a).code() instanceof LitmusInstruction.Fence;
    boolean releases =
        order.releases() || (order == MemoryOrder.SC && model == MemoryModel.PTX_ISA);
    return releases
        && (a == w || (po[a][w] && strongAccess(w) && (fence || (write(a) && same(a, w)))));
  }

  private boolean closes(int b, int r) {
    MemoryOrder order = order(b);
    boolean fence = nodes.get(b).code() instanceof LitmusInstruction.Fence;
    boolean acquires =
        order.acquires() || (order == MemoryOrder.SC && model == MemoryModel.PTX_ISA);
    return acquires
        && (b == r
            || (po[r][b] && strongAccess(r) && (fence || (nodes.get(b).read() && same(b, r)))));
  }

  private boolean strongAccess(int a) {
    return order(a).strong();
  }

  private void finals(boolean[][] co) {
    List<List<Long>> all = new ArrayList<>(List.of(List.of()));
    for (LitmusCondition.Variable variable : test.observed()) {
      List<List<Long>> longer = new ArrayList<>();
      for (List<Long> state : all) {
        for (long value : values(variable, co)) {
          List<Long> next = new ArrayList<>(state);
          next.add(value);
          longer.add(next);
        }
      }
      all = longer;
    }
    states.addAll(all);
  }

  private long[] values(LitmusCondition.Variable variable, boolean[][] co) {
    return switch (variable) {
      case LitmusCondition.Variable.Memory memory -> {
        List<Long> last = new ArrayList<>();
        for (int w = 0; w < n; w++) {
          boolean maximal = write(w) && nodes.get(w).memory() == memory.location();
          for (int b = 0; b < n; b++) {
            maximal &= !co[w][b];
          }
          if (maximal) {
            last.add(stored(w));
          }
        }
        yield last.stream().mapToLong(Long::longValue).distinct().toArray();
      }
      case LitmusCondition.Variable.Register register -> {
        long value = 0;
        for (int r = 0; r < n; r++) {
          Node node = nodes.get(r);
          String to =
              switch (node.code()) {
                case LitmusInstruction.Load load -> load.to();
                case LitmusInstruction.Atomic atomic -> atomic.to();
                default -> null;
              };
          if (node.read() && node.thread() == register.thread() && register.name().equals(to)) {
            value = stored(from[r]);
          }
        }
        yield new long[] {value};
      }
    };
  }

  private long stored(int w) {
    return switch (nodes.get(w).code()) {
      case LitmusInstruction.Store store -> constant(store.value());
      case LitmusInstruction.Atomic atomic ->
          constant(atomic.value()) + (atomic.op() == null ? 0 : stored(from[nodes.get(w).twin()]));
      default -> 0;
    };
  }

  private static long constant(InstructionOperand operand) {
    return operand instanceof InstructionOperand.Constant constant ? constant.value() : 0;
  }
}
