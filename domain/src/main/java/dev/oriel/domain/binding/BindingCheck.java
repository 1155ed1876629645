package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Kind;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Peers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Walks one lane of one rank with every unknown word left open, and proves every operand.
 *
 * <p>A lane with a check is walked twice. After a failed check a lane moves and awaits nothing but
 * still sends its signals. The second walk therefore ignores checks: the operands of signals, loops
 * and flushes must be correct without them.
 */
final class BindingCheck {
  /** Loops with at most this many turns are walked turn by turn, so that peers are known. */
  private static final int UNROLLED = 64;

  /** A state that is a sum of more unknowns is treated as an arbitrary word. */
  private static final int MAX_TERMS = 2;

  /**
   * The most turns walked one by one in a lane; after that, loops are walked once for all turns.
   */
  private static final int MAX_WALKED = 100_000;

  private final RankProgram rank;
  private final LaneInstance lane;
  private final LaneTrafficSink traffic;
  private final BindingBudget effort;
  private final BindingMistakes mistakes;
  private final boolean failed;
  private final OperationProof proofs;
  private final InequalityProver prover;
  private final SymbolicOperands values;
  private final MoveCheck moves;
  private final CallProof calls;
  private Optional<Op> current = Optional.empty();

  /** Whether the values of the lane's names are no longer known, after a mistake. */
  private boolean lost;

  private int walked;

  private BindingCheck(
      RankProgram rank,
      LaneInstance lane,
      IntFunction<RankProgram> ranks,
      LaneTrafficSink traffic,
      BindingBudget effort,
      BindingMistakes mistakes,
      boolean failed) {
    this.rank = rank;
    this.lane = lane;
    this.traffic = traffic;
    this.effort = effort;
    this.mistakes = mistakes;
    this.failed = failed;
    this.proofs = new OperationProof(rank, ranks, effort, this::where);
    this.prover = proofs.prover();
    this.values = proofs.values();
    this.moves = new MoveCheck(rank, proofs, traffic, effort);
    this.calls = new CallProof(rank, ranks, proofs, moves, traffic, failed);
  }

  /** Checks one rank; a mistake in it does not end the check of the other parts. */
  static void rank(
      RankProgram rank,
      IntFunction<RankProgram> ranks,
      LaneTrafficSink traffic,
      BindingBudget effort,
      BindingMistakes mistakes) {
    Form form = rank.program().form();
    boolean sized = mistakes.accepts(form, () -> sizes(rank));
    // Everything else is proved against the sizes.
    if (!sized) {
      return;
    }
    for (LaneInstance lane : rank.lanes()) {
      new BindingCheck(rank, lane, ranks, traffic, effort, mistakes, false).lane();
      if (checks(lane.lane().body())) {
        new BindingCheck(rank, lane, ranks, LaneTrafficSink.IGNORED, effort, mistakes, true).lane();
      }
    }
    form.ensures()
        .forEach(e -> mistakes.accepts(e, () -> EnsureCheck.check(rank, ranks, e, effort)));
  }

  private static void sizes(RankProgram rank) {
    Form form = rank.program().form();
    form.buffers().forEach(b -> rank.bytes(b.name()));
    form.signals().forEach(s -> rank.slots(s.name()));
    form.teams().forEach(t -> ExprEvaluator.holds(t.members(), rank::known));
  }

  private static boolean checks(List<Op> ops) {
    return ops.stream()
        .anyMatch(op ->
            switch (op) {
              case Op.Check c -> true;
              case Op.If branch -> checks(branch.then()) || checks(branch.otherwise());
              case Op.For loop -> checks(loop.body());
              case Op.Each each -> checks(each.body());
              default -> false;
            });
  }

  private void lane() {
    lane.indices().forEach((name, value) -> values.put(name, LinearExpression.of(value)));
    values.put("epoch", prover.anyWord(1));
    for (LaneFamily.State s : lane.lane().states()) {
      lost |= !mistakes.accepts(s, () -> state(s));
    }
    block(lane.lane().body());
  }

