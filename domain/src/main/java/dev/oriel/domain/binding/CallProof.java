package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Kind;
import dev.oriel.domain.binding.LaneTrafficSink.Span;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Region;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Proves that one-sided calls stay inside their regions, slots and contexts, and that only members
 * meet. A failed lane executes none of them, but still notifies and meets.
 */
final class CallProof {
  /** The number of any element of a strided transfer; no program text can contain this name. */
  private static final String ELEMENT = "element$";

  private final RankProgram rank;
  private final IntFunction<RankProgram> ranks;
  private final OperationProof proofs;
  private final MoveCheck moves;
  private final LaneTrafficSink traffic;
  private final boolean failed;

  CallProof(
      RankProgram rank,
      IntFunction<RankProgram> ranks,
      OperationProof proofs,
      MoveCheck moves,
      LaneTrafficSink traffic,
      boolean failed) {
    this.rank = rank;
    this.ranks = ranks;
    this.proofs = proofs;
    this.moves = moves;
    this.traffic = traffic;
    this.failed = failed;
  }

  void check(Call call, Supplier<CheckedPlace> where) {
    switch (call) {
      case Call.Put p -> {
        transfer(p.to(), p.from(), p.extent(), where);
        p.notice().ifPresent(n -> notice(p, n));
        p.counter().ifPresent(this::word);
        context(p.context());
      }
      case Call.Get g -> {
        transfer(g.to(), g.from(), g.extent(), where);
        context(g.context());
      }
      case Call.Change c -> {
        proofs.values().of(c.operand());
        proofs.values().of(c.compare());
        word(c.word());
        c.result().ifPresent(result -> word(result.into()));
        context(c.context());
      }
      case Call.Fence(Expr context) -> context(context);
      case Call.MemoryFence f -> {}
      case Call.Bulk b -> bulk(b, where);
      case Call.AwaitBulk w -> {}
      case Call.OrderProxy f -> {}
      case Call.Quiet(Expr context) -> context(context);
      case Call.Wait w -> {
        proofs.values().of(w.value());
        word(w.word());
      }
      case Call.Read(var register, var slot, var order, var until) -> {
        until.ifPresent(u -> proofs.values().of(u.value()));
        if (!failed) {
          proofs.owners(slot.at());
          proofs.slot(slot, rank.rank());
        }
        proofs.values().put(register, proofs.prover().anyWord(1));
      }
      case Call.LoadStrong(var register, var word, var order, var until) -> {
        until.ifPresent(u -> proofs.values().of(u.value()));
        word(word);
        proofs.values().put(register, proofs.prover().anyWord(1));
      }
      case Call.StoreStrong s -> {
        proofs.values().of(s.value());
        word(s.word());
      }
      case Call.Lock(var word, var scope) -> word(word);
      case Call.Unlock(var word, var scope) -> word(word);
      case Call.Meet m -> meet(m, where);
    }
  }

  private void transfer(Region to, Region from, Call.Extent extent, Supplier<CheckedPlace> where) {
    if (failed) {
      return;
    }
    if (extent.stride().isEmpty()) {
      moves.check(move(to, from, extent.bytes()), where);
      return;
    }
    Call.Stride stride = extent.stride().get();
    InequalityProver prover = proofs.prover();
    proofs.owners(to.at());
    proofs.owners(from.at());
    LinearExpression count = proofs.values().of(stride.count());
    if (!prover.bounded(count)) {
      throw proofs.fail(
          stride.count(),
          "count without a bound",
          "count=" + FormPrinter.print(stride.count()),
          "bound it from 0 to a parameter or a loaded word's limit");
    }
    if (prover.high(count) == 0) {
      return;
    }
    int mark = proofs.values().mark();
    LinearExpression element = prover.unknown(0, prover.high(count) - 1, 1);
    prover.assumeBelow(element, count);
    proofs.values().put(ELEMENT, element);
    Expr number = Expr.name(ELEMENT);
    Region one = stride.element(to, stride.to(), number);
    moves.check(move(one, stride.element(from, stride.from(), number), extent.bytes()), where);
    proofs.values().forget(mark);
  }

  private void bulk(Call.Bulk b, Supplier<CheckedPlace> where) {
    if (failed) {
      return;
    }
    moves.check(move(b.to(), b.from(), b.bytes()), where);
    proofs.aligned(b.to(), Call.Bulk.UNIT, "bulk copy");
    proofs.aligned(b.from(), Call.Bulk.UNIT, "bulk copy");
    proofs.whole(b.bytes(), Call.Bulk.UNIT, "unit");
  }

  private static Op.Move move(Region to, Region from, Expr bytes) {
    return Op.Move.copy("", List.of(to), from, bytes);
  }

  private void notice(Call.Put put, Call.Notify n) {
    proofs.values().of(n.value());
    for (int peer : proofs.owners(put.to().at())) {
      Span span = proofs.slot(n.slot(put.to()), peer);
      traffic.sent(Kind.SIGNAL, n.signal(), rank.rank(), peer, span);
    }
  }

  private void word(Region word) {
    if (!failed) {
      proofs.word(word);
    }
  }

  /** A machine makes its queues before any lane runs, so a context is bounded without checks. */
  private void context(Expr context) {
    LinearExpression number = proofs.values().of(context);
    if (!proofs.prover().nonNegative(number) || !proofs.prover().below(number, Call.CONTEXTS)) {
      throw proofs.fail(
          context,
          "context out of range",
          "context=" + FormPrinter.print(context) + ", contexts=" + Call.CONTEXTS,
          "use 0 to " + (Call.CONTEXTS - 1) + ", for example modulo a constant");
    }
  }

  private void meet(Call.Meet m, Supplier<CheckedPlace> where) {
    if (!member(m.barrier(), rank)) {
      throw proofs.fail(
          m, "no member of the barrier's team", "barrier=" + m.barrier(), "guard it with if");
    }
    if (rank.program().world() > Program.FULLY_CHECKED_WORLD) {
      return;
    }
    Span slot = new Span(0, 0);
    for (int peer = 0; peer < rank.program().world(); peer++) {
      if (peer != rank.rank() && member(m.barrier(), ranks.apply(peer))) {
        traffic.sent(Kind.SIGNAL, m.barrier(), rank.rank(), peer, slot);
        traffic.awaited(Kind.SIGNAL, m.barrier(), peer, rank.rank(), slot, where);
      }
    }
  }

  private static boolean member(String barrier, RankProgram rank) {
    return rank.program()
        .form()
        .members(barrier)
        .map(team -> ExprEvaluator.holds(team.members(), rank::known))
        .orElse(true);
  }
}
