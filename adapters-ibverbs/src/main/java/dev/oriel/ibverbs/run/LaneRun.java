package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.CombineEvaluator;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.LaneNames;
import dev.oriel.ibverbs.post.PostOperation;
import dev.oriel.ibverbs.post.PostResolver;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * The interpreter of one lane of a rank: its position, its registers, and the execution of its next
 * step. It never blocks: a step that cannot be executed yet is retried.
 *
 * <p>Order: lanes of a rank run on one thread. A barrier inside a lane and a fence between lanes
 * therefore need no action. Bytes that an interface placed are read after the word that announces
 * them.
 */
final class LaneRun {
  private final int index;
  private final LaneInstance instance;
  private final LoweredLane code;
  private final LaneNames names;
  private final PostResolver posting;
  private final LaneWords words;
  private final RankRun rank;

  /** The last request of this lane on each queue, over all launches. */
  private final Map<SendQueue, Long> last = new HashMap<>();

  private int at;

  /**
   * The number of posted requests of the current step, whose operands keep their values meanwhile.
   */
  private int posted;

  private int failure;
  private boolean ended = true;

  /** When the read of the current step began to wait for its condition; empty if it has not. */
  private OptionalLong since = OptionalLong.empty();

  LaneRun(int index, LaneInstance instance, LoweredLane code, RankRun rank) {
    this.index = index;
    this.instance = instance;
    this.code = code;
    this.rank = rank;
    this.names = new LaneNames(rank.program(), instance);
    this.posting = new PostResolver(names);
    this.words = new LaneWords(index, names, posting, rank, word -> own(word, Long.BYTES));
    for (LaneFamily.State state : code.persistent()) {
      names.set(state.name(), 0);
    }
  }

  void launch(long epoch) {
    at = 0;
    posted = 0;
    failure = 0;
    since = OptionalLong.empty();
    words.forget();
    ended = false;
    names.set("epoch", epoch);
  }

  boolean ended() {
    return ended;
  }

  int failure() {
    return failure;
  }

  String lane() {
    return instance.lane().name();
  }

  /** The step in which the lane waits, and the values that it sees there. */
  String waiting() {
    String text = names.where() + ": " + StepPrinter.print(micro());
    return switch (micro()) {
      case MicroOperation.PollSlot p ->
          text
              + ", sees "
              + members(p.slot().at()).stream()
                  .map(s -> "rank " + s + ": " + seen(p.slot(), s))
                  .toList();
      case MicroOperation.PollWord p -> text + ", sees " + words.seen(p.word());
      default -> text;
    };
  }

  private MicroOperation micro() {
    return code.steps().get(at).micro();
  }

  /** Executes up to so many steps; returns whether it executed any. */
  boolean advance(int most) {
    int taken = 0;
    while (taken < most && !ended && ready()) {
      if (words.asking()) {
        // An answer that is still missing is no progress: a lane that waits for a lock lets others
        // run.
        if (!words.ask(micro())) {
          break;
        }
        at++;
      } else {
        take();
      }
      taken++;
    }
    return taken > 0;
  }

  private boolean ready() {
    if (words.asking()) {
      return words.ready();
    }
    return switch (micro()) {
      case MicroOperation.PollSlot p -> failure != 0 || satisfied(p);
      case MicroOperation.Copy c ->
          failure != 0 || sources(c, this::arrived).stream().allMatch(a -> a);
      case MicroOperation.AwaitLane(var name) -> rank.ended(name);
      case MicroOperation.Post p -> queue(p.peer(), p.queue()).room(1);
      case MicroOperation.AwaitQueue(var peer, var queue) -> complete(queue(peer, queue));
      case MicroOperation.PollWord p -> failure != 0 || words.satisfied(p);
      case MicroOperation.ReadSlot r ->
          failure != 0
              || r.until().isEmpty()
              || returns(seen(r.slot(), members(r.slot().at()).getFirst()), r.until().get());
      case MicroOperation.Rmw r when r.until().isPresent() ->
          failure != 0 || returns(words.seen(r.word()), r.until().get());
      case MicroOperation.Lock l -> failure != 0 || words.ready(l);
      default -> true;
    };
  }

  /** Whether the read's condition holds, or the time of its wait is over. */
  private boolean returns(long seen, Call.Until until) {
    long now = rank.nanos();
    since = OptionalLong.of(since.orElse(now));
    return until.comparison().test(seen, names.value(until.value()))
        || now - since.getAsLong() >= until.nanoseconds();
  }

