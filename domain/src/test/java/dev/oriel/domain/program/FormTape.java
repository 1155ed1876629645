package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.ExpressionTape;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Builds a valid form from a list of numbers, so that shrinking the list shrinks the form. Every
 * operation, operand, space and engine occurs. Sizes and indices are arbitrary, so few of these
 * forms can be bound.
 */
public final class FormTape {
  private static final long[] WORDS = {
    0, 1, 2, -1, 7, 64, 4096, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -8
  };
  private static final long[] MAXIMA = {0, 1, 65_536, Long.MAX_VALUE};

  private final List<Integer> tape;
  private final List<String> bound = new ArrayList<>(List.of("n"));
  private final List<String> visible = new ArrayList<>(List.of("n", "r"));
  private final List<String> states = new ArrayList<>();
  private final List<String> tickets = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<SignalArray> signals = new ArrayList<>();
  private final List<String> lanes = new ArrayList<>();
  private final List<Form.Team> teams = new ArrayList<>();
  private boolean block;
  private final List<String> barriers = new ArrayList<>();
  private int at;
  private int names;
  private int operations;

  private FormTape(List<Integer> tape) {
    this.tape = tape;
  }

  /** The form that the numbers encode; an empty list encodes a small one. */
  public static Form form(List<Integer> tape) {
    return FormValidator.validate(new FormTape(tape).form());
  }

  /** The operand that the numbers encode, over {@code r} and {@code n}. */
  public static Expr operand(List<Integer> tape) {
    FormTape builder = new FormTape(tape);
    return builder.expr(5, builder.visible);
  }

  private Form form() {
    List<Form.Param> params =
        several(2, () -> new Form.Param(known("p"), MAXIMA[next(MAXIMA.length)]));
    List<Form.Definition> definitions = several(2, this::definition);
    for (Space space : Space.values()) {
      buffers.add(new Buffer(space, fresh("b"), expr(2, List.of("n", "r"))));
    }
    several(2, () -> buffers.add(new Buffer(pick(Space.values()), fresh("b"), expr(2, bound))));
    signals.add(new SignalArray(fresh("s"), expr(2, bound)));
    several(1, () -> signals.add(new SignalArray(fresh("s"), expr(2, bound))));
    several(2, () -> teams.add(new Form.Team(fresh("m"), team())));
    several(2, () -> signals.add(SignalArray.barrier(fresh("g"), teamName())));
    List<Ensure> ensures = several(2, this::ensure);
    List<LaneFamily> family = new ArrayList<>(List.of(lane()));
    family.addAll(several(2, this::lane));
    return new Form(
        pick(new String[] {"f", "all-gather-2", "x_1"}),
        params,
        definitions,
        several(2, () -> Cond.of(expr(2, bound), pick(Comparison.values()), expr(2, bound))),
        mapped(),
        signals,
        teams,
        ensures,
        family);
  }

  /** The buffers, one of which may be mapped twice. */
  private List<Buffer> mapped() {
    List<Buffer> all = new ArrayList<>(buffers);
    buffers.stream()
        .filter(b -> b.space() == Space.SCRATCH && next(2) == 0)
        .findFirst()
        .ifPresent(b -> all.add(b.alias(fresh("b"))));
    return all;
  }

  private Form.Definition definition() {
    boolean ranked = next(2) == 1;
    Expr value = expr(3, ranked ? visible : bound);
    String name = fresh("d");
    visible.add(name);
    if (!ranked) {
      bound.add(name);
    }
    return new Form.Definition(name, value);
  }

  private Cond team() {
    List<String> usable = new ArrayList<>(bound);
    usable.add("r");
    return Cond.of(expr(2, usable), pick(Comparison.values()), expr(2, usable));
  }

  private String teamName() {
    return teams.isEmpty() || next(2) == 0 ? "" : teams.get(next(teams.size())).name();
  }

  /** The buffers whose words a condition of a post-condition may read. */
  private Buffer[] kept() {
    return buffers.stream()
        .filter(b -> b.space().taken() || b.space() == Space.SCRATCH)
        .toArray(Buffer[]::new);
  }

