package dev.oriel.it.readback;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.window.Comparison;
import dev.oriel.it.readback.Event.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Walks the steps of one lane instance from barrier to barrier and determines the actions of each,
 * in numbers. It also acts for other agents: it puts awaited words, and packets, where the kernel
 * finds them after an unsuccessful poll.
 */
final class StepWalk {
  /** The largest number of steps of a launch: beyond it a loop never ends. */
  private static final int MAX_STEPS = 1_000_000;

  private final RankProgram rank;
  private final RankProgram.LaneInstance instance;
  private final LoweredLane code;
  private final Layout layout;
  private final Memory model;
  private final Memory real;
  private final IntPredicate remote;
  private final QueueWalk requests;
  private final CopyWalk copies;
  private final Map<String, Long> registers = new HashMap<>();
  private final int threads;
  private int at;
  private final BitSet visited;
  private int walked;
  private boolean over;
  private boolean failed;

  /**
   * Whether the block's bulk-copy unit copies. Rule <i>unit</i>: every thread fences for the unit
   * at the start, so the unit, too, is ordered after the launch, and waits for it at the end.
   */
  private final boolean bulk;

  /** The number of barriers in the text for a word that one thread reads for all. */
  private int spread;

  private List<Wanted> wanted = new ArrayList<>();

  /**
   * @param model memory as the steps leave it
   * @param real memory as the kernel leaves it
   * @param remote whether a peer is reached over the network
   * @param requests the requests to the queues of those peers
   * @param visited receives the numbers of the executed steps
   */
  StepWalk(
      RankProgram rank,
      RankProgram.LaneInstance instance,
      LoweredLane code,
      Layout layout,
      Memory model,
      Memory real,
      IntPredicate remote,
      QueueWalk requests,
      BitSet visited) {
    this.rank = rank;
    this.instance = instance;
    this.code = code;
    this.layout = layout;
    this.model = model;
    this.real = real;
    this.remote = remote;
    this.requests = requests;
    this.visited = visited;
    requests.walk(this);
    this.copies = new CopyWalk(this, rank, model, real);
    this.threads = ((LaneFamily.Engine.Sm) instance.lane().engine()).threads();
    this.bulk = code.steps().stream().anyMatch(s -> s.micro() instanceof MicroOperation.BulkCopy);
    registers.putAll(instance.indices());
    set("epoch", 1);
    code.persistent().forEach(state -> set(state.name(), 0));
  }

  /** The next launch, which finds the states of this one. */
  StepWalk next() {
    StepWalk next =
        new StepWalk(rank, instance, code, layout, model, real, remote, requests, visited);
    next.set("epoch", get("epoch") + 1);
    code.persistent().forEach(state -> next.set(state.name(), get(state.name())));
    return next;
  }

  void set(String register, long value) {
    registers.put(register, value);
  }

  void forget(String register) {
    registers.remove(register);
  }

  long get(String register) {
    return registers.getOrDefault(register, 0L);
  }

  /** Whether the lane ends in the last returned interval. */
  boolean ended() {
    return over;
  }

  /** The expected actions up to the next barrier, or up to the end. */
  List<Wanted> interval() {
    wanted = new ArrayList<>();
    if (bulk && walked == 0) {
      fence(threads, "proxy", "async");
    }
    if (spread > 0) {
      spread--;
      return wanted;
    }
    while (!(code.steps().get(at).micro() instanceof MicroOperation.End)) {
      if (++walked > MAX_STEPS) {
        throw new IllegalStateException("steps do not end: lane=" + instance.label());
      }
      MicroOperation micro = code.steps().get(at).micro();
      visited.set(at);
      int jump = step(micro);
      at = jump < 0 ? at + 1 : code.position(jump);
      if (micro instanceof MicroOperation.Bar || spread > 0) {
        skipTwin(micro);
        return wanted;
      }
    }
    over = true;
    if (bulk) {
      fence(threads, "bulk", "written");
    }
    if (failed) {
      long status = layout.other(rank.rank(), Layout.Other.STATUS);
      leader(Kind.SWAP, "relaxed", "gpu", status, 8, before -> true, false);
    }
    return wanted;
  }

