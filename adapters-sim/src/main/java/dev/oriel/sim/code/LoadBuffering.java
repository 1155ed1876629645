package dev.oriel.sim.code;

import dev.oriel.domain.program.Scope;
import dev.oriel.sim.code.LoadStorePairs.Access;
import dev.oriel.sim.code.LoadStorePairs.Found;
import dev.oriel.sim.code.LoadStorePairs.Pair;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Load buffering: a cycle of lanes, each of which stores after a strong load, and whose load may
 * find the store of the lane before, or whose strict fence comes after one of the lane before. PTX
 * allows it unless every store depends on its load, or release and acquire order all steps of the
 * cycle but one. Here a lane ends its loads before its later stores, so no execution shows it.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LoadBuffering {
  /** Steps of the search for a cycle; where they do not suffice, there may be one. */
  private static final int MAX_STEPS = 100_000;

  /** Steps of a cycle that nothing orders: with fewer, what orders the others forbids it. */
  private static final int UNORDERED = 2;

  private final WorldCode world;
  private final List<Found> pairs = new ArrayList<>();
  private final BitSet lanes = new BitSet();
  private int steps;

  private LoadBuffering(WorldCode world) {
    this.world = world;
  }

  /** The first load and store of the world that such a cycle may begin with, in words. */
  public static Optional<String> of(WorldCode world) {
    return new LoadBuffering(world).find();
  }

  private Optional<String> find() {
    boolean any = false;
    for (int l = 0; !any && l < world.lanes().size(); l++) {
      any = new LoadStorePairs(world.operands(), world.lanes().get(l), l).anyIndependent();
    }
    for (int l = 0; any && l < world.lanes().size(); l++) {
      pairs.addAll(new LoadStorePairs(world.operands(), world.lanes().get(l), l).all());
    }
    for (int first = 0; first < pairs.size(); first++) {
      Pair pair = pairs.get(first).pair();
      if (pair.independent() && closes(first, pair, 0)) {
        return Optional.of(told(pairs.get(first)));
      }
    }
    return Optional.empty();
  }

  private String told(Found found) {
    LaneCode code = world.lanes().get(found.pair().lane());
    return "load buffering: rank=%d, lane=%s: a GPU may do '%s' before '%s', which comes first in the program; no execution here does; to rule it out, acquire at the load and release at the store in each lane of the cycle"
        .formatted(code.rank(), code.label(), code.text(found.store()), code.text(found.load()));
  }

  /**
   * Whether some way leads on from the pair, through lanes that are not on it yet, to the first.
   */
  private boolean closes(int first, Pair last, int unordered) {
    lanes.set(last.lane());
    boolean closes = ++steps > MAX_STEPS;
    for (int next = 0; !closes && next < pairs.size(); next++) {
      Pair pair = pairs.get(next).pair();
      if (pair.lane() != last.lane() && meet(last, pair)) {
        int count = Math.min(UNORDERED, unordered + (orders(last, pair) ? 0 : 1));
        closes =
            next == first
                ? count == UNORDERED
                : !lanes.get(pair.lane()) && closes(first, pair, count);
      }
    }
    lanes.clear(last.lane());
    return closes;
  }

  /** Whether one pair's load may find the other's store; a strict fence finds one in its scope. */
  private boolean meet(Pair pair, Pair next) {
    return pair.store().place().meets(next.load().place())
        && (!next.load().place().strictFence() || orders(pair, next));
  }

  /** Whether one pair's load is ordered before the other's store, if that one's load finds its. */
  private boolean orders(Pair pair, Pair next) {
    LaneCode from = world.lanes().get(pair.lane());
    LaneCode to = world.lanes().get(next.lane());
    int apart = (from.rank() == to.rank() ? Scope.GPU : Scope.SYS).ordinal();
    return orders(pair.store(), pair.unfenced(), apart)
        && orders(next.load(), next.unfenced(), apart);
  }

  private static boolean orders(Access access, BitSet unfenced, int apart) {
    return (access.orders() && access.scope() >= apart) || !unfenced.get(apart);
  }
}
