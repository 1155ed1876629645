package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Request;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every execution of a tiny program in one total order, by plain recursion. Every step of a lane
 * takes effect at once and is visible to all, requests included. Only a lock that is taken waits.
 */
final class PlainOrder {
  private static final int ENDED = -3;
  private static final long POISON = -1;

  final Set<Kind> found = EnumSet.noneOf(Kind.class);
  final Set<String> outcomes = new TreeSet<>();
  private final PlainCode code;
  private final long maxSteps;
  private long steps;

  PlainOrder(PlainCode code, long maxSteps) {
    this.code = code;
    this.maxSteps = maxSteps;
    PlainState first = code.first();
    for (int l = 0; l < code.lanes; l++) {
      if (first.pc[l] == 0) {
        settle(first, l);
      }
    }
    search(first);
  }

  private void search(PlainState s) {
    boolean any = false;
    for (int agent = 0; agent < code.lanes + code.queues; agent++) {
      if (!(agent < code.lanes ? enabled(s, agent) : free(s, agent - code.lanes))) {
        continue;
      }
      if (++steps > maxSteps) {
        throw new PlainSearch.TooLargeException();
      }
      any = true;
      PlainState next = s.copy();
      boolean goesOn = true;
      if (agent < code.lanes) {
        goesOn = lane(next, agent);
      } else {
        lock(next, agent - code.lanes);
      }
      if (goesOn) {
        search(next);
      }
    }
    if (!any && Arrays.stream(s.pc).allMatch(pc -> pc == PlainCode.THROUGH)) {
      outcomes.add(code.outcome(s));
    } else if (!any) {
      found.add(Kind.DEADLOCK);
    }
  }

  private static long value(PlainState s, int word) {
    return word < s.memory.length ? s.memory[word] : s.words[word][0].value();
  }

  private static void put(PlainState s, int word, long value) {
    if (word < s.memory.length) {
      s.memory[word] = value;
    } else {
      s.words[word] =
          new Message[] {new Message(value, -1, -1, PlainCode.SYS, PlainCode.nothing())};
    }
  }

  private static long change(PlainState s, int word, Atomic change, long operand, long compare) {
    long old = value(s, word);
    put(s, word, change.apply(old, operand, compare));
    return old;
  }

  /** Whether a lock waits on the queue and nobody holds it now. */
  private boolean free(PlainState s, int queue) {
    Request[] waiting = s.queues[queue].requests();
    return waiting.length > 0 && value(s, waiting[0].word()) == 0;
  }

