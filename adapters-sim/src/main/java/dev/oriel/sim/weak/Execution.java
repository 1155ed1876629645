package dev.oriel.sim.weak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One execution. Lanes run one after another, each until it waits for what is not there.
 *
 * <p>Every lane with more than one thread is two agents: the leader signals and polls, the worker
 * stands for all others and moves data. Only a barrier joins them.
 */
final class Execution {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final LaneRun[] runs;
  private final Callers callers;
  private final Copies copies;
  private final Signals signals;
  private final Queues queues;
  private final Choices choices;
  private final List<long[]> trace = new ArrayList<>();

  private final long maxSteps;
  private boolean cutOff;

  Execution(Model model, Choices choices, int launches, long maxSteps) {
    this.model = model;
    this.maxSteps = maxSteps;
    this.choices = options -> options == 1 ? 0 : choices.choose(options);
    memory = new Memory(model);
    orders = new Orders(model, memory);
    runs =
        IntStream.range(0, model.lanes.size())
            .mapToObj(lane -> new LaneRun(model, lane))
            .toArray(LaneRun[]::new);
    callers = new Callers(model, memory, orders, runs, launches);
    SyncAccess words = new SyncAccess(model, memory, orders);
    copies = new Copies(model, memory, orders, words);
    signals = new Signals(model, memory, orders, words, this.choices);
    queues = new Queues(model, memory, orders, words);
  }

  /** Runs to the end, or to the first finding. */
  Optional<Finding> run() {
    try {
      for (int rank = 0; rank < model.world(); rank++) {
        callers.begin(rank);
      }
      while (progress()) {
        // Lanes run until none can.
      }
      if (cutOff) {
        return Optional.empty();
      }
      boolean through = IntStream.range(0, model.world()).allMatch(callers::through);
      return through ? Optional.empty() : Optional.of(deadlock());
    } catch (FindingException e) {
      return Optional.of(e.finding());
    }
  }

  /** The acts that were executed, one line each. */
  List<String> trace() {
    return trace.stream()
        .map(t -> {
          LaneCode code = model.lanes.get((int) t[0]);
          return "rank=%d, lane=%s, launch=%d: %s"
              .formatted(code.rank(), code.instance().label(), t[2], code.text((int) t[1]));
        })
        .toList();
  }

  /** What this execution left out, in words. */
  Set<String> bounds() {
    return memory.bounds;
  }

  /** Whether the execution was ended because it took too many steps. */
  boolean cutOff() {
    return cutOff;
  }

  private boolean progress() {
    boolean any = false;
    for (LaneRun run : runs) {
      while (!run.ended && !waitsForSum(run) && enabled(run)) {
        step(run);
        any = true;
        if (trace.size() >= maxSteps) {
          cutOff = true;
          return false;
        }
      }
    }
    return any || sums();
  }

  /** Awaits of sums come last, so that every message they may count is there to be chosen. */
  private boolean sums() {
    List<LaneRun> ready = new ArrayList<>();
    for (LaneRun run : runs) {
      if (!run.ended && waitsForSum(run) && enabled(run)) {
        ready.add(run);
      }
    }
    if (ready.isEmpty()) {
      return false;
    }
    step(ready.get(choices.choose(ready.size())));
    return true;
  }

  private static boolean waitsForSum(LaneRun run) {
    return run.act() instanceof Act.Poll p && p.sum();
  }

  private boolean enabled(LaneRun run) {
    return switch (run.act()) {
      case Act.Poll p -> run.failure != 0 || signals.satisfiable(run, p);
      case Act.Copy c -> run.failure != 0 || copies.arrived(run, c);
      case Act.AwaitLane(var others) -> others.stream().allMatch(o -> runs[o].ended);
      default -> true;
    };
  }

  private void step(LaneRun run) {
    int site = model.site(run.lane, run.at);
    trace.add(new long[] {run.lane, run.at, callers.launch(run.rank())});
    int next = run.at + 1;
    switch (run.act()) {
      case Act.Jump(int target) -> next = target;
      case Act.Unless(var all, int target) ->
          next = Act.Compare.holds(all, run.registers) ? next : target;
      case Act.UnlessKind(Term peer, var kind, int target) ->
          next = model.kind(run.rank(), (int) run.value(peer)) == kind ? next : target;
      case Act.Set(int register, Term value) -> run.registers[register] = run.value(value);
      case Act.Bar() -> orders.barrier(run.leader, run.worker);
      case Act.Fence f -> orders.fence(run);
      case Act.AwaitLane(var others) -> {
        for (int other : others) {
          orders.order(runs[other].leader, run.leader);
          orders.order(runs[other].worker, run.leader);
        }
      }
      case Act.Check(var all, int code) -> {
        if (run.failure == 0 && !Act.Compare.holds(all, run.registers)) {
          run.failure = code;
        }
      }
      case Act.Load l -> copies.load(run, l, site);
      case Act.WriteSlot w -> signals.write(run, w, site);
      case Act.PostSlot p -> queues.slot(run, p, site);
      case Act.PostReadBack(Term peer) -> queues.readBack(run, (int) run.value(peer));
      case Act.AwaitQueue(Term peer) -> queues.await(run, (int) run.value(peer));
      case Act.Consist() -> {}
      case Act.End() -> {
        callers.ended(run);
        return;
      }
      // A failed lane neither moves data nor waits.
      case Act.Copy c when run.failure == 0 -> copies.copy(run, c, site);
      case Act.Store s when run.failure == 0 -> copies.store(run, s, site);
      case Act.Poll p when run.failure == 0 -> signals.poll(run, p, site);
      case Act.PostWrite p when run.failure == 0 -> queues.write(run, p, site);
      case Act.PostRead p when run.failure == 0 -> queues.read(run, p, site);
      case Act.Copy c -> {}
      case Act.Store s -> {}
      case Act.Poll p -> {}
      case Act.PostWrite p -> {}
      case Act.PostRead p -> {}
    }
    run.at = next;
  }

  private Finding deadlock() {
    StringBuilder text = new StringBuilder("nothing can happen any more:");
    for (LaneRun run : runs) {
      if (!run.ended) {
        text.append(
            " rank=%d, lane=%s, launch=%d waits in '%s'"
                .formatted(
                    run.rank(),
                    run.code.instance().label(),
                    callers.launch(run.rank()),
                    run.code.text(run.at)));
        if (run.act() instanceof Act.Poll p) {
          text.append(signals.seen(run, p));
        }
        text.append(';');
      }
    }
    return new Finding(
        Finding.DEADLOCK, text.append(" send what is missing, or do not wait for it").toString());
  }
}