  private Ensure ensure() {
    int mark = visible.size();
    List<EnsureBinder> given = several(3, this::given);
    Buffer actual = buffers.get(next(4));
    Region mine = Region.of(actual.name(), expr(2, visible));
    Combine combine = combine(2);
    List<SourceSeries> theirs = sources(combine, () -> expected(combine));
    Grouping grouping = grouping(combine);
    Optional<Ensure.When> when =
        next(4) == 0
            ? Optional.of(
                new Ensure.When(
                    Region.of(pick(kept()).name(), expr(2, visible)),
                    pick(Comparison.values()),
                    expr(2, visible)))
            : Optional.empty();
    Ensure ensure = new Ensure(given, when, mine, combine, grouping, theirs, expr(2, visible));
    forget(mark);
    return ensure;
  }

  private EnsureBinder given() {
    return switch (next(3)) {
      case 0 -> {
        Peers over = peers();
        yield new EnsureBinder.Rank(running("v"), over);
      }
      case 1 -> {
        Expr count = expr(2, bound);
        yield new EnsureBinder.Turn(running("t"), count);
      }
      default -> {
        Region word = Region.of(buffers.getFirst().name(), expr(2, visible)).at(one());
        int width = 1 << next(4);
        Expr most = expr(2, bound);
        yield new EnsureBinder.Word(running("w"), word, width, most);
      }
    };
  }

  private SourceSeries expected(Combine combine) {
    return series(
        combine, () -> Region.of(buffers.get(next(4)).name(), expr(2, visible)).at(one()));
  }

  /** One source, or a series if they are reduced. */
  private SourceSeries series(Combine combine, Supplier<Region> region) {
    if (!(combine instanceof Combine.Reduce) || next(2) == 0) {
      return SourceSeries.of(region.get());
    }
    Expr count = expr(2, bound);
    int mark = visible.size();
    String variable = running("m");
    SourceSeries series = new SourceSeries(variable, count, region.get());
    forget(mark);
    return series;
  }

  private Grouping grouping(Combine combine) {
    boolean steps = combine instanceof Combine.Reduce r && r.op() != ReduceOp.AVG;
    return steps && next(2) == 1 ? Grouping.STEPWISE : Grouping.AT_ONCE;
  }

  private LaneFamily lane() {
    int mark = visible.size();
    visible.add("epoch");
    List<LaneFamily.Index> indices =
        several(
            2,
            () -> {
              Expr count = expr(2, bound);
              return new LaneFamily.Index(running("i"), count);
            });
    List<LaneFamily.State> words =
        several(
            2,
            () -> {
              Expr step = expr(1, bound);
              String state = running("w");
              states.add(state);
              return new LaneFamily.State(state, step);
            });
    LaneFamily.Engine engine =
        switch (next(4)) {
          case 0 -> new LaneFamily.Engine.Sm(Math.max(1, 32 * next(33)), 1 + next(8));
          case 1 -> new LaneFamily.Engine.Copy();
          case 2 -> new LaneFamily.Engine.Host();
          default -> new LaneFamily.Engine.Nic(next(9));
        };
    block = engine instanceof LaneFamily.Engine.Sm;
    if (indices.isEmpty()) {
      // Each barrier is one lane's: the first lane without indices takes all of them.
      signals.stream()
          .filter(s -> s.use() instanceof SignalArray.Use.Barrier && lanes.isEmpty())
          .forEach(s -> barriers.add(s.name()));
    }
    List<Op> body = block(4);
    forget(mark);
    states.clear();
    barriers.clear();
    LaneFamily lane = new LaneFamily(fresh("l"), indices, engine, words, body);
    lanes.add(lane.name());
    return lane;
  }

  private List<Op> block(int depth) {
    int mark = visible.size();
    int opened = tickets.size();
    List<Op> ops = several(6, () -> op(depth));
    forget(mark);
    tickets.subList(opened, tickets.size()).clear();
    return ops;
  }

