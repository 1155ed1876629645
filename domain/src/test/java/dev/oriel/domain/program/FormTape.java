package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Builds a valid form from a list of numbers, so that shrinking the list shrinks the form. Every
 * operation, operand, space and engine occurs; sizes and indices are arbitrary, so few of these
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
  private int at;
  private int names;
  private int operations;

  private FormTape(List<Integer> tape) {
    this.tape = tape;
  }

  /** The form that the numbers stand for; no numbers stand for a small one. */
  public static Form form(List<Integer> tape) {
    return Validator.validate(new FormTape(tape).form());
  }

  /** The operand that the numbers stand for, over {@code r} and {@code n}. */
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
    List<Ensure> ensures = several(2, this::ensure);
    List<Lane> family = new ArrayList<>(List.of(lane()));
    family.addAll(several(2, this::lane));
    return new Form(
        pick(new String[] {"f", "all-gather-2", "x_1"}),
        params,
        definitions,
        buffers,
        signals,
        ensures,
        family);
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

  private Ensure ensure() {
    boolean each = next(2) == 1;
    Peers over = each ? peers() : Peers.SELF;
    int mark = visible.size();
    String variable = each ? running("v") : "";
    Buffer actual = buffers.get(next(4));
    Region mine = Region.of(actual.name(), expr(2, visible));
    Region theirs = Region.of(buffers.get(next(4)).name(), expr(2, visible)).at(one());
    Ensure ensure = new Ensure(variable, over, mine, theirs, expr(2, visible));
    forget(mark);
    return ensure;
  }

  private Lane lane() {
    int mark = visible.size();
    visible.add("epoch");
    List<Lane.Index> indices =
        several(
            2,
            () -> {
              Expr count = expr(2, bound);
              return new Lane.Index(running("i"), count);
            });
    List<Lane.State> words =
        several(
            2,
            () -> {
              Expr step = expr(1, bound);
              String state = running("w");
              states.add(state);
              return new Lane.State(state, step);
            });
    Lane.Engine engine =
        switch (next(4)) {
          case 0 -> new Lane.Engine.Sm(32 * (1 + next(32)));
          case 1 -> new Lane.Engine.Copy();
          case 2 -> new Lane.Engine.Host();
          default -> new Lane.Engine.Nic(next(9));
        };
    List<Op> body = block(4);
    forget(mark);
    states.clear();
    Lane lane = new Lane(fresh("l"), indices, engine, words, body);
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
    return switch (next(leaf ? 12 : 16)) {
      case 0 -> new Op.Sync();
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
      case 9 -> new Op.Store(Region.of(writable().name(), expr(2, visible)), expr(2, visible));
      case 10 -> new Op.Check(cond(), 1 + next(255));
      case 11 ->
          !tickets.isEmpty() && next(2) == 0
              ? new Op.AwaitTicket(tickets.get(next(tickets.size())))
              : lanes.isEmpty() ? new Op.Sync() : new Op.Join(lanes.get(next(lanes.size())));
      case 12, 13 ->
          new Op.If(cond(), block(depth - 1), next(2) == 0 ? List.of() : block(depth - 1));
      case 14 -> {
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

  private Op move() {
    List<Region> destinations = new ArrayList<>(List.of(destination()));
    destinations.addAll(several(1, this::destination));
    List<Region> sources = new ArrayList<>(List.of(source()));
    Combine combine = Combine.COPY;
    if (next(3) == 2) {
      sources.addAll(several(2, this::source));
      combine = reduction();
    }
    Expr bytes = expr(3, visible);
    String ticket = next(3) == 2 ? fresh("k") : "";
    if (!ticket.isEmpty()) {
      tickets.add(ticket);
    }
    return new Op.Move(ticket, destinations, combine, sources, bytes);
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
    List<Buffer> some = buffers.stream().filter(b -> b.space() != Space.INPUT).toList();
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
    return new Slot(signals.get(next(signals.size())).name(), expr(2, visible), peers());
  }

  private Op load() {
    Region word = Region.of(buffers.get(next(buffers.size())).name(), expr(2, visible));
    Expr max = expr(2, visible);
    return new Op.Load(running("x"), word, max, 1 + next(255));
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
}
