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
 * Detects load buffering: a cycle of lanes, each of which stores after a strong load. Its load may
 * read the store of the previous lane, or its strict fence comes after one of the previous lane.
 * PTX allows the cycle unless every store depends on its load, or release and acquire order all
 * steps of the cycle but one. Here a lane completes its loads before its later stores, so no
 * execution shows it.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LoadBuffering {
  /**
   * The most steps of the search for a cycle; if they do not suffice, a cycle is assumed possible.
   */
  private static final int MAX_STEPS = 100_000;

  /**
   * The least number of unordered steps in a cycle: with fewer, the order of the others forbids it.
   */
  private static final int UNORDERED = 2;

  private final WorldCode world;
  private final List<Found> pairs = new ArrayList<>();
  private final BitSet lanes = new BitSet();
  private int steps;

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
    for (int l = 0; any && l < world.lanes().size(); l++) {
      pairs.addAll(new LoadStorePairs(world.operands(), world.lanes().get(l), l).all());
    }
    for (int first = 0; first < pairs.size(); first++) {
      Pair pair = pairs.get(first).pair();
      if (pair.independent() && closes(first, pair, 0)) {
        return Optional.of(message(pairs.get(first)));
      }
    }
    return Optional.empty();
  }

  private String message(Found found) {
    LaneInstructions code = world.lanes().get(found.pair().lane());
    return "load buffering: rank=%d, lane=%s: a GPU may execute '%s' before '%s', which is earlier in the program; the simulator does not; to rule it out, acquire at the load and release at the store in each lane of the cycle"
        .formatted(code.rank(), code.label(), code.text(found.store()), code.text(found.load()));
  }

  /**
   * Whether some path leads from the pair, through lanes that are not on it yet, to the first pair.
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