  private boolean complete(SendQueue queue) {
    Long mine = last.get(queue);
    if (mine == null || queue.ended(mine)) {
      return true;
    }
    queue.report();
    return false;
  }

  private void take() {
    int next = at + 1;
    switch (micro()) {
      case MicroOperation.Label _,
          MicroOperation.Bar _,
          MicroOperation.Fence _,
          MicroOperation.VisibilityFence _ -> {}
      case MicroOperation.PollSlot _, MicroOperation.AwaitLane _, MicroOperation.AwaitQueue _ -> {}
      case MicroOperation.Jump(int label) -> next = code.position(label);
      case MicroOperation.Unless(var condition, int label) ->
          next = names.holds(condition) ? next : code.position(label);
      case MicroOperation.UnlessKind u ->
          next = names.reaches(u, failure != 0) ? next : code.position(u.label());
      case MicroOperation.Set(var register, var value) -> names.set(register, names.value(value));
      case MicroOperation.Copy c -> copy(c);
      case MicroOperation.WriteSlot w -> writeSlot(w);
      case MicroOperation.LoadWord l -> load(l);
      case MicroOperation.StoreWord(var word, int width, var value) -> store(word, width, value);
      case MicroOperation.Check(var condition, int code) -> {
        if (failure == 0 && !names.holds(condition)) {
          failure = code;
        }
      }
      case MicroOperation.Post p -> next = post(p) ? next : at;
      case MicroOperation.PollWord _ -> {}
      case MicroOperation.ReadSlot(var register, var slot, _, _, _) -> {
        since = OptionalLong.empty();
        names.set(register, failure != 0 ? 0 : seen(slot, members(slot.at()).getFirst()));
      }
      case MicroOperation.Rmw r -> {
        since = OptionalLong.empty();
        next = change(r) ? next : at;
      }
      case MicroOperation.Lock l -> next = failure != 0 || words.lock(l) ? next : at;
      case MicroOperation.ProxyStep p ->
          throw new MachineException("not run over RDMA: operation=" + StepPrinter.print(p));
      case MicroOperation.End() -> ended = true;
    }
    at = ended ? at : next;
  }

  private int self() {
    return names.rank().rank();
  }

  private SendQueue queue(Expr peer, Expr context) {
    return rank.queue(names.peer(peer), index, names.value(context));
  }

  /**
   * Whether all requests of the post were posted. A long move takes several requests, each of which
   * needs room, perhaps more than the queue ever has at once.
   */
  private boolean post(MicroOperation.Post p) {
    SendQueue queue = queue(p.peer(), p.queue());
    if (failure == 0 && p.request() instanceof MicroOperation.Request.Count(var word)) {
      rank.counts().after(queue, last.getOrDefault(queue, 0L), own(word, Long.BYTES));
      return true;
    }
    if (failure == 0 && words.asks(p, queue)) {
      return false;
    }
    return post(queue, posting.operations(p, failure != 0));
  }

  private boolean post(SendQueue queue, List<PostOperation> operations) {
    List<PostOperation> pieces = operations.stream().flatMap(o -> rank.pieces(o).stream()).toList();
    while (posted < pieces.size() && queue.room(1)) {
      last.put(queue, rank.post(queue, pieces.get(posted)));
      posted++;
    }
    if (posted < pieces.size()) {
      return false;
    }
    posted = 0;
    return true;
  }

  /** Whether the own word was changed; if not, the change was handed to the interface. */
  private boolean change(MicroOperation.Rmw r) {
    if (failure != 0) {
      names.set(r.register(), 0);
      return true;
    }
    return words.change(r);
  }

