package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Flush.Reach;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.topology.PeerKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Emits the steps of one lane: each operation with the edges that it makes. */
final class LaneEmitter {
  /** The bound of every word in the unsigned order: a load without a bound never fails. */
  private static final Op.Load.Bound ANYTHING = new Op.Load.Bound(Expr.of(-1), 0);

  private final LaneFamily lane;
  private final boolean nvlink;
  private final boolean rdma;
  private final StepEmitter out = new StepEmitter();
  private final MoveEmitter moves;
  private final CallEmitter calls;
  private int operations;
  private final Map<String, Op.Move> tickets = new LinkedHashMap<>();

  LaneEmitter(Form form, LaneFamily lane, Set<PeerKind> links) {
    this.lane = lane;
    this.rdma = links.contains(PeerKind.RDMA);
    this.nvlink = links.contains(PeerKind.NVLINK);
    this.moves = new MoveEmitter(form, lane, rdma, out);
    this.calls = new CallEmitter(form, lane, rdma, out);
  }

  List<LoweredStep> steps() {
    block(lane.body());
    out.emit(
        new MicroOperation.Bar(),
        "every thread has read the state words before the leader stores them");
    out.emit(new MicroOperation.End(), "");
    return out.steps();
  }

  /**
   * The words in which the steps count and that no state of the lane names; known after {@link
   * #steps}.
   */
  List<LaneFamily.State> extras() {
    return calls.counters();
  }

  private void block(List<Op> ops) {
    int around = out.operation();
    ops.forEach(this::op);
    out.serve(around);
  }

  private void op(Op op) {
    out.serve(operations++);
    String text = FormPrinter.head(op);
    switch (op) {
      case Op.Move m -> {
        if (!m.ticket().isEmpty()) {
          tickets.put(m.ticket(), m);
        }
        moves.move(m, text);
      }
      case Op.Signal s -> signal(s, text);
      case Op.Await a -> await(a, text);
      case Op.AwaitTicket(var ticket) -> completed(opened(ticket), text);
      case Op.Flush(var peers, var reach) -> flush(peers, reach, text);
      case Op.Sync() ->
          out.barrier(text + ": orders the lane's earlier accesses before its later ones");
      case Op.Join(var other) -> {
        out.emit(new MicroOperation.AwaitLane(other), text);
        out.barrier(text + ": orders the other lane's accesses before this lane's later ones");
      }
      case Op.Load l -> {
        Op.Load.Bound bound = l.bound().orElse(ANYTHING);
        out.load(
            new MicroOperation.LoadWord(
                l.register(), l.word(), l.width(), bound.max(), bound.code()),
            text);
      }
      case Op.Let(var register, var value) -> out.emit(new MicroOperation.Set(register, value), "");
      case Op.Assign(var state, var value) -> out.emit(new MicroOperation.Set(state, value), "");
      case Op.Store(var word, int width, var value) ->
          out.store(new MicroOperation.StoreWord(word, width, value), text);
      case Op.Check(var condition, var code) ->
          out.emit(new MicroOperation.Check(condition, code), "");
      case Op.If(var condition, var then, var otherwise) ->
          out.branch(condition, () -> block(then), () -> block(otherwise), !otherwise.isEmpty());
      case Op.For(var variable, var count, var body) -> {
        Expr turns = BlockEffects.changes(body, count) ? out.hold(count) : count;
        PendingAccesses leaves = BlockEffects.after(body, out.unordered());
        out.loop(variable, turns, leaves, () -> block(body));
      }
      case Op.Each(var variable, var peers, var body) ->
          out.forEach(
              peers,
              BlockEffects.after(body, out.unordered()),
              peer -> {
                out.emit(new MicroOperation.Set(variable, peer), "");
                block(body);
              });
      case Op.Leader(var body) -> out.alone(() -> block(body));
      case Call c -> calls.call(c, text);
    }
  }

  private void signal(Op.Signal s, String text) {
    boolean releases = s.order() == Order.RELEASE;
    if (releases) {
      if (out.touched()) {
        out.barrier(text + ": orders the block's accesses before the release");
      }
      if (rdma && !(s.slot().at() instanceof Peers.Self)) {
        out.emit(out.fence(Scope.SYS, false), text + ": orders them before the interface's write");
      }
    }
    Consumer<Slot> direct =
        slot ->
            out.emit(
                new MicroOperation.WriteSlot(slot, s.change(), s.value(), s.order(), s.scope()),
                text);
    if (!rdma || s.slot().at() instanceof Peers.Self) {
      direct.accept(s.slot());
      return;
    }
    out.forEach(
        s.slot().at(),
        PendingAccesses.NONE,
        peer -> {
          Slot slot = new Slot(s.slot().signal(), s.slot().index(), Peers.one(peer));
          MicroOperation.Request request =
              s.change() == Change.SET
                  ? new MicroOperation.Request.WriteSlot(slot, s.value(), s.order(), s.scope())
                  : new MicroOperation.Request.AddSlot(slot, s.value(), s.order(), s.scope());
          out.byKind(
              peer,
              () ->
                  out.emit(
                      new MicroOperation.Post(peer, request),
                      text + ": follows the data on its queue"),
              () -> direct.accept(slot));
        });
  }

  private void await(Op.Await a, String text) {
    out.emit(
        new MicroOperation.PollSlot(
            a.slot(), a.quantifier(), a.comparison(), a.value(), a.order(), a.scope()),
        text);
    if (rdma && a.order() == Order.ACQUIRE) {
      out.emit(
          new MicroOperation.VisibilityFence(),
          text + ": bytes placed by the network interface become visible");
    }
    out.barrier(text + ": all threads wait for the polling threads");
  }

  /** The move that opened a ticket; validation rejects a ticket that no move opens. */
  private Op.Move opened(String ticket) {
    return Objects.requireNonNull(tickets.get(ticket), ticket);
  }

  private void completed(Op.Move m, String text) {
    out.quiet(text);
    if (rdma) {
      m.destinations().forEach(d -> awaitQueues(d.at(), text));
      m.sources().forEach(s -> awaitQueues(s.region().at(), text));
    }
  }

  private void flush(Peers peers, Reach reach, String text) {
    out.quiet(text);
    if (reach == Reach.REMOTE && nvlink) {
      out.emit(
          new MicroOperation.Fence(Scope.SYS),
          text + ": orders the block's stores for every later reader");
    }
    if (!rdma || peers instanceof Peers.Self) {
      return;
    }
    if (reach == Reach.REMOTE) {
      out.forEach(
          peers,
          PendingAccesses.NONE,
          peer ->
              out.onlyRdma(
                  peer,
                  () ->
                      out.emit(
                          new MicroOperation.Post(peer, new MicroOperation.Request.ReadBack()),
                          text + ": a read places the writes before it")));
    }
    awaitQueues(peers, text);
  }

  private void awaitQueues(Peers peers, String text) {
    if (peers instanceof Peers.Self) {
      return;
    }
    out.forEach(
        peers,
        PendingAccesses.NONE,
        peer -> out.onlyRdma(peer, () -> out.emit(new MicroOperation.AwaitQueue(peer), text)));
  }
}
