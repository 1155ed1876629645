package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;
import java.util.function.BiConsumer;

/** Emits puts and gets: copies where memory is mapped, unordered requests where it is not. */
final class TransferEmitter {
  private final boolean rdma;
  private final StepEmitter out;

  TransferEmitter(boolean rdma, StepEmitter out) {
    this.rdma = rdma;
    this.out = out;
  }

  void put(Call.Put p, String text) {
    Expr bytes = p.extent().bytes();
    out.ownWords(false, text);
    out.route(
        rdma,
        p.to().at(),
        peer -> {
          out.handOver(text);
          elements(
              p.to(),
              p.from(),
              p.extent(),
              PendingAccesses.NONE,
              (to, from) -> {
                MicroOperation.Request write = new MicroOperation.Request.Write(from, to, bytes);
                MicroOperation.Request request =
                    p.notice()
                        .<MicroOperation.Request>map(n ->
                            new MicroOperation.Request.WriteAndSignal(
                                from, to, bytes, n.slot(to), n.change(), n.value()))
                        .orElse(write);
                out.emit(new MicroOperation.Post(peer, p.context(), request, false, true), text);
              });
          p.counter()
              .ifPresent(word -> {
                MicroOperation.Request count = new MicroOperation.Request.Count(word);
                out.emit(new MicroOperation.Post(peer, p.context(), count, false, false), text);
              });
          if (p.blocking()) {
            out.emit(
                new MicroOperation.AwaitQueue(peer, p.context()),
                text + ": the source may be reused");
          }
        },
        () -> {
          copy(p.to(), p.from(), p.extent(), text);
          if (signalsCompletion(p)) {
            out.barrier(text + ": orders its bytes before the release");
          }
          p.notice()
              .ifPresent(n ->
                  out.emit(
                      new MicroOperation.WriteSlot(
                          n.slot(p.to()), n.change(), n.value(), Order.RELEASE, Scope.SYS),
                      text));
          p.counter().ifPresent(word -> out.emit(count(word), text));
        });
    if (p.blocking()) {
      ended(signalsCompletion(p) && !overRdma(p.to()), text);
    }
  }

  /** Whether a signal or counter reports the put's completion. */
  private static boolean signalsCompletion(Call.Put p) {
    return p.notice().isPresent() || p.counter().isPresent();
  }

  private static MicroOperation count(Region word) {
    return new MicroOperation.Rmw(
        "", word, Atomic.ADD, Expr.of(1), Expr.of(0), Order.RELEASE, Scope.SYS);
  }

  void get(Call.Get g, String text) {
    Expr bytes = g.extent().bytes();
    out.ownWords(true, text);
    out.route(
        rdma,
        g.from().at(),
        peer -> {
          out.handOver(text);
          elements(
              g.to(),
              g.from(),
              g.extent(),
              PendingAccesses.NONE,
              (to, from) -> {
                MicroOperation.Request read = new MicroOperation.Request.Read(to, from, bytes);
                out.emit(new MicroOperation.Post(peer, g.context(), read, false, true), text);
              });
          if (g.blocking()) {
            out.emit(
                new MicroOperation.AwaitQueue(peer, g.context()),
                text + ": the bytes have arrived");
            out.emit(
                new MicroOperation.VisibilityFence(),
                text + ": bytes placed by the network interface become visible");
          }
        },
        () -> copy(g.to(), g.from(), g.extent(), text));
    if (g.blocking()) {
      ended(false, text);
    }
  }

  private void copy(Region to, Region from, Call.Extent extent, String text) {
    elements(
        to,
        from,
        extent,
        PendingAccesses.NONE.moved(),
        (d, s) ->
            out.access(
                new MicroOperation.Copy(
                    List.of(d), Combine.COPY, SourceSeries.of(List.of(s)), extent.bytes()),
                text));
  }

  /**
   * Adds the barrier at the end of a blocking transfer. A copy whose barrier precedes its signal
   * has already ended, unless requests may be in flight.
   */
  private void ended(boolean already, String text) {
    if (!already) {
      out.barrier(text + ": all threads wait until the local end of the transfer may be reused");
    }
  }

  private boolean overRdma(Region remote) {
    return rdma && remote.at() instanceof Peers.One;
  }

  /** The transfer's elements one after another; {@code leaves} as in {@link StepEmitter#loop}. */
  private void elements(
      Region to,
      Region from,
      Call.Extent extent,
      PendingAccesses leaves,
      BiConsumer<Region, Region> element) {
    if (extent.stride().isEmpty()) {
      element.accept(to, from);
      return;
    }
    Call.Stride stride = extent.stride().get();
    String turn = out.register("element$");
    out.loop(
        turn,
        stride.count(),
        leaves,
        () ->
            element.accept(
                stride.element(to, stride.to(), Expr.name(turn)),
                stride.element(from, stride.from(), Expr.name(turn))));
  }
}
