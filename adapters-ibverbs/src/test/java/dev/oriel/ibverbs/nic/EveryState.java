package dev.oriel.ibverbs.nic;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Visits every reachable state of threads and an interface once. A state is reached again by the
 * same choices from the beginning.
 */
final class EveryState {
  private static final int MOST = 3_000_000;

  private final Supplier<Posting> worlds;
  private final boolean merging;

  /** Sequences of choices at which a branch begins. */
  private final Deque<int[]> branches = new ArrayDeque<>();

  private final Set<String> states = new HashSet<>();
  private long steps;
  private int depth;
  private Optional<String> wrong = Optional.empty();

  /** The current branch: its choices, and the number of them that were replayed. */
  private int[] taken = {};

  private int length;
  private int replayed;

  /**
   * A search.
   *
   * @param merging whether a known state ends the branch; otherwise every order is followed to its
   *     end, which is slow and obvious
   */
  private EveryState(Supplier<Posting> worlds, boolean merging) {
    this.worlds = worlds;
    this.merging = merging;
  }

  /**
   * The result.
   *
   * @param depth the most steps from the beginning to a new state
   * @param wrong the first error, which ended the search
   */
  record Verdict(int states, long steps, int depth, Optional<String> wrong) {}

  static Verdict verdict(Supplier<Posting> worlds) {
    return new EveryState(worlds, true).search();
  }

  /** The states themselves. */
  static Set<String> states(Supplier<Posting> worlds, boolean merging) {
    EveryState search = new EveryState(worlds, merging);
    Verdict verdict = search.search();
    if (verdict.wrong().isPresent()) {
      throw new IllegalStateException(verdict.wrong().get());
    }
    return search.states;
  }

  private Verdict search() {
    branches.push(new int[0]);
    while (!branches.isEmpty() && wrong.isEmpty()) {
      follow(branches.pop());
    }
    return new Verdict(states.size(), steps, depth, wrong);
  }

  private void follow(int[] branch) {
    taken = Arrays.copyOf(branch, Math.max(64, 2 * branch.length));
    length = branch.length;
    replayed = 0;
    Posting world = worlds.get();
    for (int deep = 0; ; deep++) {
      boolean known = replayed < length;
      wrong = world.wrong();
      if (wrong.isPresent()) {
        return;
      }
      if (!known) {
        boolean fresh = states.add(world.state());
        depth = fresh ? Math.max(depth, deep) : depth;
        if (!fresh && merging) {
          return;
        }
        if (states.size() > MOST) {
          throw new IllegalStateException("too many states: " + states.size());
        }
      }
      List<Integer> able = world.able();
      if (able.isEmpty()) {
        world.end();
        wrong = world.wrong();
        return;
      }
      world.take(able.get(choose(able.size())), this::choose);
      steps++;
    }
  }

  /**
   * The next choice of the branch. After the branch's end it is the first choice, and each other
   * choice becomes a branch of its own.
   */
  private int choose(int ways) {
    if (replayed == length) {
      for (int other = 1; other < ways; other++) {
        int[] branch = Arrays.copyOf(taken, length + 1);
        branch[length] = other;
        branches.push(branch);
      }
      if (length == taken.length) {
        taken = Arrays.copyOf(taken, 2 * length);
      }
      taken[length++] = 0;
    }
    return taken[replayed++];
  }
}
