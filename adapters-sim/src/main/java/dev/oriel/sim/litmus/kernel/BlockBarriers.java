package dev.oriel.sim.litmus.kernel;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the barriers of a test to those of a GPU's thread block. A warp that waited forever would
 * block the GPU, so only tests whose barriers certainly complete are run. Their threads have no
 * branches, and reach each barrier as often as all other threads that name it. A barrier that only
 * one thread names delays no other thread and needs no hardware barrier.
 *
 * <p>The hardware counts arrivals of any threads. A thread therefore must not arrive at a barrier
 * again before it has waited there. Before the next copy of the test, all threads of a block wait
 * for one another.
 */
final class BlockBarriers {
  /** A block has 16. Each warp of a thread's copies has its own, and one for the copy's end. */
  static final int WARPS = 2;

  private static final int MOST = 16 / WARPS - 1;

  private static final Optional<String> MAY_WAIT =
      Optional.of("block barriers at which not all that name them plainly meet");

  private record Key(ThreadPlacement block, int instance, InstructionOperand resource) {}

  private final LitmusTest test;
  private final Map<Key, List<LitmusThread>> members = new LinkedHashMap<>();

  BlockBarriers(LitmusTest test) {
    this.test = test;
    for (LitmusThread thread : test.threads()) {
      for (LitmusInstruction.Barrier barrier : of(thread)) {
        List<LitmusThread> those =
            members.computeIfAbsent(key(thread, barrier), key -> new ArrayList<>());
        if (!those.contains(thread)) {
          those.add(thread);
        }
      }
    }
  }

  private static List<LitmusInstruction.Barrier> of(LitmusThread thread) {
    return thread.code().stream()
        .filter(LitmusInstruction.Barrier.class::isInstance)
        .map(LitmusInstruction.Barrier.class::cast)
        .toList();
  }

  private static Key key(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    return new Key(thread.placement(), barrier.instance(), barrier.resource());
  }

  /** Why the barriers are not run on a GPU; empty if they are. */
  Optional<String> unsupported() {
    for (LitmusThread thread : test.threads()) {
      for (LitmusInstruction.Barrier barrier : of(thread)) {
        if (!(alone(thread, barrier) ? countsItself(barrier) : plain(thread, barrier))) {
          return MAY_WAIT;
        }
      }
    }
    if (!allPass()) {
      return MAY_WAIT;
    }
    boolean few = shared().values().stream().allMatch(numbers -> numbers <= MOST);
    return few ? Optional.empty() : Optional.of("more than %d block barriers".formatted(MOST));
  }

  private Map<ThreadPlacement, Integer> shared() {
    Map<ThreadPlacement, Integer> shared = new LinkedHashMap<>();
    members.forEach(
        (key, those) -> shared.merge(key.block(), those.size() > 1 ? 1 : 0, Integer::sum));
    return shared;
  }

  /** Whether no other thread of the block names it, or could name it. */
  boolean alone(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    return barrier.resource() instanceof InstructionOperand.Constant
        ? members(thread, barrier) == 1 && constantResources(thread)
        : test.threads().stream().filter(t -> t.placement().equals(thread.placement())).count()
            == 1;
  }

  private boolean constantResources(LitmusThread thread) {
    return members.keySet().stream()
        .filter(key -> key.block().equals(thread.placement()))
        .allMatch(key -> key.resource() instanceof InstructionOperand.Constant);
  }

  private static boolean countsItself(LitmusInstruction.Barrier barrier) {
    return barrier.quorum() == null || barrier.quorum().equals(new InstructionOperand.Constant(1));
  }

  private boolean plain(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    long all = members(thread, barrier);
    boolean straight =
        thread.code().stream()
            .noneMatch(
                i -> i instanceof LitmusInstruction.Jump || i instanceof LitmusInstruction.Branch);
    // The model counts a thread's uses of a number for any resource.
    boolean oneResource =
        of(thread).stream()
            .filter(other -> other.instance() == barrier.instance())
            .allMatch(other -> same(other, barrier));
    return straight
        && oneResource
        && constantResources(thread)
        && (barrier.quorum() == null
            || barrier.quorum().equals(new InstructionOperand.Constant(all)));
  }

  /** The number of threads that name the barrier. */
  int members(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    return members.getOrDefault(key(thread, barrier), List.of()).size();
  }

  /** The barrier's number among those that threads of the block share. */
  int number(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    return members.keySet().stream()
        .filter(key -> key.block().equals(thread.placement()))
        .filter(key -> members.getOrDefault(key, List.of()).size() > 1)
        .toList()
        .indexOf(key(thread, barrier));
  }

  /** Whether all threads of the thread's block must arrive before its next copy begins. */
  boolean needsEnd(LitmusThread thread) {
    return shared().getOrDefault(thread.placement(), 0) > 0;
  }

  /** The number for the end of a copy. */
  static int end() {
    return MOST;
  }

  /** Whether all threads pass all barriers, with equal numbers of uses. */
  private boolean allPass() {
    Map<LitmusThread, Integer> at = new LinkedHashMap<>();
    test.threads().forEach(thread -> at.put(thread, 0));
    boolean moved = true;
    while (moved) {
      moved = false;
      for (LitmusThread thread : test.threads()) {
        List<LitmusInstruction.Barrier> uses = of(thread);
        int next = at.getOrDefault(thread, 0);
        if (next < uses.size() && goesOn(thread, uses, next, at)) {
          at.put(thread, next + 1);
          moved = true;
        }
      }
    }
    return at.entrySet().stream().allMatch(e -> e.getValue() == of(e.getKey()).size());
  }

  /**
   * Whether the thread can pass its next barrier. A waiting thread needs as many arrivals of all
   * others. A thread that only arrives must not use the barrier again.
   */
  private boolean goesOn(
      LitmusThread thread,
      List<LitmusInstruction.Barrier> uses,
      int next,
      Map<LitmusThread, Integer> at) {
    LitmusInstruction.Barrier barrier = uses.get(next);
    if (alone(thread, barrier)) {
      return true;
    }
    List<LitmusThread> those = members.getOrDefault(key(thread, barrier), List.of());
    if (!barrier.waits()) {
      return uses.subList(next + 1, uses.size()).stream()
              .noneMatch(later -> key(thread, later).equals(key(thread, barrier)))
          && those.stream().allMatch(other -> uses(other, barrier) == uses(thread, barrier));
    }
    long mine = uses.subList(0, next + 1).stream().filter(b -> same(b, barrier)).count();
    return those.stream()
        .filter(other -> other.number() != thread.number())
        .allMatch(other -> arrived(other, at.getOrDefault(other, 0), barrier) >= mine);
  }

  private static long uses(LitmusThread thread, LitmusInstruction.Barrier barrier) {
    return of(thread).stream().filter(b -> same(b, barrier)).count();
  }

  /** Uses up to now, including the barrier that the thread has reached. */
  private static long arrived(LitmusThread thread, int at, LitmusInstruction.Barrier barrier) {
    List<LitmusInstruction.Barrier> uses = of(thread);
    return uses.subList(0, Math.min(uses.size(), at + 1)).stream()
        .filter(b -> same(b, barrier))
        .count();
  }

  private static boolean same(LitmusInstruction.Barrier one, LitmusInstruction.Barrier other) {
    return one.instance() == other.instance() && one.resource().equals(other.resource());
  }
}