  private Op op(int depth) {
    operations++;
    boolean leaf = depth == 0 || operations > 200;
    return switch (next(leaf ? 16 : 20)) {
      case 0 -> block && next(2) == 1 ? leader() : new Op.Sync();
      case 1, 2 -> move();
      case 3 -> signal();
      case 4 -> await();
      case 5 -> new Op.Flush(peers(), pick(Op.Flush.Reach.values()));
      case 6 -> load();
      case 7 -> {
        Expr value = expr(3, visible);
        yield new Op.Let(running("x"), value);
      }
      case 8 ->
          states.isEmpty()
              ? new Op.Sync()
              : new Op.Assign(states.get(next(states.size())), expr(3, visible));
      case 9 ->
          new Op.Store(
              Region.of(writable().name(), expr(2, visible)), 1 << next(4), expr(2, visible));
      case 10 -> new Op.Check(cond(), 1 + next(255));
      case 11 ->
          !tickets.isEmpty() && next(2) == 0
              ? new Op.AwaitTicket(tickets.get(next(tickets.size())))
              : lanes.isEmpty() ? new Op.Sync() : new Op.Join(lanes.get(next(lanes.size())));
      case 12, 13, 14, 15 -> call();
      case 16, 17 ->
          new Op.If(cond(), block(depth - 1), next(2) == 0 ? List.of() : block(depth - 1));
      case 18 -> {
        Expr count = expr(2, visible);
        int mark = visible.size();
        String variable = running("t");
        List<Op> body = block(depth - 1);
        forget(mark);
        yield new Op.For(variable, count, body);
      }
      default -> {
        Peers peers = peers();
        int mark = visible.size();
        String variable = running("q");
        List<Op> body = block(depth - 1);
        forget(mark);
        yield new Op.Each(variable, peers, body);
      }
    };
  }

  /** What one thread does: it changes and awaits words, each of one rank. */
  private Op leader() {
    return new Op.Leader(
        several(
            3,
            () ->
                switch (next(3)) {
                  case 0 -> new Call.MemoryFence(next(2) == 1, pick(Scope.values()));
                  case 1 -> new Op.Store(own(true), 1 << next(4), expr(2, visible));
                  default ->
                      new Call.Wait(
                          own(false), pick(Comparison.values()), expr(2, visible), acquire());
                }));
  }

  private Op move() {
    List<Region> destinations = new ArrayList<>(List.of(destination()));
    destinations.addAll(several(1, this::destination));
    Combine combine = combine(3);
    List<SourceSeries> sources = sources(combine, () -> series(combine, this::source));
    if (combine instanceof Combine.Apply(HookForm h, HookOperands _) && h.scatters()) {
      destinations.replaceAll(d -> new Region(d.buffer(), d.at(), d.offset(), Access.WEAK));
    }
    Expr bytes = expr(3, visible);
    String ticket = next(3) == 2 ? fresh("k") : "";
    if (!ticket.isEmpty()) {
      tickets.add(ticket);
    }
    return new Op.Move(ticket, destinations, combine, sources, bytes);
  }

  private List<SourceSeries> sources(Combine combine, Supplier<SourceSeries> one) {
    List<SourceSeries> sources = new ArrayList<>();
    int least =
        combine instanceof Combine.Apply(HookForm h, HookOperands _) ? h.sources().size() : 1;
    for (int i = 0; i < least; i++) {
      sources.add(one.get());
    }
    if (combine instanceof Combine.Reduce) {
      sources.addAll(several(2, one));
    }
    return sources;
  }

  private Combine combine(int seldom) {
    if (next(seldom) < seldom - 1) {
      return Combine.COPY;
    }
    if (next(3) != 0) {
      return reduction();
    }
    HookForm hook = hook();
    Map<ContextField, Expr> operands = new TreeMap<>();
    hook.asked().forEach(field -> operands.put(field, expr(2, visible)));
    return new Combine.Apply(hook, new HookOperands(operands));
  }