  private void state(LaneFamily.State s) {
    long step = rank.value(s.step());
    if (step <= 0 || Long.bitCount(step) != 1) {
      throw proofs.fail(
          s,
          "step is no power of two",
          "state=" + s.name() + ", step=" + step,
          "use one, so that the word stays a multiple of it when it wraps");
    }
    values.state(s.name(), step);
  }

  private void block(List<Op> ops) {
    for (Op op : ops) {
      if (lost) {
        return;
      }
      effort.spend();
      current = Optional.of(op);
      if (!mistakes.accepts(op, () -> op(op)) && determinesOthers(op)) {
        lost = true;
      }
    }
  }

  /** Whether the check of later operations depends on it, so that they are not checked without. */
  private static boolean determinesOthers(Op op) {
    return switch (op) {
      case Op.Move _, Op.Signal _, Op.Await _, Op.AwaitTicket _, Op.Flush _, Op.Store _ -> false;
      case Call.Read _, Call.LoadStrong _ -> true;
      case Call _ -> false;
      default -> true;
    };
  }

  private void op(Op op) {
    switch (op) {
      case Op.Move m -> {
        if (!failed) {
          moves.check(m, () -> where(m));
        }
      }
      case Op.Signal s -> {
        values.of(s.value());
        values.of(s.slot().index());
        for (int peer : proofs.owners(s.slot().at())) {
          traffic.sent(
              Kind.SIGNAL, s.slot().signal(), rank.rank(), peer, proofs.slot(s.slot(), peer));
        }
      }
      case Op.Await a -> {
        if (!failed) {
          await(a);
        }
      }
      case Op.AwaitTicket t -> {}
      case Op.Flush f -> proofs.owners(f.peers());
      case Op.Sync() -> {}
      case Op.Join j -> {}
      case Op.Load l -> load(l);
      case Op.Let(var register, var value) -> values.put(register, values.of(value));
      case Op.Assign a -> assign(a);
      case Op.Store(var word, int width, var value) -> {
        if (!failed) {
          values.of(value);
          proofs.word(word, width);
        }
      }
      case Op.Check(var condition, var code) -> {
        if (failed) {
          values.decide(condition);
        } else {
          values.assume(condition);
        }
      }
      case Op.If branch -> choose(branch);
      case Op.For loop -> loop(loop);
      case Op.Each each -> each(each);
      case Op.Leader leader -> block(leader.body());
      case Call c -> calls.check(c, () -> where(c));
    }
  }

  private void await(Op.Await a) {
    List<Integer> sources = proofs.owners(a.slot().at());
    LaneTrafficSink.Span span = proofs.slot(a.slot(), rank.rank());
    LinearExpression any = values.of(Expr.name("epoch"));
    // Launches count from 1, and no counter is taken to wrap.
    values.put("epoch", prover.unknown(1, SymbolicValue.FAR, 1));
    boolean atOnce = proofs.mayBe(a.comparison(), 0, values.of(a.value()));
    values.put("epoch", any);
    if (atOnce) {
      // Slots are 0 at first, so the wait may end although nothing is sent.
      return;
    }
    List<Integer> from = a.quantifier() == Quantifier.SUM ? List.of(LaneTrafficSink.ANY) : sources;
    for (int source : from) {
      traffic.awaited(Kind.SIGNAL, a.slot().signal(), source, rank.rank(), span, () -> where(a));
    }
  }

  /** A failed lane gets 0 without reading, and a word above the limit becomes 0. */
  private void load(Op.Load l) {
    if (!failed) {
      proofs.word(l.word(), l.width());
    }
    values.put(
        l.register(), l.bound().map(b -> bounded(b.max())).orElseGet(() -> unbounded(l.width())));
  }

  private LinearExpression bounded(Expr max) {
    LinearExpression limit = values.of(max);
    if (!failed && !prover.word(limit)) {
      throw proofs.fail(
          max, "limit may be negative", "limit=" + FormPrinter.print(max), "give 0 to 2^63 - 1");
    }
    LinearExpression loaded = prover.unknown(0, Math.max(0, prover.high(limit)), 1);
    if (!failed) {
      prover.assumeAtMost(loaded, limit);
    }
    return loaded;
  }

