package dev.oriel.domain.mscclpp;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.mscclpp.LaneStep.Awaited;
import dev.oriel.domain.mscclpp.LaneStep.Moved;
import dev.oriel.domain.mscclpp.LaneStep.Ordered;
import dev.oriel.domain.mscclpp.LaneStep.Placed;
import dev.oriel.domain.mscclpp.LaneStep.Signalled;
import dev.oriel.domain.mscclpp.LaneStep.SlotOfPair;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Executes a lane with the launch's number as an unknown. So the steps are those of every launch;
 * an operation whose effect depends on the launch otherwise is refused.
 */
final class LaneUnrolling {
  /** Operations that are executed at most; a block holds far fewer. */
  private static final int MOST = 100_000;

  private final RankProgram rank;
  private final LaneInstance lane;
  private final MistakeList mistakes;
  private final Map<String, LaunchValue> names = new TreeMap<>();
  private final List<LaneStep> steps = new ArrayList<>();
  private int executed;

  private LaneUnrolling(RankProgram rank, LaneInstance lane, MistakeList mistakes) {
    this.rank = rank;
    this.lane = lane;
    this.mistakes = mistakes;
    lane.indices().forEach((name, value) -> names.put(name, LaunchValue.of(value)));
    names.put("epoch", LaunchValue.LAUNCH);
  }

  /** The steps of a lane; refused operations are added to the mistakes. */
  static List<LaneStep> of(RankProgram rank, LaneInstance lane, MistakeList mistakes) {
    LaneUnrolling every = new LaneUnrolling(rank, lane, mistakes);
    Map<String, Long> growth = growth(rank, lane);
    // A state word that grows by the same in each launch begins launch e with e - 1 times that.
    growth.forEach((state, each) -> every.names.put(state, new LaunchValue(each, -each, -each)));
    every.attempt();
    growth.forEach((state, each) -> {
      if (!new LaunchValue(each, 0, 0).equals(every.names.get(state))) {
        mistakes.add(
            Mistake.of(
                lane.lane(),
                "state that does not grow alike in all launches",
                "rank=%d, lane=%s, state=%s".formatted(rank.rank(), lane.label(), state),
                "add the same to it in each launch"));
      }
    });
    return every.steps;
  }

  /** What the first launch adds to each state word. */
  private static Map<String, Long> growth(RankProgram rank, LaneInstance lane) {
    Map<String, Long> growth = new TreeMap<>();
    LaneUnrolling first = new LaneUnrolling(rank, lane, new MistakeList(Mistake::parts));
    for (LaneFamily.State state : lane.lane().states()) {
      first.names.put(state.name(), LaunchValue.of(0));
    }
    if (!lane.lane().states().isEmpty()) {
      first.attempt();
    }
    for (LaneFamily.State state : lane.lane().states()) {
      growth.put(state.name(), Objects.requireNonNull(first.names.get(state.name())).even());
    }
    return growth;
  }

  private void attempt() {
    mistakes.attempt(() -> execute(lane.lane().body()));
  }

  private void execute(List<Op> ops) {
    for (Op op : ops) {
      if (++executed > MOST) {
        throw refused(op, "lane too long", "max=" + MOST, "use smaller loops");
      }
      // Later operations may be refused for reasons of their own.
      boolean block = op instanceof Op.If || op instanceof Op.For || op instanceof Op.Each;
      boolean names = op instanceof Op.Let || op instanceof Op.Assign || op instanceof Op.Load;
      if (block || names) {
        execute(op);
      } else {
        mistakes.attempt(() -> execute(op));
      }
    }
  }

  private void execute(Op op) {
    switch (op) {
      case Op.Move move -> move(move);
      case Op.Signal signal -> signal(signal);
      case Op.Await await -> await(await);
      case Op.Sync _, Op.Flush _, Op.AwaitTicket _ -> steps.add(new Ordered(op));
      case Op.Let(String register, Expr value) -> names.put(register, value(value, op));
      case Op.Assign(String state, Expr value) -> names.put(state, value(value, op));
      case Op.Check(Cond condition, int _) -> {
        if (!holds(condition, op)) {
          throw refused(op, "check that fails", "", "leave it out");
        }
      }
      case Op.If(Cond condition, List<Op> then, List<Op> otherwise) ->
          execute(holds(condition, op) ? then : otherwise);
      case Op.For(String variable, Expr count, List<Op> body) -> {
        long turns = constant(count, op);
        for (long turn = 0; turn < turns; turn++) {
          names.put(variable, LaunchValue.of(turn));
          execute(body);
        }
      }
      case Op.Each(String variable, Peers peers, List<Op> body) -> {
        for (int peer : ranks(peers, op)) {
          names.put(variable, LaunchValue.of(peer));
          execute(body);
        }
      }
      case Op.Join _ ->
          throw refused(op, "join of lanes", "", "let lanes of one rank not wait for each other");
      case Op.Load _ -> throw refused(op, "load of a word", "", "let no operation depend on data");
      case Op.Store _ -> throw refused(op, "store of a word", "", "move the bytes from a buffer");
      case Op.Leader _ ->
          throw refused(op, "one thread of a block", "", "let all threads of a block act");
      default -> throw refused(op, "one-sided call", "", "use moves, signals and awaits");
    }
  }

