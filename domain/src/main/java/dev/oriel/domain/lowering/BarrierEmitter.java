package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Emits the meetings of barriers: each member writes its own row at every other member and awaits
 * every other member's row. The count continues across launches and wraps as {@code reached} does;
 * a member may be one meeting ahead of another, never two.
 */
final class BarrierEmitter {
  private final Form form;
  private final boolean rdma;
  private final StepEmitter out;
  private final List<LaneFamily.State> counters = new ArrayList<>();

  BarrierEmitter(Form form, boolean rdma, StepEmitter out) {
    this.form = form;
    this.rdma = rdma;
    this.out = out;
  }

  /** The counts of the barriers used so far, in the order of their first use. */
  List<LaneFamily.State> counters() {
    return counters;
  }

  /** {@code quiet} says that no access is in flight, which holds directly after a quiet. */
  void meet(String barrier, boolean quiet, String text) {
    LaneFamily.State counter = new LaneFamily.State("met$" + barrier, Expr.of(1));
    if (!counters.contains(counter)) {
      counters.add(counter);
    }
    Expr met = Expr.name(counter.name());
    if (rdma && !quiet) {
      out.handOver(text);
    } else {
      out.quiet(text);
    }
    out.emit(new MicroOperation.Set(counter.name(), met.plus(1)), text);
    eachMember(
        barrier,
        peer -> {
          Slot slot = new Slot(barrier, Expr.of(0), Peers.one(peer));
          out.route(
              rdma,
              slot.at(),
              to ->
                  out.emit(
                      new MicroOperation.Post(
                          to,
                          new MicroOperation.Request.WriteSlot(
                              slot, met, Order.RELEASE, Scope.SYS)),
                      text),
              () ->
                  out.emit(
                      new MicroOperation.WriteSlot(slot, Change.SET, met, Order.RELEASE, Scope.SYS),
                      text));
        });
    if (form.members(barrier).isEmpty()) {
      poll(barrier, Peers.OTHERS, met, text);
    } else {
      eachMember(barrier, peer -> poll(barrier, Peers.one(peer), met, text));
    }
    if (rdma) {
      out.emit(
          new MicroOperation.VisibilityFence(),
          text + ": bytes placed by the network interface become visible");
    }
    out.barrier(text + ": all threads wait for the polling threads");
  }

  private void poll(String barrier, Peers sources, Expr met, String text) {
    out.emit(
        new MicroOperation.PollSlot(
            new Slot(barrier, Expr.of(0), sources),
            Quantifier.EACH,
            Comparison.REACHED,
            met,
            Order.ACQUIRE,
            Scope.SYS),
        text);
  }

  private void eachMember(String barrier, Consumer<Expr> body) {
    out.forEach(
        Peers.OTHERS,
        PendingAccesses.NONE,
        peer ->
            form.members(barrier)
                .ifPresentOrElse(
                    team ->
                        out.branch(
                            seenFrom(peer, team.members()),
                            () -> body.accept(peer),
                            () -> {},
                            false),
                    () -> body.accept(peer)));
  }

  /** The condition with that rank in place of the executing one. */
  private static Cond seenFrom(Expr rank, Cond members) {
    return new Cond(
        members.terms().stream()
            .map(t ->
                new Cond.Term(seenFrom(rank, t.left()), t.comparison(), seenFrom(rank, t.right())))
            .toList());
  }

  private static Expr seenFrom(Expr rank, Expr expr) {
    return switch (expr) {
      case Expr.Const c -> c;
      case Expr.Name(String name) -> name.equals("r") ? rank : expr;
      case Expr.NonZero32(Expr counter) -> new Expr.NonZero32(seenFrom(rank, counter));
      case Expr.Binary(var operator, Expr left, Expr right) ->
          new Expr.Binary(operator, seenFrom(rank, left), seenFrom(rank, right));
    };
  }
}
