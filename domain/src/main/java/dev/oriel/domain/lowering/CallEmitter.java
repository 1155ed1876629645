package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Emits one-sided calls: loads, stores and atomic steps where memory is mapped, unordered requests
 * where it is not. A context is one of the lane's queues to each peer.
 */
final class CallEmitter {
  private static final Expr ZERO = Expr.of(0);

  /** The word of a lock that is held. */
  private static final Expr TAKEN = Expr.of(1);

  private final LaneFamily lane;
  private final boolean rdma;
  private final StepEmitter out;
  private final TransferEmitter transfers;
  private final BarrierEmitter meetings;

  CallEmitter(Form form, LaneFamily lane, boolean rdma, StepEmitter out) {
    this.lane = lane;
    this.rdma = rdma;
    this.out = out;
    this.transfers = new TransferEmitter(rdma, out);
    this.meetings = new BarrierEmitter(form, rdma, out);
  }

  List<LaneFamily.State> counters() {
    return meetings.counters();
  }

  void call(Call call, String text) {
    switch (call) {
      case Call.Put p -> transfers.put(p, text);
      case Call.Get g -> transfers.get(g, text);
      case Call.Change c -> change(c, text);
      case Call.Fence(Expr context) -> fence(context, text);
      case Call.MemoryFence(boolean strict, Scope scope) -> order(strict, scope, text);
      case Call.Bulk b -> bulk(b, text);
      case Call.AwaitBulk() -> {
        out.emit(new MicroOperation.AwaitBulk(), text);
        out.barrier(text + ": all threads wait until the bulk copies have completed");
      }
      case Call.OrderProxy(Proxy proxy) -> {
        out.quiet(text);
        out.emit(new MicroOperation.ProxyFence(proxy), text);
        out.barrier(text + ": every thread has executed its fence");
      }
      case Call.Quiet(Expr context) -> quiet(context, text);
      case Call.Wait w -> {
        out.emit(
            new MicroOperation.PollWord(w.word(), w.comparison(), w.value(), w.order(), Scope.SYS),
            text);
        observed(w.order(), text);
        out.barrier(text + ": all threads wait for the polling thread");
      }
      case Call.Read(var register, var slot, var order, var until) -> {
        out.emit(new MicroOperation.ReadSlot(register, slot, order, Scope.SYS, until), text);
        seen(order, text);
      }
      case Call.LoadStrong(var register, var word, var order, var until) -> {
        out.emit(rmw(register, word, Atomic.FETCH, ZERO, order).until(until), text);
        seen(order, text);
      }
      case Call.StoreStrong(var word, var value, var order) -> {
        if (order == Order.RELEASE && out.touched()) {
          out.barrier(text + ": orders the block's accesses before the release");
        }
        out.strong(rmw("", word, Atomic.SET, value, order), text);
      }
      case Call.Lock(Region word, Scope scope) -> lock(word, scope, text);
      case Call.Unlock(Region word, Scope scope) -> unlock(word, scope, text);
      case Call.Meet(var barrier, boolean quiet) -> {
        if (quiet) {
          complete(Call.DEFAULT, text);
        }
        meetings.meet(barrier, quiet, text);
      }
    }
  }

  private void bulk(Call.Bulk b, String text) {
    for (Region place : List.of(b.to(), b.from())) {
      if (rdma && place.at() instanceof Peers.One) {
        throw UnsupportedRdmaOperation.of(
            "bulk", lane, text, "it reaches memory that a link maps, put the rest");
      }
    }
    out.emit(new MicroOperation.BulkCopy(b.to(), b.from(), b.bytes()), text);
  }

  private void change(Call.Change c, String text) {
    Optional<Region> into = c.result().map(Call.Result::into);
    Expr compare = c.change() == Atomic.CAS ? c.compare() : ZERO;
    if (into.isPresent()) {
      out.ownWords(true, text);
    }
    out.route(
        rdma,
        c.word().at(),
        peer -> {
          if (into.isPresent()) {
            out.handOver(text);
          }
          MicroOperation.Request request =
              new MicroOperation.Request.ChangeWord(
                  into, c.word(), c.change(), c.operand(), compare);
          out.emit(new MicroOperation.Post(peer, c.context(), request, false, true), text);
          if (c.result().filter(Call.Result::blocking).isPresent()) {
            out.emit(
                new MicroOperation.AwaitQueue(peer, c.context()),
                text + ": the old word has arrived");
            out.emit(
                new MicroOperation.VisibilityFence(),
                text + ": bytes placed by the network interface become visible");
          }
        },
        () -> {
          String register = into.isPresent() ? out.register("old$") : "";
          MicroOperation change =
              new MicroOperation.Rmw(
                  register, c.word(), c.change(), c.operand(), compare, Order.RELAXED, Scope.SYS);
          if (into.isPresent()) {
            out.emit(change, text);
            out.store(
                new MicroOperation.StoreWord(into.get(), Long.BYTES, Expr.name(register)), text);
          } else {
            out.change(change, text);
          }
        });
    if (c.result().filter(Call.Result::blocking).isPresent()) {
      out.barrier(text + ": all threads wait for the result");
    }
  }