  private void move(Op.Move move) {
    long bytes = constant(move.bytes(), move);
    if (move.combine() instanceof Combine.Apply) {
      throw refused(move, "hook", "", "execution plans copy and add only");
    }
    List<Placed> to = new ArrayList<>();
    for (Region region : move.destinations()) {
      to.addAll(placed(region, move));
    }
    List<Placed> from = new ArrayList<>();
    for (SourceSeries series : move.sources()) {
      long count = constant(series.count(), move);
      for (long k = 0; k < count; k++) {
        if (!series.single()) {
          names.put(series.variable(), LaunchValue.of(k));
        }
        from.addAll(placed(series.region(), move));
      }
    }
    boolean packets =
        to.stream().anyMatch(p -> !p.plain()) || from.stream().anyMatch(p -> !p.plain());
    if (bytes == 0 && packets) {
      throw refused(
          move,
          "packet without data",
          "bytes=0",
          "choose a size for which every lane has bytes; execution plans send no empty packets");
    }
    if (bytes > 0) {
      steps.add(new Moved(move, to, move.combine(), from, bytes));
    }
  }

  private List<Placed> placed(Region region, Op op) {
    LaunchValue offset = value(region.offset(), op);
    if (offset.slope() != 0 || offset.flag()) {
      throw refused(
          op,
          "place that moves on with each launch",
          "offset=" + FormPrinter.print(region.offset()),
          "let it be the same in all launches, or differ between even and odd ones");
    }
    Optional<PacketFormat> format = Optional.empty();
    if (region.access() instanceof Access.Packets(PacketFormat of, Expr flag)) {
      if (!value(flag, op).countsLaunches()) {
        throw refused(
            op,
            "packets with another flag than the launch's",
            "flag=" + FormPrinter.print(flag),
            "use the flag nz32(epoch)");
      }
      format = Optional.of(of);
    }
    List<Placed> placed = new ArrayList<>();
    for (int peer : ranks(region.at(), op)) {
      placed.add(new Placed(peer, rank.program().form().base(region.buffer()), offset, format));
    }
    return placed;
  }

  private void signal(Op.Signal signal) {
    if (signal.order() != Order.RELEASE || signal.scope() != Scope.SYS) {
      throw refused(signal, "signal that is not of order release and scope sys", "", "use both");
    }
    for (int peer : ranks(signal.slot().at(), signal)) {
      other(peer, signal);
      steps.add(
          new Signalled(
              signal,
              new SlotOfPair(
                  rank.rank(), peer, signal.slot().signal(), index(signal.slot(), signal)),
              value(signal.value(), signal),
              signal.change() == Op.Signal.Change.ADD));
    }
  }

  private void await(Op.Await await) {
    if (await.order() != Order.ACQUIRE || await.scope() != Scope.SYS) {
      throw refused(await, "await that is not of order acquire and scope sys", "", "use both");
    }
    boolean least = await.comparison() == Comparison.REACHED || await.comparison() == Comparison.GE;
    if (!least || await.quantifier() != Op.Await.Quantifier.EACH) {
      throw refused(
          await,
          "condition that is no number of signals",
          "",
          "await that each slot has reached a value");
    }
    for (int peer : ranks(await.slot().at(), await)) {
      other(peer, await);
      steps.add(
          new Awaited(
              await,
              new SlotOfPair(peer, rank.rank(), await.slot().signal(), index(await.slot(), await)),
              value(await.value(), await)));
    }
  }

  private void other(int peer, Op op) {
    if (peer == rank.rank()) {
      throw refused(
          op, "signal to the own rank", "", "execution plans have channels to peers only");
    }
  }

  private long index(Slot slot, Op op) {
    return constant(slot.index(), op);
  }

  private List<Integer> ranks(Peers peers, Op op) {
    int world = rank.program().world();
    return switch (peers) {
      case Peers.Self() -> List.of(rank.rank());
      case Peers.One(Expr one) -> List.of((int) constant(one, op));
      case Peers.Others() ->
          IntStream.range(0, world).filter(peer -> peer != rank.rank()).boxed().toList();
      case Peers.All() -> IntStream.range(0, world).boxed().toList();
    };
  }

  private boolean holds(Cond condition, Op op) {
    boolean all = true;
    for (Cond.Term term : condition.terms()) {
      all &= term.comparison().test(constant(term.left(), op), constant(term.right(), op));
    }
    return all;
  }

  private long constant(Expr expr, Op op) {
    LaunchValue value = value(expr, op);
    if (!value.constant()) {
      throw refused(
          op,
          "operation that depends on the number of the launch",
          "operand=" + FormPrinter.print(expr),
          "let it be the same in all launches");
    }
    return value.even();
  }

  private LaunchValue value(Expr expr, Op op) {
    return switch (expr) {
      case Expr.Const(long value) -> LaunchValue.of(value);
      case Expr.Name(String name) -> {
        LaunchValue known = names.get(name);
        yield known == null ? LaunchValue.of(rank.known(name)) : known;
      }
      case Expr.NonZero32(Expr counter) -> value(counter, op).nonZero();
      case Expr.Binary(var operator, Expr left, Expr right) ->
          LaunchValue.apply(operator, value(left, op), value(right, op))
              .orElseThrow(() ->
                  refused(
                      op,
                      "number that an execution plan cannot compute in each launch",
                      "operand=" + FormPrinter.print(expr),
                      "let it grow by the same in each launch, or differ between even and odd ones"));
    };
  }

  private ProgramException refused(Op op, String what, String facts, String remedy) {
    return new ProgramException(mistake(rank.rank(), lane.label(), op, what, facts, remedy));
  }

  /** A mistake in an operation, with its text. */
  static Mistake mistake(int rank, String lane, Op op, String what, String facts, String remedy) {
    return Mistake.of(
        op,
        what,
        "rank=%d, lane=%s, operation=%s%s"
            .formatted(rank, lane, FormPrinter.head(op), facts.isEmpty() ? "" : ", " + facts),
        remedy);
  }
}