  /** Any value that fits the width. */
  private LinearExpression unbounded(int width) {
    return width == Long.BYTES
        ? prover.anyWord(1)
        : prover.unknown(0, (1L << (Byte.SIZE * width)) - 1, 1);
  }

  private void assign(Op.Assign a) {
    long step = values.step(a.state());
    LinearExpression value = values.of(a.value());
    if (!values.multiple(a.value(), step)) {
      throw proofs.fail(
          a.value(),
          "state leaves its step",
          "state=" + a.state() + ", step=" + step + ", value=" + FormPrinter.print(a.value()),
          "add multiples of the step only");
    }
    // An unknown from an overflow has no known factor, and long sums prove nothing.
    if (value.terms().size() <= MAX_TERMS && value.stride() % step == 0) {
      values.put(a.state(), value);
    } else {
      values.renew(a.state());
    }
  }

  private void choose(Op.If branch) {
    Cond condition = branch.condition();
    switch (values.decide(condition)) {
      case ALWAYS -> block(branch.then());
      case NEVER -> block(branch.otherwise());
      case OPEN -> {
        Map<String, LinearExpression> states = values.states();
        int mark = values.mark();
        values.assume(condition);
        possible(branch.then(), mark);
        values.forget(mark);
        states.forEach(values::put);
        mark = values.mark();
        values.assumeNot(condition);
        possible(branch.otherwise(), mark);
        values.forget(mark);
        states.forEach(values::put);
        values.renewAll(branch.then());
        values.renewAll(branch.otherwise());
      }
    }
  }

  /** Walks a block, unless its facts contradict each other. */
  private void possible(List<Op> body, int mark) {
    if (!values.contradicted(mark)) {
      block(body);
    }
  }

  private void loop(Op.For loop) {
    LinearExpression count = values.of(loop.count());
    if (count.isConstant()
        && count.constant() >= 0
        && count.constant() <= UNROLLED
        && walked < MAX_WALKED) {
      for (long i = 0; i < count.constant(); i++) {
        walked++;
        values.put(loop.variable(), LinearExpression.of(i));
        block(loop.body());
      }
      return;
    }
    if (!prover.bounded(count)) {
      throw proofs.fail(
          loop.count(),
          "loop without a bound",
          "variable=" + loop.variable() + ", count=" + FormPrinter.print(loop.count()),
          "bound the count from 0 to a parameter or a loaded word's limit; a failed check bounds"
              + " nothing");
    }
    if (prover.high(count) == 0) {
      return;
    }
    LinearExpression turn = prover.unknown(0, prover.high(count) - 1, 1);
    int mark = values.mark();
    prover.assumeBelow(turn, count);
    values.put(loop.variable(), turn);
    anyTurn(loop.body(), mark);
  }

  private void each(Op.Each each) {
    if (each.peers() instanceof Peers.One(Expr one)) {
      proofs.owners(each.peers());
      values.put(each.variable(), values.of(one));
      block(each.body());
      return;
    }
    // The order is open, so an earlier turn may have changed every state.
    values.renewAll(each.body());
    for (int peer : proofs.owners(each.peers())) {
      if (peer == LaneTrafficSink.ANY) {
        values.put(each.variable(), values.anyRank());
        anyTurn(each.body(), values.mark());
      } else {
        values.put(each.variable(), LinearExpression.of(peer));
        block(each.body());
        values.renewAll(each.body());
      }
    }
  }

  /** Walks the block once for all its turns; earlier turns may have changed every state. */
  private void anyTurn(List<Op> body, int mark) {
    values.renewAll(body);
    block(body);
    values.forget(mark);
    values.renewAll(body);
  }

  private CheckedPlace where() {
    return current
        .map(this::where)
        .orElseGet(() -> new CheckedPlace(place(), "operation=start", "", lane.lane()));
  }

  private CheckedPlace where(Op op) {
    return new CheckedPlace(
        place(), "operation=" + FormPrinter.head(op), failed ? "after=a failed check" : "", op);
  }

  private String place() {
    return "rank=" + rank.rank() + ", lane=" + lane.label();
  }
}