  /**
   * Rule <i>twice</i>: one of two adjacent barriers is enough, since there is nothing between them.
   */
  private void skipTwin(MicroOperation micro) {
    if (micro instanceof MicroOperation.Bar
        && code.steps().get(at).micro() instanceof MicroOperation.Bar) {
      at++;
    }
  }

  void want(Wanted more) {
    wanted.add(more);
  }

  Layout layout() {
    return layout;
  }

  /** The next step. */
  String where() {
    return text();
  }

  private String text() {
    return at + " `" + StepPrinter.print(code.steps().get(at).micro()) + "`";
  }

  /** The label to continue at, or a negative number for the next step. */
  private int step(MicroOperation micro) {
    if (failed && moves(micro)) {
      spread = micro instanceof MicroOperation.WordStep w && readsForAll(w) ? 1 : 0;
      return -1;
    }
    switch (micro) {
      case MicroOperation.Label _, MicroOperation.Bar _, MicroOperation.End _ -> {}
      case MicroOperation.VisibilityFence() -> {
        // Rule "consist": a wait acquires, and data acquired from shared memory is visible.
      }
      case MicroOperation.Jump(int label) -> {
        return label;
      }
      case MicroOperation.Unless(var condition, int label) -> {
        return ExprEvaluator.holds(condition, this::name) ? -1 : label;
      }
      case MicroOperation.UnlessKind(var peer, var kind, int label) -> {
        return remote.test((int) value(peer)) ? -1 : label;
      }
      case MicroOperation.Set(var register, var value) -> registers.put(register, value(value));
      case MicroOperation.Check(var condition, _) -> {
        failed |= !ExprEvaluator.holds(condition, this::name);
      }
      case MicroOperation.Fence(var scope, boolean strict, boolean alone) ->
          fence(alone ? 1 : threads, strict ? "sc" : "acq_rel", scope.spelling());
      case MicroOperation.Copy c -> wanted.add(copies.copy(text(), c));
      case MicroOperation.WriteSlot w -> signal(w);
      case MicroOperation.PollSlot p -> poll(p);
      case MicroOperation.LoadWord l -> load(l);
      case MicroOperation.StoreWord(var word, int width, var value) -> {
        long kept = width == Long.BYTES ? value(value) : value(value) & ((1L << (8 * width)) - 1);
        long address = place(word, rank.rank());
        model.store(address, width, kept);
        leader(Kind.STORE, "weak", "", address, width, v -> v == kept, false);
      }
      case MicroOperation.AwaitLane(var other) -> join(other);
      case MicroOperation.WordStep w -> word(w);
      case MicroOperation.Post p -> requests.post(text(), p);
      case MicroOperation.AwaitQueue(var peer, var queue) ->
          requests.await(text(), (int) value(peer));
      case MicroOperation.BulkCopy(var to, var from, var bytes) -> {
        long target = place(to, ranks(to.at()).getFirst());
        long source = place(from, ranks(from.at()).getFirst());
        model.copy(target, source, value(bytes));
        wanted.add(new Bulk(text(), target, source, value(bytes)));
      }
      case MicroOperation.AwaitBulk() -> fence(1, "bulk", "written");
      case MicroOperation.ProxyFence(var proxy) ->
          fence(threads, "proxy", proxy == Proxy.BULK ? "async" : "alias");
    }
    return -1;
  }

  /** Rule <i>failed</i>: a lane whose check failed does none of these; it still signals. */
  private static boolean moves(MicroOperation micro) {
    return micro instanceof MicroOperation.Copy
        || micro instanceof MicroOperation.LoadWord
        || micro instanceof MicroOperation.StoreWord
        || micro instanceof MicroOperation.PollSlot
        || micro instanceof MicroOperation.WordStep
        || micro instanceof MicroOperation.AwaitLane
        || micro instanceof MicroOperation.BulkCopy
        || (micro instanceof MicroOperation.Post p && QueueWalk.moves(p.request()));
  }

