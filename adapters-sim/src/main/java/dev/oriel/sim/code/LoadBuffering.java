package dev.oriel.sim.code;

import dev.oriel.domain.program.Scope;
import dev.oriel.sim.code.LoadStorePairs.Access;
import dev.oriel.sim.code.LoadStorePairs.Found;
import dev.oriel.sim.code.LoadStorePairs.Pair;
import dev.oriel.sim.code.LoadStorePairs.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Detects load buffering: a cycle of lanes, each of which stores after a strong load. Its load may
 * read the store of the previous lane, or its strict fence comes after one of the previous lane.
 * PTX allows the cycle unless every store depends on its load, or release and acquire order all
 * steps of the cycle but one. Here a lane completes its loads before its later stores, so no
 * execution shows it.
 *
 * <p>Pairs of a load and a store are the nodes of a graph; an edge leads from a store to a load
 * that may read it, in another lane. First, pairs that no edge reaches or leaves are removed until
 * none is left: they are on no cycle. A search then looks for a cycle among the others.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LoadBuffering {
  /**
   * The most edges of the graph, and the most that the search looks at; with more, a cycle is
   * assumed possible. Removing pairs ends early after four times as many.
   */
  private static final long MOST_EDGES = 20_000_000;

  /**
   * The least number of unordered steps in a cycle: with fewer, the order of the others forbids it.
   */
  private static final int UNORDERED = 2;

  private final WorldCode world;
  private final List<Found> pairs = new ArrayList<>();

  /** The pairs whose load is of that signal or buffer; edges lead to no others. */
  private final Map<Kind, int[]> loads = new HashMap<>();

  /** The pairs that may be on a cycle. */
  private final BitSet left = new BitSet();

  private final BitSet lanes = new BitSet();
  private long edges;

  private record Kind(boolean slot, int number) {
    static Kind of(Place place) {
      return new Kind(place.slot(), place.kind());
    }
  }

  private LoadBuffering(WorldCode world) {
    this.world = world;
  }

  /** The first load and store of the world with which such a cycle may begin, in words. */
  public static Optional<String> of(WorldCode world) {
    return new LoadBuffering(world).find();
  }

  private Optional<String> find() {
    boolean any = false;
    for (int l = 0; !any && l < world.lanes().size(); l++) {
      any = new LoadStorePairs(world.operands(), world.lanes().get(l), l).anyIndependent();
    }
    if (!any) {
      return Optional.empty();
    }
    for (int l = 0; l < world.lanes().size(); l++) {
      pairs.addAll(new LoadStorePairs(world.operands(), world.lanes().get(l), l).all());
    }
    Map<Kind, List<Integer>> byKind = new HashMap<>();
    for (int i = 0; i < pairs.size(); i++) {
      byKind.computeIfAbsent(Kind.of(pair(i).load().place()), _ -> new ArrayList<>()).add(i);
    }
    byKind.forEach(
        (kind, all) -> loads.put(kind, all.stream().mapToInt(Integer::intValue).toArray()));
    left.set(0, pairs.size());
    if (!reduce()) {
      return IntStream.range(0, pairs.size())
          .filter(i -> pair(i).independent())
          .mapToObj(i -> message(pairs.get(i)))
          .findFirst();
    }
    edges = 0;
    for (int first = left.nextSetBit(0); first >= 0; first = left.nextSetBit(first + 1)) {
      if (pair(first).independent() && closes(first, first, 0)) {
        return Optional.of(message(pairs.get(first)));
      }
    }
    return Optional.empty();
  }

  private Pair pair(int i) {
    return pairs.get(i).pair();
  }

  private String message(Found found) {
    LaneInstructions code = world.lanes().get(found.pair().lane());
    return "load buffering: rank=%d, lane=%s: a GPU may execute '%s' before '%s', which is earlier in the program; the simulator does not; to rule it out, acquire at the load and release at the store in each lane of the cycle"
        .formatted(code.rank(), code.label(), code.text(found.store()), code.text(found.load()));
  }

  /** Removes pairs that are on no cycle; false if there are too many edges. */
  private boolean reduce() {
    int[] into = new int[pairs.size()];
    int[] out = new int[pairs.size()];
    for (int i = 0; i < pairs.size(); i++) {
      int from = i;
      successors(
          i,
          next -> {
            into[next]++;
            out[from]++;
            return true;
          });
      if (edges > MOST_EDGES) {
        return false;
      }
    }
    removeDeadEnds(into, out);
    return true;
  }

  /** Removes pairs without edges into them, then those without edges out of them. */
  private void removeDeadEnds(int[] into, int[] out) {
    Deque<Integer> gone = new ArrayDeque<>();
    for (int i = 0; i < pairs.size(); i++) {
      if (into[i] == 0 || out[i] == 0) {
        left.clear(i);
        gone.add(i);
      }
    }
    boolean changed = !gone.isEmpty();
    while (changed && edges <= 4 * MOST_EDGES) {
      changed = false;
      while (!gone.isEmpty()) {
        successors(
            gone.remove(),
            next -> {
              if (--into[next] == 0 && left.get(next)) {
                left.clear(next);
                gone.add(next);
              }
              return true;
            });
      }
      for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(i + 1)) {
        if (!successors(i, next -> !left.get(next))) {
          continue;
        }
        left.clear(i);
        gone.add(i);
        changed = true;
      }
    }
  }

  /** Whether the condition holds for every pair whose load may read that pair's store. */
  private boolean successors(int i, IntPredicate each) {
    Pair from = pair(i);
    for (int next : loads.getOrDefault(Kind.of(from.store().place()), new int[0])) {
      edges++;
      Pair to = pair(next);
      if (to.lane() != from.lane() && meet(from, to) && !each.test(next)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether some path leads from the pair, through lanes that are not on it yet, to the first pair.
   */
  private boolean closes(int first, int last, int unordered) {
    if (edges > MOST_EDGES) {
      return true;
    }
    Pair from = pair(last);
    lanes.set(from.lane());
    boolean closes =
        !successors(
            last,
            next -> {
              int count = Math.min(UNORDERED, unordered + (orders(from, pair(next)) ? 0 : 1));
              boolean found =
                  next == first
                      ? count == UNORDERED
                      : left.get(next)
                          && !lanes.get(pair(next).lane())
                          && closes(first, next, count);
              return !found;
            });
    lanes.clear(from.lane());
    return closes;
  }

  /**
   * Whether one pair's load may read the other's store; a strict fence needs one within its scope.
   */
  private boolean meet(Pair pair, Pair next) {
    return pair.store().place().meets(next.load().place())
        && (!next.load().place().strictFence() || orders(pair, next));
  }

  /**
   * Whether one pair's load is ordered before the other's store, if the other's load reads its
   * store.
   */
  private boolean orders(Pair pair, Pair next) {
    LaneInstructions from = world.lanes().get(pair.lane());
    LaneInstructions to = world.lanes().get(next.lane());
    int apart = (from.rank() == to.rank() ? Scope.GPU : Scope.SYS).ordinal();
    return orders(pair.store(), pair.unfenced(), apart)
        && orders(next.load(), next.unfenced(), apart);
  }

  private static boolean orders(Access access, BitSet unfenced, int apart) {
    return (access.orders() && access.scope() >= apart) || !unfenced.get(apart);
  }
}
