package dev.oriel.domain.binding;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.build.FormBuilder;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Small forms generated from a list of numbers; many but not all stay inside their buffers. */
final class SmallPrograms {
  private static final long[] NUMBERS = {0, 1, 8, 16, 2, 3, 24, 64, -1, 7, 40, 1L << 62};

  private static final List<Comparison> COMPARISONS = List.of(Comparison.values());
  private static final List<Operator> OPERATORS = List.of(Operator.values());
  private static final long[] DIVISORS = {1, 2, 3, 8, 16, 24, -8};

  private final List<Integer> tape;
  private final List<String> names = new ArrayList<>(List.of("g", "r", "n", "s", "w", "epoch"));
  private int at;
  private int fresh;
  private boolean meets;

  private SmallPrograms(List<Integer> tape) {
    this.tape = tape;
  }

  static Form form(List<Integer> tape) {
    SmallPrograms programs = new SmallPrograms(tape);
    FormBuilder form = FormBuilder.named("small");
    form.input("a", Expr.of(64));
    form.buffer(Space.WINDOW, "b", Expr.of(96));
    form.scratch("c", Expr.of(64).plus(Expr.name("r").times(16)));
    form.signal("D", Expr.of(3));
    form.team("even", Cond.of(Expr.rank().mod(Expr.of(2)), Comparison.EQ, Expr.of(0)));
    form.barrier("G", "even");
    List<LaneFamily.State> states =
        List.of(FormBuilder.state("s", Expr.of(8)), FormBuilder.state("w", Expr.of(1)));
    List<Op> body = programs.block(3);
    // A lane with indices cannot meet.
    boolean indexed = !programs.meets;
    List<LaneFamily.Index> index =
        indexed ? List.of(FormBuilder.index("g", Expr.of(2))) : List.of();
    if (!indexed) {
      form.let("g", Expr.of(1));
    }
    form.lane("l", index, FormBuilder.sm(32), states, b -> body.forEach(b::op));
    return form.build();
  }

  private List<Op> block(int depth) {
    int mark = names.size();
    List<Op> ops = new ArrayList<>();
    int count = 1 + next(depth + 1);
    for (int i = 0; i < count; i++) {
      ops.add(op(depth));
    }
    names.subList(mark, names.size()).clear();
    return ops;
  }

  private Op op(int depth) {
    return switch (next(depth == 0 ? 15 : 20)) {
      case 0, 1 -> move();
      case 2 -> new Op.Signal(slot(), Change.SET, expr(1), Order.RELEASE, Scope.SYS, Cover.LANE);
      case 3, 4, 5 -> {
        Expr value = expr(3);
        yield new Op.Let(named(), value);
      }
      case 6, 7 -> {
        Region word = new Region(pick("a", "b", "c"), Peers.SELF, offset(), plain());
        Optional<Op.Load.Bound> bound =
            next(4) == 3 ? Optional.empty() : Optional.of(new Op.Load.Bound(expr(1), 1));
        yield new Op.Load(named(), word, 1 << next(4), bound);
      }
      case 8 -> new Op.Store(Region.of(pick("b", "c"), offset()), 1 << next(4), expr(2));
      case 9 -> new Op.Check(cond(), 1);
      case 10 ->
          next(2) == 0
              ? new Op.Assign("s", Expr.name("s").plus(expr(1).times(8)))
              : new Op.Assign("w", expr(2));
      case 11, 12, 13, 14 -> call();
      case 15, 16 ->
          new Op.If(cond(), block(depth - 1), next(2) == 0 ? List.of() : block(depth - 1));
      case 17, 18 -> {
        Expr count = expr(1);
        String variable = named();
        yield new Op.For(variable, count, scoped(depth));
      }
      default -> {
        Peers peers = next(2) == 0 ? Peers.OTHERS : Peers.ALL;
        yield new Op.Each(named(), peers, scoped(depth));
      }
    };
  }

  /** A block whose variable was just declared. */
  private List<Op> scoped(int depth) {
    List<Op> ops = block(depth - 1);
    names.removeLast();
    return ops;
  }

  private Op move() {
    Region source = new Region(pick("a", "c"), Peers.SELF, offset(), plain());
    Region destination = new Region(pick("b", "c"), peers(), offset(), plain());
    if (next(4) == 3) {
      destination =
          destination.packets(next(2) == 0 ? PacketFormat.PKT8 : PacketFormat.PKT16, expr(0));
    }
    return Op.Move.copy("", List.of(destination), source, expr(2));
  }