  private void fence(Expr context, String text) {
    out.settle(text);
    out.handOver(text);
    eachPeer(peer ->
        out.emit(
            new MicroOperation.Post(
                peer, context, new MicroOperation.Request.PlacementFence(), false, false),
            text));
  }

  private void order(boolean strict, Scope scope, String text) {
    out.quiet(text);
    out.emit(out.fence(scope, strict), text);
    if (rdma) {
      out.emit(
          new MicroOperation.VisibilityFence(),
          text + ": bytes placed by the network interface become visible");
    }
    out.barrier(text + ": every thread has executed its fence");
  }

  /**
   * Every call has ended for every thread; if requests are awaited, the threads meet at the end.
   */
  private void quiet(Expr context, String text) {
    if (!rdma) {
      out.settle(text);
    }
    complete(context, text);
  }

  private void complete(Expr context, String text) {
    out.handOver(text);
    eachPeer(peer ->
        out.emit(
            new MicroOperation.Post(
                peer, context, new MicroOperation.Request.ReadBack(), false, false),
            text + ": a read places the writes before it"));
    eachPeer(peer -> out.emit(new MicroOperation.AwaitQueue(peer, context), text));
    if (rdma) {
      out.emit(
          new MicroOperation.VisibilityFence(),
          text + ": bytes placed by the network interface become visible");
      out.barrier(text + ": all threads wait until every call has ended");
    }
  }

  private void lock(Region word, Scope scope, String text) {
    reaches(word, scope, text);
    out.route(
        rdma,
        word.at(),
        peer -> {
          out.emit(new MicroOperation.Post(peer, new MicroOperation.Request.Lock(word)), text);
          out.emit(new MicroOperation.AwaitQueue(peer), text + ": the lock is taken");
          out.emit(
              new MicroOperation.VisibilityFence(),
              text + ": bytes placed by the network interface become visible");
        },
        () -> out.emit(new MicroOperation.Lock(word, scope), text));
    out.barrier(text + ": all threads wait until the lock is taken");
  }

  private void unlock(Region word, Scope scope, String text) {
    reaches(word, scope, text);
    quiet(Call.DEFAULT, text);
    out.route(
        rdma,
        word.at(),
        peer ->
            out.emit(
                new MicroOperation.Post(
                    peer,
                    new MicroOperation.Request.ChangeWord(
                        Optional.empty(), word, Atomic.SET, ZERO, TAKEN)),
                text),
        () ->
            out.emit(
                new MicroOperation.Rmw("", word, Atomic.SET, ZERO, TAKEN, Order.RELEASE, scope),
                text));
  }

  /**
   * Refuses a narrower scope than system for a peer that is reached through a network interface.
   */
  private void reaches(Region word, Scope scope, String text) {
    if (rdma && word.at() instanceof Peers.One && scope != Scope.SYS) {
      throw UnsupportedRdmaOperation.of(
          "scope", lane, text, "leave %s out".formatted(scope.spelling()));
    }
  }

  /**
   * Completes a read that does not wait: with an acquire, all threads are ordered after the write
   * that it read.
   */
  private void seen(Order order, String text) {
    observed(order, text);
    if (order == Order.ACQUIRE) {
      out.barrier(text + ": all threads wait for the reading thread");
    }
  }

  private void observed(Order order, String text) {
    if (rdma && order == Order.ACQUIRE) {
      out.emit(
          new MicroOperation.VisibilityFence(),
          text + ": bytes placed by the network interface become visible");
    }
  }

  private void eachPeer(Consumer<Expr> request) {
    if (rdma) {
      out.forEach(
          Peers.OTHERS,
          PendingAccesses.NONE,
          peer -> out.onlyRdma(peer, () -> request.accept(peer)));
    }
  }

  private static MicroOperation.Rmw rmw(
      String register, Region word, Atomic change, Expr operand, Order order) {
    return new MicroOperation.Rmw(register, word, change, operand, ZERO, order, Scope.SYS);
  }
}