  private static void lock(PlainState s, int queue) {
    put(s, s.queues[queue].requests()[0].word(), 1);
    s.queues[queue] = new Queue(new Request[0], 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private boolean enabled(PlainState s, int lane) {
    if (s.pc[lane] < 0) {
      return s.pc[lane] != PlainCode.THROUGH;
    }
    return switch (code.step(s, lane)) {
      case MicroOperation.PollSlot p ->
          Arrays.stream(code.slots(s, lane, p.slot()))
              .allMatch(word -> holds(s, lane, word, p.comparison(), p.value()));
      case MicroOperation.PollWord p ->
          holds(s, lane, code.place(s, lane, p.word()), p.comparison(), p.value());
      case MicroOperation.Lock(var word, var scope) -> value(s, code.place(s, lane, word)) == 0;
      case MicroOperation.AwaitQueue a ->
          s.queues[code.queue(s, lane, a.peer(), a.queue())].requests().length == 0;
      default -> true;
    };
  }

  private boolean holds(PlainState s, int lane, int word, Comparison comparison, Expr wanted) {
    return comparison.test(value(s, word), code.value(s, lane, wanted));
  }

  /** Takes a step of a lane or, before its start or after its end, of its caller. */
  private boolean lane(PlainState s, int lane) {
    if (s.pc[lane] == ENDED && !code.holds(s, code.rank[lane])) {
      found.add(Kind.VALUE);
      return false;
    }
    if (s.pc[lane] < 0) {
      fill(s, code.rank[lane]);
      s.pc[lane] = s.pc[lane] == ENDED ? PlainCode.THROUGH : 0;
    } else if (code.step(s, lane) instanceof MicroOperation.End) {
      s.pc[lane] = ENDED;
    } else {
      step(s, lane);
      s.pc[lane]++;
    }
    if (s.pc[lane] >= 0) {
      settle(s, lane);
    }
    return true;
  }

  private void fill(PlainState s, int rank) {
    for (int place = 0; code.callers && place < s.memory.length; place++) {
      if (code.owner(place) == rank && code.space(place).callers()) {
        s.memory[place] = code.space(place).filled() ? code.input(place) : POISON;
      }
    }
  }

  /** Advances to the next step that other agents can notice. */
  private void settle(PlainState s, int lane) {
    while (true) {
      switch (code.step(s, lane)) {
        case MicroOperation.Bar b -> s.pc[lane]++;
        case MicroOperation.Fence f -> s.pc[lane]++;
        case MicroOperation.ProxyFence f -> s.pc[lane]++;
        case MicroOperation.AwaitBulk b -> s.pc[lane]++;
        case MicroOperation.VisibilityFence c -> s.pc[lane]++;
        case MicroOperation m -> {
          if (!code.quiet(s, lane, m)) {
            return;
          }
        }
      }
    }
  }

  private void step(PlainState s, int lane) {
    switch (code.step(s, lane)) {
      case MicroOperation.Copy c ->
          copy(
              s,
              code.place(s, lane, c.sources().getFirst().region()),
              code.place(s, lane, c.destinations().getFirst()),
              code.value(s, lane, c.bytes()) / 8);
      case MicroOperation.BulkCopy c ->
          copy(s, code.place(s, lane, c.from()), code.place(s, lane, c.to()), 2);
      case MicroOperation.LoadWord l ->
          code.set(s, lane, l.register(), value(s, code.place(s, lane, l.word())));
      case MicroOperation.StoreWord w ->
          put(s, code.place(s, lane, w.word()), code.value(s, lane, w.value()));
      case MicroOperation.WriteSlot w -> {
        Atomic change = w.change() == Change.SET ? Atomic.SET : Atomic.ADD;
        for (int word : code.slots(s, lane, w.slot())) {
          change(s, word, change, code.value(s, lane, w.value()), 0);
        }
      }
      case MicroOperation.ReadSlot r ->
          code.set(s, lane, r.register(), value(s, code.slots(s, lane, r.slot())[0]));
      case MicroOperation.Rmw m -> {
        long operand = code.value(s, lane, m.operand());
        long compare = code.value(s, lane, m.compare());
        int word = code.place(s, lane, m.word());
        code.set(s, lane, m.register(), change(s, word, m.change(), operand, compare));
      }
      case MicroOperation.Lock(var word, var scope) -> put(s, code.place(s, lane, word), 1);
      case MicroOperation.Post p -> request(s, lane, p);
      default -> {
        // It only waits.
      }
    }
  }

  private static void copy(PlainState s, int from, int to, long words) {
    long[] all = Arrays.copyOfRange(s.memory, from, from + (int) words);
    System.arraycopy(all, 0, s.memory, to, (int) words);
  }

  private void request(PlainState s, int lane, MicroOperation.Post p) {
    Request r = code.request(s, lane, p, 0, 0);
    switch (p.request()) {
      case MicroOperation.Request.Write w -> copy(s, r.local(), r.remote(), 1);
      case MicroOperation.Request.Read w -> copy(s, r.remote(), r.local(), 1);
      case MicroOperation.Request.WriteSlot w -> put(s, r.word(), r.operand());
      case MicroOperation.Request.AddSlot a -> change(s, r.word(), Atomic.ADD, r.operand(), 0);
      case MicroOperation.Request.WriteAndSignal w -> {
        copy(s, r.local(), r.remote(), 1);
        Atomic change = w.change() == Change.SET ? Atomic.SET : Atomic.ADD;
        change(s, r.word(), change, r.operand(), 0);
      }
      case MicroOperation.Request.ChangeWord c -> {
        long old = change(s, r.word(), c.change(), r.operand(), r.compare());
        if (r.local() >= 0) {
          s.memory[r.local()] = old;
        }
      }
      case MicroOperation.Request.Count c -> change(s, r.word(), Atomic.ADD, 1, 0);
      case MicroOperation.Request.Lock l -> {
        if (value(s, r.word()) == 0) {
          put(s, r.word(), 1);
        } else {
          int queue = code.queue(s, lane, p.peer(), p.queue());
          s.queues[queue] = new Queue(new Request[] {r}, 0, 0, 0, 0, 0, 0, 0, 0);
        }
      }
      default -> {
        // It only orders.
      }
    }
  }
}