  private boolean readsForAll(MicroOperation.WordStep w) {
    String register =
        switch (w) {
          case MicroOperation.ReadSlot r -> r.register();
          case MicroOperation.Rmw r -> r.register();
          default -> "";
        };
    registers.putIfAbsent(register, 0L);
    return !register.isEmpty();
  }

  private void fence(int who, String order, String scope) {
    wanted.add(new Wanted.Every(text(), who, Kind.FENCE, order, scope, 0, 0));
  }

  private void leader(
      Kind kind,
      String order,
      String scope,
      long address,
      int bytes,
      LongPredicate value,
      boolean again) {
    wanted.add(new Wanted.Leader(text(), kind, order, scope, address, bytes, value, again));
  }

  private void signal(MicroOperation.WriteSlot w) {
    long value = value(w.value());
    Map<Long, Long> words = new LinkedHashMap<>();
    for (int peer : ranks(w.slot().at())) {
      long address = layout.slot(peer, rank.rank(), w.slot().signal(), value(w.slot().index()));
      words.put(address, value);
      model.store(address, 8, w.change() == Change.SET ? value : model.load(address, 8) + value);
    }
    wanted.add(
        new Wanted.Signal(
            text(),
            w.change() == Change.SET ? Kind.STORE : Kind.ADD,
            w.order() == Order.RELEASE,
            w.scope().spelling(),
            alone(),
            words));
  }

  /** Whether a barrier, or the lane's start, comes before the step, and one after its waits. */
  private boolean alone() {
    int next = at + 1;
    while (code.steps().get(next).micro() instanceof MicroOperation.PollSlot) {
      next++;
    }
    return (at == 0 || code.steps().get(at - 1).micro() instanceof MicroOperation.Bar)
        && code.steps().get(next).micro() instanceof MicroOperation.Bar;
  }

  private void poll(MicroOperation.PollSlot p) {
    long value = value(p.value());
    long last = 0;
    Map<Long, Long> words = new LinkedHashMap<>();
    for (int source : ranks(p.slot().at())) {
      long word = layout.slot(rank.rank(), source, p.slot().signal(), value(p.slot().index()));
      words.put(word, p.quantifier() == Quantifier.SUM ? 0L : there(p.comparison(), value));
      last = word;
    }
    if (!words.isEmpty()) {
      words.put(last, there(p.comparison(), value));
    }
    words.forEach((word, seen) ->
        late(
            word,
            seen,
            seen == 0 && p.quantifier() == Quantifier.SUM ? 0 : absent(p.comparison(), value)));
    wanted.add(
        new Wanted.Poll(
            text(),
            p.order().spelling(),
            p.scope().spelling(),
            p.quantifier() == Quantifier.SUM,
            seen -> p.comparison().test(seen, value),
            words.keySet()));
  }

  /** The word has its value on the second poll. */
  private void late(long word, long there, long before) {
    model.store(word, 8, there);
    real.arrives(word, before, 1);
    real.arrives(word, there);
  }

  private static long there(Comparison comparison, long value) {
    return pick(comparison, value, true);
  }

  private static long absent(Comparison comparison, long value) {
    return pick(comparison, value, false);
  }

  private static long pick(Comparison comparison, long value, boolean holds) {
    for (long word : new long[] {value, value - 1, value + 1}) {
      if (comparison.test(word, value) == holds) {
        return word;
      }
    }
    // There is no wait for a comparison that every value satisfies.
    return value;
  }

