package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.path.ThreadPath.Ending;
import dev.oriel.sim.litmus.test.CodeLoops;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds every path through one thread's code, with the values of its reads left open.
 *
 * <p>An iteration that only reads and leaves every live register unchanged is dropped. Removing its
 * events from an execution removes relations and adds none, and every axiom forbids cycles of
 * relations, so no outcome is lost. An iteration whose updates store the values they read is
 * dropped as well, if {@link SilentUpdates} permits it. Any other loop is followed to its end as
 * long as no read decides whether it continues. Rounds that a read decides are bounded, and a path
 * beyond the bound is kept as {@link Ending#CUT} so that the bound can be reported.
 */
public final class PathFinder {
  static final int MAX_EVENTS = 60;
  private static final int MAX_PATHS = 1024;
  private static final int MAX_DROPPED = 16;
  private static final int MAX_STEPS = 1024;
  private static final int MAX_TERMS = 1 << 16;

  /** Bytes of memory per event or branch of a path, per term, and per path without its events. */
  private static final int EVENT = 80;

  private static final int TERM = 96;
  private static final int PATH = 256;

  private final LitmusThread thread;
  private final SilentUpdates idle;
  private final Set<String> observed;
  private final int unroll;
  private final ValueTerms terms = new ValueTerms();
  private final LiveRegisters live;
  private final CodeLoops loops;
  private final List<ThreadPath> paths = new ArrayList<>();

  /** Walks with the fewest events first: if not all paths are found, the longest are missing. */
  private final NavigableSet<PathBuilder> open =
      new TreeSet<>(
          Comparator.comparingInt((PathBuilder walk) -> walk.events.size())
              .thenComparingLong(walk -> walk.number));

  private long numbers;
  private boolean complete = true;
  private int dropped;

  /** Finds the paths of the test's thread at that index. */
  public PathFinder(LitmusTest test, int place, int unroll) {
    thread = test.threads().get(place);
    idle = new SilentUpdates(test);
    observed = test.observed(thread.number());
    this.unroll = unroll;
    live = new LiveRegisters(thread.code(), observed);
    loops = new CodeLoops(thread.code());
  }

  public ValueTerms terms() {
    return terms;
  }

  /** Whether {@link #paths} contains all paths. */
  public boolean complete() {
    return complete;
  }

  /** Bytes of memory of the paths found. */
  public long footprint() {
    long parts = 0;
    for (ThreadPath path : paths) {
      parts += path.events().size() + path.constraints().size();
    }
    return EVENT * parts + (long) PATH * paths.size() + (long) TERM * terms.size();
  }

  public List<ThreadPath> paths() {
    PathBuilder start = new PathBuilder(terms);
    thread.registers().forEach((name, value) -> start.set(name, terms.constant(value)));
    later(start);
    while (!open.isEmpty()) {
      if (paths.size() >= MAX_PATHS || dropped >= MAX_DROPPED || terms.size() > MAX_TERMS) {
        complete = false;
        break;
      }
      // If too many are open, the longest goes first and soon ends, which bounds their number.
      PathBuilder next = open.size() <= MAX_PATHS ? open.pollFirst() : open.pollLast();
      walk(Objects.requireNonNull(next));
    }
    return paths;
  }

  private void later(PathBuilder walk) {
    walk.number = numbers++;
    open.add(walk);
  }

  private void walk(PathBuilder walk) {
    while (true) {
      if (walk.at >= thread.code().size()) {
        emit(walk, Ending.FINISHED, 0);
        return;
      }
      if (++walk.steps > MAX_STEPS || walk.events.size() > MAX_EVENTS) {
        complete = false;
        dropped++;
        return;
      }
      if (loops.head(walk.at) && !enterLoop(walk)) {
        return;
      }
      if (!step(walk)) {
        return;
      }
    }
  }

  /** Whether to run another iteration from a loop's head. */
  private boolean enterLoop(PathBuilder walk) {
    PathBuilder.Visit before = walk.changed ? null : walk.sameVisit(live.at(walk.at));
    walk.changed = false;
    if (before != null) {
      int same = before.events();
      List<PathEvent> iteration = walk.events.subList(same, walk.events.size());
      if (iteration.stream().noneMatch(e -> e.kind() == PathEvent.Kind.WRITE || e.barrier())) {
        emit(walk, Ending.STUCK, same);
        return false;
      }
      if (iteration.stream().noneMatch(PathFinder::leavesTrace)) {
        emit(walk, Ending.STUCK, same);
      }
      if (walk.decidedNothingSince(before)) {
        emit(walk, Ending.ENDLESS, 0);
        return false;
      }
      if (droppable(walk, same)) {
        goOnChanged(walk, same);
        return false;
      }
    }
    if (walk.decidedRounds() > unroll) {
      emit(walk, Ending.CUT, 0);
      return false;
    }
    walk.visit(live.at(walk.at));
    return true;
  }

  /** Whether the events from there on may be removed if memory is unchanged. */
  private boolean droppable(PathBuilder walk, int from) {
    for (PathEvent event : walk.events.subList(from, walk.events.size())) {
      if (leavesTrace(event)) {
        return false;
      }
      if (event.kind() == PathEvent.Kind.WRITE) {
        long own = terms.reads(walk.events.get(event.partner()).value());
        if (!idle.droppable(event.location(), (event.depends() & own) != 0)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Continues once for each update from there on, with that update as the first to change memory.
   */
  private void goOnChanged(PathBuilder walk, int from) {
    for (int i = walk.events.size() - 1; i >= from; i--) {
      PathEvent update = walk.events.get(i);
      if (update.kind() == PathEvent.Kind.WRITE
          && !walk.keeps(update.value(), walk.events.get(update.partner()).value())) {
        PathBuilder changed = walk.copy();
        for (int j = from; j <= i; j++) {
          PathEvent event = walk.events.get(j);
          if (event.kind() == PathEvent.Kind.WRITE) {
            changed.require(event.value(), walk.events.get(event.partner()).value(), j < i);
          }
        }
        changed.changed = true;
        later(changed);
      }
    }
  }

  private static boolean leavesTrace(PathEvent event) {
    return event.barrier() || (event.kind() == PathEvent.Kind.WRITE && event.partner() < 0);
  }

  /** Takes the next instruction; false if it branches, with both directions left for later. */
  private boolean step(PathBuilder walk) {
    LitmusInstruction instruction = thread.code().get(walk.at);
    walk.at++;
    switch (instruction) {
      case LitmusInstruction.Load load -> walk.load(load);
      case LitmusInstruction.Store store -> walk.store(store);
      case LitmusInstruction.Atomic atomic -> walk.atomic(atomic, thread.posts(atomic));
      case LitmusInstruction.Fence fence ->
          walk.events.add(PathEvent.fence(fence.order(), fence.scope()));
      case LitmusInstruction.ProxyFence fence ->
          walk.events.add(PathEvent.proxyFence(fence.proxy()));
      case LitmusInstruction.Barrier barrier -> {
        walk.barrier(barrier);
        if (barrier.waits()) {
          emit(walk, Ending.BLOCKED, 0);
        }
      }
      case LitmusInstruction.Move move -> walk.set(move.to(), walk.term(move.value()));
      case LitmusInstruction.Compute compute ->
          walk.set(
              compute.to(),
              terms.apply(compute.op(), walk.term(compute.a()), walk.term(compute.b())));
      case LitmusInstruction.Jump jump -> walk.at = jump.target();
      case LitmusInstruction.Branch branch -> {
        return branch(walk, branch);
      }
    }
    return true;
  }

  private boolean branch(PathBuilder walk, LitmusInstruction.Branch branch) {
    int a = walk.term(branch.a());
    int b = walk.term(branch.b());
    OptionalLong x = terms.constantOf(a);
    OptionalLong y = terms.constantOf(b);
    if (x.isPresent() && y.isPresent()) {
      if (branch.comparison().holds(x.getAsLong(), y.getAsLong())) {
        walk.at = branch.target();
      }
      return true;
    }
    walk.decidesRounds(head -> loops.controls(branch, walk.at - 1, head));
    PathBuilder taken = walk.copy();
    taken.decide(branch.comparison(), a, b, true);
    taken.at = branch.target();
    walk.decide(branch.comparison(), a, b, false);
    later(walk);
    later(taken);
    return false;
  }

  private void emit(PathBuilder walk, Ending ending, int spinFrom) {
    paths.add(walk.path(ending, spinFrom, observed));
  }
}
