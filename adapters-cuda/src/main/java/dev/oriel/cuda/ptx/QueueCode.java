package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.MicroOperation.Request;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.Map;
import java.util.Optional;

/**
 * Generates requests to network interfaces, all posted by thread 0. A rank has one queue to each
 * peer, for all its lanes and contexts: that keeps more order than a program may rely on.
 *
 * <p>In a lane with requests that return values (reads, atomics), elements are fenced: later writes
 * then do not overtake these requests. Other lanes have nothing to wait for. Reads need no fence.
 *
 * <p>The counting of puts is posted to the queue's companion. It waits for the last element that
 * the lane posted, or for a later one of another lane, and then adds.
 */
final class QueueCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final AddressCode addresses;
  private final BoundedWaitCode waits;
  private final WorkSharingCode threads;
  private final RingCode ring;
  private final LoweredLane lane;

  /**
   * 64-bit registers: a bit for each network peer, and the address of the sink for returned values.
   */
  private final String remote;

  private final String sink;
  private final boolean fenced;

  QueueCode(
      PtxBuilder ptx,
      ExprCode exprs,
      AddressCode addresses,
      BoundedWaitCode waits,
      WorkSharingCode threads,
      RingCode ring,
      LoweredLane lane,
      String remote,
      String sink) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.addresses = addresses;
    this.waits = waits;
    this.threads = threads;
    this.ring = ring;
    this.lane = lane;
    this.remote = remote;
    this.sink = sink;
    fenced =
        lane.steps().stream()
            .anyMatch(s -> s.micro() instanceof MicroOperation.Post p && answers(p.request()));
  }

  private static boolean answers(Request request) {
    return switch (request) {
      case Request.Write _, Request.WriteSlot _, Request.PlacementFence _, Request.Count _ -> false;
      case Request.Read _, Request.AddSlot _, Request.ReadBack _ -> true;
      case Request.ChangeWord c -> c.change() != Atomic.SET;
      case Request.WriteAndSignal w -> w.change() == Change.ADD;
      case Request.Lock _ -> true;
    };
  }

  /** Branches to the label unless the peer is reached over that kind of link. */
  void unless(MicroOperation.UnlessKind u) {
    if (u.kind() != PeerKind.RDMA) {
      throw unsupported(u);
    }
    String bit = ptx.word();
    String peer = ptx.half();
    String near = ptx.predicate();
    // A failed lane's peer may be no rank although its low 32 bits are one; clamped to 64, it
    // selects no bit.
    String rank = ptx.word();
    ptx.op("min.u64 %s, %s, %d", rank, register(u.peer()), Long.SIZE);
    ptx.op("cvt.u32.u64 %s, %s", peer, rank);
    ptx.op("shr.u64 %s, %s, %s", bit, remote, peer);
    ptx.op("and.b64 %s, %s, 1", bit, bit);
    ptx.op("setp.eq.u64 %s, %s, 0", near, bit);
    ptx.opIf(near, "bra $L%d", u.label());
  }

  void await(MicroOperation.AwaitQueue a) {
    threads.leader(() -> {
      String end = ptx.label("ended");
      ring.await(ring.queue(register(a.peer())), end);
      ptx.place(end);
    });
  }

  void post(MicroOperation.Post p) {
    switch (p.request()) {
      case Request.Write(var local, var to, var bytes) ->
          transfer(RequestKind.WRITE, p.peer(), local, to, bytes);
      case Request.Read(var local, var from, var bytes) ->
          transfer(RequestKind.READ, p.peer(), local, from, bytes);
      case Request.WriteSlot(var slot, var value, _, _) ->
          signal(p.peer(), slot, Change.SET, value);
      case Request.AddSlot(var slot, var value, _, _) -> signal(p.peer(), slot, Change.ADD, value);
      case Request.ReadBack() -> readBack(p.peer());
      case Request.ChangeWord c -> change(p, c);
      case Request.WriteAndSignal w -> {
        transfer(RequestKind.WRITE, p.peer(), w.local(), w.remote(), w.bytes());
        signal(p.peer(), w.slot(), w.change(), w.value());
      }
      case Request.PlacementFence() ->
          ptx.comment("no instruction: a queue places its writes in order");
      case Request.Lock(Region word) -> lock(p.peer(), word);
      case Request.Count(Region word) -> count(p.peer(), word);
    }
  }

  /** Posts as many elements as the bytes need: none for no bytes. A failed lane posts none. */
  private void transfer(RequestKind kind, Expr to, Region local, Region remote, Expr bytes) {
    String end = ptx.label("posted");
    threads.working(end);
    threads.leader(() -> {
      String again = ptx.label("piece");
      String none = ptx.predicate();
      String peer = register(to);
      String queue = ring.queue(peer);
      String own = addresses.buffer(local.buffer(), exprs.register("r"), local.offset());
      String theirs = addresses.buffer(remote.buffer(), peer, remote.offset());
      String rest = copied(exprs.of(bytes));
      String piece = ptx.word();
      ptx.place(again);
      ptx.op("setp.eq.u64 %s, %s, 0", none, rest);
      ptx.opIf(none, "bra %s", end);
      ptx.op("min.u64 %s, %s, %d", piece, rest, ring.messageBytes());
      ring.post(
          queue,
          kind,
          fenced && kind != RequestKind.READ,
          Map.of(RequestField.LOCAL, own, RequestField.REMOTE, theirs, RequestField.LENGTH, piece),
          end);
      ptx.op("add.s64 %s, %s, %s", own, own, piece);
      ptx.op("add.s64 %s, %s, %s", theirs, theirs, piece);
      ptx.op("sub.s64 %s, %s, %s", rest, rest, piece);
      ptx.op("bra %s", again);
    });
    ptx.place(end);
  }

  /** A failed lane still signals. */
  private void signal(Expr to, Slot slot, Change change, Expr value) {
    threads.leader(() -> {
      String peer = register(to);
      String word = addresses.slot(slot, peer, exprs.register("r"));
      one(peer, change == Change.SET ? RequestKind.WRITE_WORD : RequestKind.ADD, word, value, sink);
    });
  }

  private void readBack(Expr to) {
    threads.leader(() -> {
      String end = ptx.label("posted");
      String peer = register(to);
      String slots = addresses.slots(peer);
      String word = copied(Integer.toString(Long.BYTES));
      ring.post(
          ring.queue(peer),
          RequestKind.READ,
          false,
          Map.of(RequestField.LOCAL, sink, RequestField.REMOTE, slots, RequestField.LENGTH, word),
          end);
      ptx.place(end);
    });
  }

  private void change(MicroOperation.Post p, Request.ChangeWord c) {
    Optional<Region> into = c.result();
    if (c.change() == Atomic.SET && into.isPresent()) {
      throw unsupported(p);
    }
    String end = ptx.label("posted");
    threads.working(end);
    threads.leader(() -> {
      String peer = register(p.peer());
      String word = addresses.buffer(c.word().buffer(), peer, c.word().offset());
      String old =
          into.map(r -> addresses.buffer(r.buffer(), exprs.register("r"), r.offset())).orElse(sink);
      switch (c.change()) {
        case SET -> one(peer, RequestKind.WRITE_WORD, word, c.operand(), old);
        case ADD -> one(peer, RequestKind.ADD, word, c.operand(), old);
        case FETCH -> one(peer, RequestKind.ADD, word, Expr.of(0), old);
        case CAS -> swap(peer, word, register(c.compare()), register(c.operand()), old, end);
      }
    });
    ptx.place(end);
  }

  private void count(Expr to, Region word) {
    String end = ptx.label("counted");
    threads.working(end);
    threads.leader(() -> {
      String queue = ring.queue(register(to));
      String companion = ring.companion(queue);
      String counted = addresses.buffer(word.buffer(), exprs.register("r"), word.offset());
      Map<RequestField, String> last = Map.of(RequestField.AWAITED, ring.last(queue));
      ring.post(companion, RequestKind.WAIT, false, last, end);
      Map<RequestField, String> one =
          Map.of(
              RequestField.REMOTE,
              counted,
              RequestField.LOCAL,
              sink,
              RequestField.VALUE,
              copied("1"));
      ring.post(companion, RequestKind.ADD, false, one, end);
    });
    ptx.place(end);
  }

  /** Repeats a compare-and-swap from 0 to 1 until the returned old value is 0. */
  private void lock(Expr to, Region region) {
    String end = ptx.label("locked");
    threads.working(end);
    threads.leader(() -> {
      String peer = register(to);
      String word = addresses.buffer(region.buffer(), peer, region.offset());
      String queue = ring.queue(peer);
      String free = copied("0");
      String taken = copied("1");
      // Not the sink: values from other queues, for which this does not wait, may still land there.
      String answer = ptx.word();
      ptx.op("add.s64 %s, %s, %d", answer, sink, Long.BYTES);
      String was = ptx.word();
      String mine = ptx.predicate();
      waits.until(
          BoundedWaitCode.NO_WORD,
          () -> {
            swap(peer, word, free, taken, answer, end);
            ring.await(queue, end);
            ptx.comment(
                "acquire: the lane that took the lock sees all accesses of the previous holder");
            ptx.op("ld.acquire.sys.global.u64 %s, [%s]", was, answer);
            ptx.op("setp.eq.u64 %s, %s, 0", mine, was);
            return mine;
          });
    });
    ptx.place(end);
  }

  private void swap(
      String peer, String word, String compare, String value, String old, String end) {
    Map<RequestField, String> fields =
        Map.of(
            RequestField.REMOTE,
            word,
            RequestField.LOCAL,
            old,
            RequestField.VALUE,
            value,
            RequestField.COMPARE,
            compare);
    ring.post(ring.queue(peer), RequestKind.COMPARE_SWAP, fenced, fields, end);
  }

  /**
   * Posts one element that changes a word; kinds that return the old value store it in {@code old}.
   */
  private void one(String peer, RequestKind kind, String word, Expr value, String old) {
    String end = ptx.label("posted");
    ring.post(
        ring.queue(peer),
        kind,
        fenced,
        Map.of(
            RequestField.REMOTE,
            word,
            RequestField.LOCAL,
            old,
            RequestField.VALUE,
            register(value)),
        end);
    ptx.place(end);
  }

  private String register(Expr expr) {
    String operand = exprs.of(expr);
    return operand.startsWith("%") ? operand : copied(operand);
  }

  private String copied(String operand) {
    String register = ptx.word();
    ptx.op("mov.b64 %s, %s", register, operand);
    return register;
  }

  private ProgramException unsupported(MicroOperation micro) {
    return new ProgramException(
        "no element does that yet: lane=%s, operation=%s; use puts, gets, adds, compare-and-swap and signals"
            .formatted(lane.lane().name(), StepPrinter.print(micro)));
  }
}