  /** A word above its bound gets another value, which no step depends on. */
  private void load(MicroOperation.LoadWord l) {
    long address = place(l.word(), rank.rank());
    long max = value(l.max());
    long word = model.load(address, l.width());
    if (Long.compareUnsigned(word, max) > 0) {
      word = Long.remainderUnsigned(word >>> 3, max + 1);
      model.store(address, l.width(), word);
      real.store(address, l.width(), word);
    }
    registers.put(l.register(), word);
    wanted.add(new Wanted.Every(text(), threads, Kind.LOAD, "weak", "", address, l.width()));
  }

  private void join(String other) {
    long epoch = get("epoch");
    List<RankProgram.LaneInstance> all = rank.lanes();
    Map<Long, Long> lines = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).lane().name().equals(other)) {
        long line = layout.other(rank.rank(), Layout.Other.LINES) + (long) Layout.LINE * i;
        late(line, epoch, epoch - 1);
        lines.put(line, epoch);
      }
    }
    wanted.add(
        new Wanted.Poll(
            text(), "acquire", "gpu", false, seen -> seen - epoch >= 0, lines.keySet()));
  }

  private void word(MicroOperation.WordStep w) {
    switch (w) {
      case MicroOperation.ReadSlot(var register, var slot, var order, var scope, var _) -> {
        int source = ranks(slot.at()).getFirst();
        long word = layout.slot(rank.rank(), source, slot.signal(), value(slot.index()));
        registers.put(register, model.load(word, 8));
        leader(Kind.LOAD, order.spelling(), scope.spelling(), word, 8, v -> true, false);
        spread = 1;
      }
      case MicroOperation.Rmw r ->
          ranks(r.word().at()).forEach(peer -> change(r, place(r.word(), peer)));
      case MicroOperation.PollWord(var word, var comparison, var value, var order, var scope) -> {
        long wanted = value(value);
        long address = place(word, rank.rank());
        late(address, there(comparison, wanted), absent(comparison, wanted));
        LongPredicate enough = v -> comparison.test(v, wanted);
        leader(Kind.LOAD, order.spelling(), scope.spelling(), address, 8, enough, true);
      }
      case MicroOperation.Lock(var word, var scope) -> {
        long address = place(word, ranks(word.at()).getFirst());
        model.store(address, 8, 1);
        real.arrives(address, 1, 1);
        real.arrives(address, 0);
        leader(Kind.SWAP, "acquire", scope.spelling(), address, 8, v -> v == 0, true);
      }
    }
  }

  /** Rule <i>spread</i>: a word that one thread reads for all goes through two more barriers. */
  private void change(MicroOperation.Rmw r, long address) {
    long operand = value(r.operand());
    long old = model.load(address, 8);
    model.store(address, 8, r.change().apply(old, operand, value(r.compare())));
    boolean unused = r.register().isEmpty();
    Kind kind =
        switch (r.change()) {
          case FETCH -> Kind.LOAD;
          case SET -> unused ? Kind.STORE : Kind.EXCHANGE;
          case ADD -> unused ? Kind.ADD : Kind.FETCH_ADD;
          case CAS -> Kind.SWAP;
        };
    LongPredicate value =
        r.change() == Atomic.FETCH || r.change() == Atomic.CAS ? v -> v == old : v -> v == operand;
    leader(kind, r.order().spelling(), r.scope().spelling(), address, 8, value, false);
    if (!unused) {
      registers.put(r.register(), old);
      spread = 1;
    }
  }

  List<Integer> ranks(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> List.of(rank.rank());
      case Peers.One(Expr one) -> List.of((int) value(one));
      case Peers.All() -> IntStream.range(0, rank.program().world()).boxed().toList();
      case Peers.Others() ->
          IntStream.range(0, rank.program().world()).filter(p -> p != rank.rank()).boxed().toList();
    };
  }

  long place(Region region, int owner) {
    return layout.buffer(owner, region.buffer()) + value(region.offset());
  }

  long value(Expr expr) {
    return ExprEvaluator.value(expr, this::name);
  }

  long name(String name) {
    Long register = registers.get(name);
    return register != null ? register : rank.known(name);
  }
}