  private List<Integer> members(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> List.of(self());
      case Peers.One(Expr one) -> List.of(names.peer(one));
      case Peers.All() -> IntStream.range(0, rank.world()).boxed().toList();
      case Peers.Others() ->
          IntStream.range(0, rank.world()).filter(r -> r != self()).boxed().toList();
    };
  }

  private boolean satisfied(MicroOperation.PollSlot p) {
    long expected = names.value(p.value());
    List<Integer> sources = members(p.slot().at());
    if (p.quantifier() == Quantifier.SUM) {
      long sum = sources.stream().mapToLong(s -> seen(p.slot(), s)).sum();
      return p.comparison().test(sum, expected);
    }
    return sources.stream().allMatch(s -> p.comparison().test(seen(p.slot(), s), expected));
  }

  private long seen(Slot slot, int source) {
    return rank.memory().getAcquire(rank.slot(source, slot.signal(), names.value(slot.index())));
  }

  /**
   * Applies {@code look} to every source in order, with the number of bytes used from it, while the
   * source's variable has its value.
   */
  private <T> List<T> sources(MicroOperation.Copy c, BiFunction<Region, Integer, T> look) {
    Combine combine = bound(c);
    long bytes = names.value(c.bytes());
    List<T> found = new ArrayList<>();
    for (SourceSeries s : c.sources()) {
      long count = names.value(s.count());
      for (long i = 0; i < count; i++) {
        if (!s.single()) {
          names.set(s.variable(), i);
        }
        int taken = Math.toIntExact(CombineEvaluator.taken(combine, found.size(), bytes));
        found.add(look.apply(s.region(), taken));
      }
    }
    return found;
  }

  private boolean arrived(Region source, int bytes) {
    if (!(source.access() instanceof Access.Packets(var format, Expr flag))) {
      return true;
    }
    long from = own(source, format.image(bytes));
    return PacketUnits.arrived(format, rank.memory(), from, bytes, names.value(flag));
  }

  private void copy(MicroOperation.Copy c) {
    if (failure != 0) {
      return;
    }
    int bytes = Math.toIntExact(names.value(c.bytes()));
    byte[] data = CombineEvaluator.bytes(bound(c), sources(c, this::taken), bytes);
    for (Region d : c.destinations()) {
      if (d.access() instanceof Access.Packets(var format, Expr flag)) {
        byte[] image = PacketUnits.pack(format, data, names.value(flag));
        rank.memory().write(own(d, image.length), image);
        continue;
      }
      for (BoundHook.Run run : CombineEvaluator.runs(bound(c), bytes)) {
        long first = own(d, run.to() + (long) run.length()) + run.to();
        rank.memory().write(first, Arrays.copyOfRange(data, run.from(), run.from() + run.length()));
      }
    }
  }

  private Combine bound(MicroOperation.Copy c) {
    return rank.program().bound(c.combine(), name -> names.value(Expr.name(name)));
  }

  private byte[] taken(Region source, int bytes) {
    return source.access() instanceof Access.Packets(var format, var _)
        ? PacketUnits.unpack(rank.memory(), own(source, format.image(bytes)), bytes)
        : rank.memory().read(own(source, bytes), bytes);
  }

  /**
   * The place of bytes of this rank's own buffer; loads and stores reach no other rank's memory.
   */
  private long own(Region region, long bytes) {
    List<Integer> owners = members(region.at());
    if (!owners.equals(List.of(self()))) {
      throw new MachineException(
          "memory of a peer is not mapped: %s, buffer=%s, ranks=%s; lower the program for RDMA"
              .formatted(names.where(), region.buffer(), owners));
    }
    return rank.place(region.buffer(), names.value(region.offset()), bytes);
  }

  private void writeSlot(MicroOperation.WriteSlot w) {
    long place = rank.slot(self(), w.slot().signal(), names.value(w.slot().index()));
    if (!members(w.slot().at()).equals(List.of(self()))) {
      throw new MachineException(
          "slot of a peer is not mapped: %s, signal=%s; lower the program for RDMA"
              .formatted(names.where(), w.slot().signal()));
    }
    long before = w.change() == Change.SET ? 0 : rank.memory().getAcquire(place);
    rank.memory().setRelease(place, before + names.value(w.value()));
  }

  private void load(MicroOperation.LoadWord l) {
    if (failure != 0) {
      names.set(l.register(), 0);
      return;
    }
    byte[] bytes =
        rank.memory()
            .read(
                rank.place(l.word().buffer(), names.value(l.word().offset()), l.width()),
                l.width());
    long word = 0;
    for (int i = l.width() - 1; i >= 0; i--) {
      word = word << Byte.SIZE | Byte.toUnsignedLong(bytes[i]);
    }
    if (Long.compareUnsigned(word, names.value(l.max())) > 0) {
      failure = l.code();
      word = 0;
    }
    names.set(l.register(), word);
  }

  private void store(Region word, int width, Expr value) {
    if (failure != 0) {
      return;
    }
    byte[] bytes = new byte[width];
    long rest = names.value(value);
    for (int i = 0; i < width; i++) {
      bytes[i] = (byte) rest;
      rest >>>= Byte.SIZE;
    }
    rank.memory().write(rank.place(word.buffer(), names.value(word.offset()), width), bytes);
  }
}
