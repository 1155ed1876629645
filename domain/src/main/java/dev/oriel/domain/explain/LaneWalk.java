package dev.oriel.domain.explain;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.explain.ExplainedOperation.AwaitedAction;
import dev.oriel.domain.explain.ExplainedOperation.SlotChange;
import dev.oriel.domain.explain.ExplainedOperation.WrittenBytes;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Follows one lane through its first launch. A word that only a running lane knows is taken as its
 * bound, so that the walk does as much as possible, or as 0 if it has no bound.
 */
final class LaneWalk {
  /** Enough for every lane that a person would read, and for a rail of 65,536 ranks. */
  static final int MAX_ACTS = 1 << 20;

  private final RankProgram rank;
  private final Map<String, Long> running = new HashMap<>();
  private final ValuePrinter values = new ValuePrinter(this::known);
  private final List<ExplainedOperation> acts = new ArrayList<>();

  private LaneWalk(RankProgram rank, LaneInstance lane) {
    this.rank = rank;
    running.putAll(lane.indices());
    running.put("epoch", 1L);
    lane.lane().states().forEach(s -> running.put(s.name(), 0L));
  }

  /** The acts of the lane in its first launch. */
  static List<ExplainedOperation> of(RankProgram rank, LaneInstance lane) {
    LaneWalk walk = new LaneWalk(rank, lane);
    walk.block(lane.lane().body());
    return List.copyOf(walk.acts);
  }

  private long known(String name) {
    Long value = running.get(name);
    return value == null ? rank.known(name) : value;
  }

  private long value(Expr expr) {
    return ExprEvaluator.value(expr, this::known);
  }

  private void block(List<Op> ops) {
    ops.forEach(this::op);
  }

  private void op(Op op) {
    switch (op) {
      case Op.If(var condition, var then, var otherwise) ->
          block(ExprEvaluator.holds(condition, this::known) ? then : otherwise);
      case Op.For(var variable, var count, var body) -> {
        long turns = value(count);
        for (long i = 0; i < turns; i++) {
          running.put(variable, i);
          block(body);
        }
      }
      case Op.Each(var variable, var peers, var body) ->
          ranks(peers)
              .forEach(peer -> {
                running.put(variable, (long) peer);
                block(body);
              });
      case Op.Leader(var body) -> block(body);
      case Op.Let(var register, var of) -> running.put(register, value(of));
      case Op.Assign(var state, var of) -> {
        act(op, new Op.Assign(state, values.of(of)));
        running.put(state, value(of));
      }
      case Op.Load l -> {
        long most = l.bound().map(b -> value(b.max())).orElse(0L);
        act(op, new Op.Load(l.register(), values.of(l.word()), l.width(), l.bound()));
        running.put(l.register(), most);
      }
      case Call.Read read -> unknown(op, read.register());
      case Call.LoadStrong load -> unknown(op, load.register());
      case Op.Move m -> move(m);
      case Op.Signal s -> {
        long index = value(s.slot().index());
        boolean adds = s.change() == Change.ADD;
        add(
            op,
            values.of(s),
            List.of(),
            ranks(s.slot().at())
                .mapToObj(
                    at -> new SlotChange(s.slot().signal(), index, at, value(s.value()), adds))
                .toList(),
            List.of());
      }
      case Op.Await a -> {
        long index = value(a.slot().index());
        boolean sum = a.quantifier() == Quantifier.SUM;
        add(
            op,
            values.of(a),
            List.of(),
            List.of(),
            ranks(a.slot().at())
                .<AwaitedAction>mapToObj(from ->
                    new AwaitedAction.Slot(
                        a.slot().signal(), index, from, a.comparison(), value(a.value()), sum))
                .toList());
      }
      case Op.Flush(var peers, var reach) -> act(op, new Op.Flush(values.of(peers), reach));
      case Call.Put p -> put(p);
      case Call.Get g -> act(op, values.of(g));
      case Call.Bulk b -> {
        long bytes = value(b.bytes());
        List<WrittenBytes> written =
            ranks(b.to().at()).mapToObj(at -> written(b.to(), at, bytes)).toList();
        add(op, values.of(b), written, List.of(), List.of());
      }
      default -> act(op, op);
    }
  }

  private void move(Op.Move m) {
    long bytes = value(m.bytes());
    List<WrittenBytes> written = new ArrayList<>();
    for (Region to : m.destinations()) {
      ranks(to.at()).forEach(at -> written.add(written(to, at, bytes)));
    }
    List<AwaitedAction> awaited = new ArrayList<>();
    for (SourceSeries s : m.sources()) {
      if (s.region().access() instanceof Access.Packets(var format, var flag)) {
        for (long i = 0; i < value(s.count()); i++) {
          running.put(s.variable(), i);
          long from = value(s.region().offset());
          awaited.add(
              new AwaitedAction.Packets(s.region().buffer(), from, from + format.image(bytes)));
        }
        running.remove(s.variable());
      }
    }
    add(m, values.of(m), written, List.of(), awaited);
  }

  private void put(Call.Put p) {
    long bytes = value(p.extent().bytes());
    List<WrittenBytes> written = new ArrayList<>();
    ranks(p.to().at())
        .forEach(at -> {
          WrittenBytes first = written(p.to(), at, bytes);
          long further =
              p.extent()
                  .stride()
                  .map(s -> Math.max(0, value(s.count()) - 1) * value(s.to()))
                  .orElse(0L);
          written.add(
              new WrittenBytes(at, first.buffer(), first.from(), first.to() + further, false));
        });
    List<SlotChange> changed =
        p.notice().stream()
            .flatMap(n ->
                ranks(p.to().at())
                    .mapToObj(at ->
                        new SlotChange(
                            n.signal(),
                            value(n.index()),
                            at,
                            value(n.value()),
                            n.change() == Change.ADD)))
            .toList();
    add(p, values.of(p), written, changed, List.of());
  }

  private WrittenBytes written(Region to, int at, long bytes) {
    long from = value(to.offset());
    boolean packets = to.access() instanceof Access.Packets;
    long image =
        to.access() instanceof Access.Packets(var format, var flag) ? format.image(bytes) : bytes;
    return new WrittenBytes(at, to.buffer(), from, from + image, packets);
  }

  private void unknown(Op op, String register) {
    act(op, op);
    running.put(register, 0L);
  }

  private void act(Op op, Op shown) {
    add(op, shown, List.of(), List.of(), List.of());
  }

  private void add(
      Op op,
      Op shown,
      List<WrittenBytes> written,
      List<SlotChange> changed,
      List<AwaitedAction> awaited) {
    if (acts.size() == MAX_ACTS) {
      throw new ProgramException(
          "lane too long to be followed: rank=%d, max=%d; use smaller parameters"
              .formatted(rank.rank(), MAX_ACTS));
    }
    acts.add(new ExplainedOperation(op, FormPrinter.head(shown), written, changed, awaited));
  }

  private IntStream ranks(Peers peers) {
    return switch (peers) {
      case Peers.Self() -> IntStream.of(rank.rank());
      case Peers.One(Expr one) -> IntStream.of((int) value(one));
      case Peers.All() -> IntStream.range(0, rank.program().world());
      case Peers.Others() ->
          IntStream.range(0, rank.program().world()).filter(peer -> peer != rank.rank());
    };
  }
}
