package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Generates signals by one thread, and awaits by one thread for each peer with a barrier after
 * them.
 */
final class SlotCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final AddressCode addresses;
  private final BoundedWaitCode waits;
  private final WorkSharingCode threads;

  /**
   * The register with the address of each thread's peer's slot, if the lane begins with a signal.
   */
  private Optional<String> foreseen = Optional.empty();

  SlotCode(
      PtxBuilder ptx,
      ExprCode exprs,
      AddressCode addresses,
      BoundedWaitCode waits,
      WorkSharingCode threads) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.addresses = addresses;
    this.waits = waits;
    this.threads = threads;
  }

  /**
   * Thread 0 writes every slot: a lane's signals keep their order without a barrier between them.
   * One fence releases for all peers of a set.
   */
  void write(MicroOperation.WriteSlot w) {
    String value = exprs.of(w.value());
    boolean releases = w.order() == Order.RELEASE;
    String scope = w.scope().spelling();
    switch (w.slot().at()) {
      case Peers.Self() ->
          threads.leader(
              () -> write(w, exprs.register("r"), value, releases ? "release" : "relaxed"));
      case Peers.One(var rank) -> {
        String peer = exprs.of(rank);
        threads.leader(() -> write(w, peer, value, releases ? "release" : "relaxed"));
      }
      case Peers.All() -> writeAll(w, false, value, releases, scope);
      case Peers.Others() -> writeAll(w, true, value, releases, scope);
    }
  }

  /** Computes the addresses of a lane's first signals while the previous kernel may still run. */
  void foresee(MicroOperation.WriteSlot w) {
    String last = ptx.word();
    String peer = ptx.word();
    ptx.comment("where the first signal goes");
    ptx.op("add.s64 %s, %s, -1", last, exprs.register("n"));
    ptx.op("min.u64 %s, %s, %s", peer, threads.self(), last);
    foreseen = Optional.of(addresses.slot(w.slot(), peer, exprs.register("r")));
  }

  /**
   * Signals by a thread for each peer, if no access of thread 0 must be ordered with the signals.
   * The releases of different peers then run concurrently.
   */
  void writeAtOnce(MicroOperation.WriteSlot w) {
    if (!(w.slot().at() instanceof Peers.Others || w.slot().at() instanceof Peers.All)) {
      write(w);
      return;
    }
    String value = exprs.of(w.value());
    String order = w.order() == Order.RELEASE ? "release" : "relaxed";
    Optional<String> found = foreseen;
    foreseen = Optional.empty();
    forEachPeer(
        w.slot().at(),
        peer ->
            store(
                w,
                found.orElseGet(() -> addresses.slot(w.slot(), peer, exprs.register("r"))),
                value,
                order));
  }

  private void writeAll(
      MicroOperation.WriteSlot w, boolean others, String value, boolean releases, String scope) {
    threads.leader(() -> {
      if (releases) {
        ptx.comment(
            "one fence for all peers: it makes each of the following relaxed stores a release");
        ptx.op("fence.acq_rel.%s", scope);
      }
      threads.eachPeer(
          others,
          exprs.register("n"),
          exprs.register("r"),
          peer -> write(w, peer, value, "relaxed"));
    });
  }

  private void write(MicroOperation.WriteSlot w, String peer, String value, String order) {
    store(w, addresses.slot(w.slot(), peer, exprs.register("r")), value, order);
  }

  private void store(MicroOperation.WriteSlot w, String address, String value, String order) {
    String qualifiers = order + "." + w.scope().spelling() + ".global";
    if (order.equals(Order.RELEASE.spelling())) {
      ptx.edge(Order.RELEASE);
    }
    if (w.change() == Change.SET) {
      ptx.op("st.%s.u64 [%s], %s", qualifiers, address, value);
    } else {
      ptx.op("red.%s.add.u64 [%s], %s", qualifiers, address, value);
    }
  }

  void poll(MicroOperation.PollSlot p) {
    String expected = exprs.of(p.value());
    String skip = ptx.label("failed");
    threads.working(skip);
    if (p.quantifier() == Quantifier.SUM) {
      threads.leader(() -> pollSum(p, expected));
      ptx.place(skip);
      return;
    }
    forEachPeer(
        p.slot().at(),
        peer -> {
          String address = addresses.slot(p.slot(), exprs.register("r"), peer);
          BoundedWaitCode.WaitTimer watch = waits.start(address);
          String again = ptx.label("poll");
          String here = ptx.label("here");
          String over = ptx.label("polled");
          String seen = ptx.word();
          ptx.place(again);
          load(Order.RELAXED, p, seen, address);
          ptx.opIf(exprs.compare(p.comparison(), seen, expected), "bra %s", here);
          waits.again(watch, again, over);
          ptx.place(here);
          if (p.order() == Order.ACQUIRE) {
            ptx.comment(
                "relaxed poll, then acquire load of the same word: PTX treats both as one acquire pattern");
            load(Order.ACQUIRE, p, ptx.word(), address);
          }
          ptx.place(over);
        });
    ptx.place(skip);
  }

  private void load(Order order, MicroOperation.PollSlot p, String to, String address) {
    String qualifiers = order.spelling() + "." + p.scope().spelling();
    ptx.edge(order);
    ptx.op("ld.%s.global.u64 %s, [%s]", qualifiers, to, address);
  }

  /** One thread adds up all sources' slots until the sum compares true. */
  private void pollSum(MicroOperation.PollSlot p, String expected) {
    BoundedWaitCode.WaitTimer watch = waits.start(BoundedWaitCode.NO_WORD);
    String again = ptx.label("poll");
    String over = ptx.label("polled");
    String seen = ptx.word();
    String sum = ptx.word();
    Consumer<String> add =
        peer -> {
          String address = addresses.slot(p.slot(), exprs.register("r"), peer);
          load(p.order(), p, seen, address);
          ptx.op("add.s64 %s, %s, %s", sum, sum, seen);
        };
    ptx.place(again);
    ptx.op("mov.b64 %s, 0", sum);
    switch (p.slot().at()) {
      case Peers.Self() -> add.accept(exprs.register("r"));
      case Peers.One(var rank) -> add.accept(exprs.of(rank));
      case Peers.All() -> threads.eachPeer(false, exprs.register("n"), exprs.register("r"), add);
      case Peers.Others() -> threads.eachPeer(true, exprs.register("n"), exprs.register("r"), add);
    }
    ptx.opIf(exprs.compare(p.comparison(), sum, expected), "bra %s", over);
    waits.again(watch, again, over);
    ptx.place(over);
  }

  private void forEachPeer(Peers peers, Consumer<String> body) {
    switch (peers) {
      case Peers.Self() -> threads.leader(() -> body.accept(exprs.register("r")));
      case Peers.One(var rank) -> {
        String peer = exprs.of(rank);
        threads.leader(() -> body.accept(peer));
      }
      case Peers.All() -> threads.each(exprs.register("n"), body);
      case Peers.Others() ->
          threads.each(
              exprs.register("n"),
              peer -> {
                String skip = ptx.label("self");
                String self = ptx.predicate();
                ptx.op("setp.eq.u64 %s, %s, %s", self, peer, exprs.register("r"));
                ptx.opIf(self, "bra %s", skip);
                body.accept(peer);
                ptx.place(skip);
              });
    }
  }
}