  private HookForm hook() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = next(24); i > 0; i--) {
      numbers.add(next(9_999));
    }
    Hook hook = ExpressionTape.hook(numbers);
    List<HookForm.Source> sources =
        hook.sources().stream()
            .map(s ->
                new HookForm.Source(
                    s.type(), moved(MapForm.of(s.map()).with(number -> number(number)))))
            .toList();
    MapForm target = MapForm.of(hook.target());
    return new HookForm(fresh("h"), sources, hook.result(), target, hook.value());
  }

  /** An offset may depend on a field that a move sets. */
  private MapForm moved(MapForm map) {
    return map instanceof MapForm.Affine(Expr offset, Expr stride) && next(3) == 0
        ? new MapForm.Affine(offset.plus(Expr.name("tile")), stride)
        : map;
  }

  private Expr number(Expr number) {
    // A sum, since a literal must fit into the map.
    return next(2) == 0 ? number : expr(2, bound).plus(Expr.world());
  }

  private Combine reduction() {
    DataType type = pick(DataType.values());
    DataType in = pick(DataType.values());
    return new Combine.Reduce(
        pick(ReduceOp.values()), type, Reduction.fits(type, in) ? in : type.accumulator());
  }

  private Region destination() {
    Buffer buffer = writable();
    return packed(
        Region.of(buffer.name(), expr(3, visible))
            .at(buffer.space().remote() ? peers() : Peers.SELF));
  }

  private Region source() {
    Buffer buffer = buffers.get(next(buffers.size()));
    Region own = Region.of(buffer.name(), expr(3, visible));
    return buffer.space().remote() && next(2) == 1
        ? own.at(Peers.one(expr(2, visible)))
        : packed(own);
  }

  private Region packed(Region region) {
    return next(3) == 2 ? region.packets(pick(PacketFormat.values()), expr(2, visible)) : region;
  }

  private Buffer writable() {
    List<Buffer> some = buffers.stream().filter(b -> !b.space().readOnly()).toList();
    return some.get(next(some.size()));
  }

  private Op signal() {
    Cover cover =
        !tickets.isEmpty() && next(3) == 2
            ? new Cover.OneMove(tickets.get(next(tickets.size())))
            : Cover.LANE;
    return new Op.Signal(
        slot(),
        pick(Op.Signal.Change.values()),
        expr(3, visible),
        next(3) == 2 ? Order.RELAXED : Order.RELEASE,
        pick(Scope.values()),
        cover);
  }

  private Op await() {
    return new Op.Await(
        slot(),
        pick(Op.Await.Quantifier.values()),
        pick(Comparison.values()),
        expr(3, visible),
        next(3) == 2 ? Order.RELAXED : Order.ACQUIRE,
        pick(Scope.values()));
  }

  private Slot slot() {
    return new Slot(array(), expr(2, visible), peers());
  }

  private String array() {
    List<SignalArray> some =
        signals.stream().filter(s -> s.use() instanceof SignalArray.Use.Slots).toList();
    return some.get(next(some.size())).name();
  }

  private Op load() {
    Region word = Region.of(buffers.get(next(buffers.size())).name(), expr(2, visible));
    Optional<Op.Load.Bound> bound =
        next(4) == 3
            ? Optional.empty()
            : Optional.of(new Op.Load.Bound(expr(2, visible), 1 + next(255)));
    return new Op.Load(running("x"), word, 1 << next(4), bound);
  }

  private Op call() {
    return switch (next(14)) {
      case 0, 1 -> put();
      case 11 -> new Call.OrderProxy(pick(Proxy.values()));
      case 12 -> bulk();
      case 2 -> new Call.Get(own(true), far(false), extent(), context(), next(2) == 0);
      case 3, 4 -> change();
      case 5 -> new Call.Fence(context());
      case 6 -> new Call.Quiet(context());
      case 7 -> new Call.Wait(own(false), pick(Comparison.values()), expr(2, visible), acquire());
      case 8 -> {
        Slot slot = new Slot(array(), expr(2, visible), one());
        Optional<Call.Until> until = until();
        yield new Call.Read(running("x"), slot, acquire(), until);
      }
      case 9 -> {
        Region word = own(false);
        // Its operands name no register of its own.
        Optional<Call.Until> until = until();
        yield next(2) == 0
            ? new Call.LoadStrong(running("x"), word, acquire(), until)
            : new Call.StoreStrong(
                own(true), expr(2, visible), next(2) == 0 ? Order.RELAXED : Order.RELEASE);
      }
      case 10 ->
          next(2) == 0
              ? new Call.Lock(far(true), pick(Scope.values()))
              : new Call.Unlock(far(true), pick(Scope.values()));
      default ->
          barriers.isEmpty()
              ? new Op.Sync()
              : new Call.Meet(barriers.get(next(barriers.size())), next(2) == 0);
    };
  }

  private Op bulk() {
    if (!block) {
      return new Op.Sync();
    }
    return next(2) == 0
        ? new Call.AwaitBulk()
        : new Call.Bulk(far(true), far(false), expr(2, visible));
  }

  private Op put() {
    Region to = far(true);
    Region from = own(false);
    if (next(3) == 2) {
      Call.Notify notice =
          new Call.Notify(
              array(), expr(2, visible), pick(Op.Signal.Change.values()), expr(2, visible));
      Call.Extent once = new Call.Extent(expr(3, visible));
      return new Call.Put(to, from, once, Optional.of(notice), context(), next(2) == 0);
    }
    Call.Put put = new Call.Put(to, from, extent(), Optional.empty(), context(), next(2) == 0);
    return next(2) == 0 ? put : put.counter(own(true));
  }

  private Op change() {
    boolean fetches = next(2) == 0;
    Optional<Call.Result> result =
        fetches ? Optional.of(new Call.Result(own(true), next(2) == 0)) : Optional.empty();
    Atomic change = fetches ? pick(Atomic.values()) : next(2) == 0 ? Atomic.SET : Atomic.ADD;
    return new Call.Change(
        result, far(true), change, expr(2, visible), expr(2, visible), context());
  }

  private Call.Extent extent() {
    Expr bytes = expr(3, visible);
    return next(3) < 2
        ? new Call.Extent(bytes)
        : new Call.Extent(
            bytes,
            Optional.of(new Call.Stride(expr(2, visible), expr(2, visible), expr(2, visible))));
  }

  private Expr context() {
    return next(2) == 0 ? Call.DEFAULT : expr(1, visible);
  }

  private Order acquire() {
    return next(2) == 0 ? Order.ACQUIRE : Order.RELAXED;
  }

  /** A place in the rank's own memory that a network interface may access too. */
  private Region own(boolean written) {
    List<Buffer> some =
        buffers.stream()
            .filter(b -> b.space().remote() && !(written && b.space().readOnly()))
            .toList();
    return Region.of(some.get(next(some.size())).name(), expr(2, visible));
  }

  private Region far(boolean written) {
    return own(written).at(one());
  }

  private Cond cond() {
    List<Cond.Term> terms = new ArrayList<>(List.of(term()));
    terms.addAll(several(2, this::term));
    return new Cond(terms);
  }

  private Cond.Term term() {
    return new Cond.Term(expr(2, visible), pick(Comparison.values()), expr(2, visible));
  }

  private Peers peers() {
    return switch (next(4)) {
      case 0 -> Peers.OTHERS;
      case 1 -> Peers.SELF;
      case 2 -> Peers.ALL;
      default -> Peers.one(expr(2, visible));
    };
  }

  private Peers one() {
    return next(2) == 0 ? Peers.SELF : Peers.one(expr(2, visible));
  }

  private Expr expr(int depth, List<String> usable) {
    return switch (next(depth == 0 ? 3 : 7)) {
      case 0 -> Expr.of(next(100));
      case 1 -> Expr.name(usable.get(next(usable.size())));
      case 2 -> Expr.of(WORDS[next(WORDS.length)]);
      case 3 -> Expr.nz32(expr(depth - 1, usable));
      default ->
          new Expr.Binary(
              pick(Operator.values()), expr(depth - 1, usable), expr(depth - 1, usable));
    };
  }

  private String known(String prefix) {
    String name = fresh(prefix);
    bound.add(name);
    visible.add(name);
    return name;
  }

  private String running(String prefix) {
    String name = fresh(prefix);
    visible.add(name);
    return name;
  }

  private void forget(int mark) {
    visible.subList(mark, visible.size()).clear();
  }

  private String fresh(String prefix) {
    return prefix + names++;
  }

  private int next(int limit) {
    return at < tape.size() ? Math.floorMod(tape.get(at++), limit) : 0;
  }

  private <T> T pick(T[] choices) {
    return choices[next(choices.length)];
  }

  private <T> List<T> several(int most, Supplier<T> part) {
    List<T> parts = new ArrayList<>();
    int count = next(most + 1);
    for (int i = 0; i < count; i++) {
      parts.add(part.get());
    }
    return parts;
  }

  private Optional<Call.Until> until() {
    return next(3) == 0
        ? Optional.of(
            new Call.Until(pick(Comparison.values()), expr(2, visible), 1 + next(5_000_000) * 500L))
        : Optional.empty();
  }
}