  private Op call() {
    Region own = Region.of(pick("b", "c"), offset());
    Region far = Region.of(pick("b", "c"), offset()).at(one());
    return switch (next(10)) {
      case 0, 1 -> new Call.Put(far, own, extent(), Optional.empty(), context(), true);
      case 2 -> {
        Call.Notify notice = new Call.Notify("D", expr(2), Change.SET, expr(1));
        Call.Extent once = new Call.Extent(expr(2));
        Optional<Region> counter =
            next(2) == 0 ? Optional.empty() : Optional.of(Region.of("b", offset()));
        yield new Call.Put(far, own, once, Optional.of(notice), counter, context(), false);
      }
      case 3 -> new Call.Get(own, far, extent(), context(), false);
      case 4 -> {
        Optional<Call.Result> result =
            next(2) == 0 ? Optional.empty() : Optional.of(new Call.Result(own, true));
        yield new Call.Change(result, far, Atomic.CAS, expr(1), expr(1), context());
      }
      case 5 -> new Call.Wait(own, Comparison.EQ, expr(1), Order.ACQUIRE);
      case 6 -> {
        Slot slot = new Slot("D", expr(2), one());
        yield new Call.Read(named(), slot, Order.RELAXED);
      }
      case 7 -> new Call.LoadStrong(named(), own, Order.RELAXED);
      case 8 -> {
        Expr to = next(3) == 0 ? offset() : expr(1).times(16);
        Expr bytes = next(4) == 0 ? expr(1) : expr(1).times(16);
        yield new Call.Bulk(Region.of("c", to).at(one()), Region.of("b", offset()), bytes);
      }
      default -> {
        meets = true;
        Cond even = Cond.of(Expr.rank().mod(Expr.of(2)), Comparison.EQ, Expr.of(0));
        Op meet = new Call.Meet("G", true);
        yield next(4) == 3 ? meet : new Op.If(even, List.of(meet), List.of());
      }
    };
  }

  private Call.Extent extent() {
    return next(2) == 0
        ? new Call.Extent(expr(2))
        : new Call.Extent(expr(1), Optional.of(new Call.Stride(expr(1), offset(), offset())));
  }

  private Expr context() {
    return switch (next(4)) {
      case 0 -> expr(1);
      case 1 -> expr(2).mod(Expr.of(64));
      default -> Expr.of(next(70));
    };
  }

  private Peers one() {
    return next(3) == 0 ? Peers.SELF : Peers.one(expr(1).mod(Expr.name("n")));
  }

  private static Access plain() {
    return Access.WEAK;
  }

  private Slot slot() {
    return new Slot("D", expr(2), peers());
  }

  private Peers peers() {
    return switch (next(5)) {
      case 0, 1 -> Peers.SELF;
      case 2 -> Peers.OTHERS;
      case 3 -> Peers.one(expr(1).mod(Expr.name("n")));
      default -> Peers.one(expr(1));
    };
  }

  private Cond cond() {
    List<Cond.Term> terms = new ArrayList<>();
    do {
      terms.add(new Cond.Term(expr(1), COMPARISONS.get(next(COMPARISONS.size())), expr(1)));
    } while (next(4) == 3);
    return new Cond(terms);
  }

  private Expr offset() {
    return switch (next(4)) {
      case 0 -> expr(1);
      case 1 -> Expr.min(expr(2), Expr.of(8L * next(6)));
      case 2 -> expr(2).mod(Expr.of(8L * (1 + next(6))));
      default -> expr(1).times(8);
    };
  }

  private Expr expr(int depth) {
    if (depth == 0 || next(3) == 0) {
      return next(2) == 0
          ? Expr.of(NUMBERS[next(NUMBERS.length)])
          : Expr.name(names.get(names.size() - 1 - next(names.size())));
    }
    if (next(12) == 0) {
      return Expr.nz32(expr(depth - 1));
    }
    Operator operator =
        next(2) == 0
            ? List.of(Operator.MIN, Operator.ADD, Operator.MOD).get(next(3))
            : OPERATORS.get(next(OPERATORS.size()));
    Expr left = expr(depth - 1);
    boolean divides =
        operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
    return new Expr.Binary(
        operator,
        left,
        divides && next(6) > 0 ? Expr.of(DIVISORS[next(DIVISORS.length)]) : expr(depth - 1));
  }

  private String named() {
    String name = "x" + fresh++;
    names.add(name);
    return name;
  }

  private int next(int limit) {
    return at < tape.size() ? Math.floorMod(tape.get(at++), limit) : 0;
  }

  private String pick(String... choices) {
    return choices[next(choices.length)];
  }
}
