package dev.oriel.it.readback;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.MicroOperation.Request;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.it.readback.Event.Kind;
import dev.oriel.it.readback.Queued.Asked;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The elements that one lane's posts need. Rule <i>one queue</i>: all contexts of a lane share the
 * queue to a peer, which keeps more order than required, so ordering requests need no element. Rule
 * <i>pieces</i>: a transfer longer than a message consists of several adjacent elements. Rule
 * <i>fence</i>: a write after a read or an atomic of its lane and queue, and an atomic after a
 * read, must be fenced, or it would overtake the answer; any other element may be. After a fence,
 * and after a wait for the queue, no answer is pending.
 */
final class QueueWalk {
  private final Asking asking;
  private final long message;
  private final int rank;
  private final int lane;
  private final Set<Integer> reading = new HashSet<>();
  private final Set<Integer> changing = new HashSet<>();
  private final int[] posted = new int[Long.SIZE];
  private @Nullable StepWalk walk;
  private int number;

  /** Creates the expectations of elements. */
  interface Asking {
    /**
     * One element.
     *
     * @param number the total number of elements that the lane requested before
     */
    Wanted post(String step, Asked asked, int number);

    Wanted await(String step, int queue);

    Wanted last(String step, int queue);
  }

  /**
   * @param message the largest number of bytes of one element
   */
  QueueWalk(Asking asking, long message, int rank, int lane) {
    this.asking = asking;
    this.message = message;
    this.rank = rank;
    this.lane = lane;
  }

  /** Whether a failed lane no longer makes the request. */
  static boolean moves(Request request) {
    return switch (request) {
      case Request.Write _, Request.Read _, Request.ChangeWord _, Request.Count _, Request.Lock _ ->
          true;
      default -> false;
    };
  }

  void walk(StepWalk steps) {
    this.walk = steps;
  }

  /** The number of elements that the lane has requested so far. */
  int asked() {
    return number;
  }

  void await(String step, int peer) {
    settled(2 * peer);
    walk().want(asking.await(step, 2 * peer));
  }

  void post(String step, MicroOperation.Post p) {
    int peer = (int) walk().value(p.peer());
    switch (p.request()) {
      case Request.Write(var local, var to, var bytes) ->
          pieces(step, RequestKind.WRITE, peer, local, to, bytes);
      case Request.Read(var local, var from, var bytes) ->
          pieces(step, RequestKind.READ, peer, local, from, bytes);
      case Request.WriteSlot(var slot, var value, _, _) ->
          signal(step, peer, slot, Change.SET, value);
      case Request.AddSlot(var slot, var value, _, _) ->
          signal(step, peer, slot, Change.ADD, value);
      case Request.WriteAndSignal w -> {
        pieces(step, RequestKind.WRITE, peer, w.local(), w.remote(), w.bytes());
        signal(step, peer, w.slot(), w.change(), w.value());
      }
      case Request.ReadBack() ->
          element(
              step,
              2 * peer,
              RequestKind.READ,
              Map.of(
                  RequestField.REMOTE, walk().layout().other(peer, Layout.Other.SLOTS),
                  RequestField.LOCAL, sink(),
                  RequestField.LENGTH, 8L));
      case Request.ChangeWord c -> change(step, peer, c);
      case Request.PlacementFence() -> {}
      case Request.Count(var word) -> count(step, peer, word);
      case Request.Lock(var word) -> lock(step, peer, word);
    }
  }

  private void pieces(
      String step, RequestKind kind, int peer, Region own, Region theirs, Expr bytes) {
    long from = walk().place(own, rank);
    long to = walk().place(theirs, peer);
    long rest = walk().value(bytes);
    for (long done = 0; done < rest; done += message) {
      long length = Math.min(message, rest - done);
      element(
          step,
          2 * peer,
          kind,
          Map.of(
              RequestField.LOCAL,
              from + done,
              RequestField.REMOTE,
              to + done,
              RequestField.LENGTH,
              length));
    }
  }

  private void signal(String step, int peer, Slot slot, Change change, Expr value) {
    long word = walk().layout().slot(peer, rank, slot.signal(), walk().value(slot.index()));
    if (change == Change.SET) {
      element(
          step,
          2 * peer,
          RequestKind.WRITE_WORD,
          Map.of(RequestField.REMOTE, word, RequestField.VALUE, walk().value(value)));
    } else {
      add(step, 2 * peer, word, walk().value(value), sink());
    }
  }

  private void add(String step, int queue, long word, long value, long old) {
    element(
        step,
        queue,
        RequestKind.ADD,
        Map.of(RequestField.REMOTE, word, RequestField.VALUE, value, RequestField.LOCAL, old));
  }

  private void change(String step, int peer, Request.ChangeWord c) {
    long word = walk().place(c.word(), peer);
    long old = c.result().map(r -> walk().place(r, rank)).orElse(sink());
    long operand = walk().value(c.operand());
    switch (c.change()) {
      case SET ->
          element(
              step,
              2 * peer,
              RequestKind.WRITE_WORD,
              Map.of(RequestField.REMOTE, word, RequestField.VALUE, operand));
      case ADD -> add(step, 2 * peer, word, operand, old);
      case FETCH -> add(step, 2 * peer, word, 0, old);
      case CAS -> swap(step, 2 * peer, word, walk().value(c.compare()), operand, old);
    }
  }

  private void swap(String step, int queue, long word, long compare, long value, long old) {
    element(
        step,
        queue,
        RequestKind.COMPARE_SWAP,
        Map.of(
            RequestField.REMOTE,
            word,
            RequestField.COMPARE,
            compare,
            RequestField.VALUE,
            value,
            RequestField.LOCAL,
            old));
  }

  /** Rule <i>count</i>: the companion queue waits for the last element, and then adds. */
  private void count(String step, int peer, Region word) {
    walk().want(asking.last(step, 2 * peer));
    int companion = 2 * peer + 1;
    long last = posted[peer] - 1L;
    element(step, companion, RequestKind.WAIT, Map.of(RequestField.AWAITED, last));
    add(step, companion, walk().place(word, rank), 1, sink());
  }

  /** Rule <i>lock</i>: the lane waits for the answer that the interface places, and acquires it. */
  private void lock(String step, int peer, Region word) {
    swap(step, 2 * peer, walk().place(word, peer), 0, 1, sink() + 8);
    await(step, peer);
    walk()
        .want(
            new Wanted.Leader(
                step, Kind.LOAD, "acquire", "sys", sink() + 8, 8, was -> was == 0, false));
  }

  private void element(String step, int queue, RequestKind kind, Map<RequestField, Long> fields) {
    boolean read = reading.contains(queue);
    boolean fenced =
        switch (kind) {
          case WRITE, WRITE_WORD -> read || changing.contains(queue);
          case ADD, COMPARE_SWAP -> read;
          case READ, WAIT -> false;
        };
    if (fenced) {
      settled(queue);
    }
    walk().want(asking.post(step, new Asked(queue, kind, fenced, fields), number++));
    if (kind == RequestKind.READ) {
      reading.add(queue);
    } else if (kind == RequestKind.ADD || kind == RequestKind.COMPARE_SWAP) {
      changing.add(queue);
    }
    if (queue % 2 == 0) {
      posted[queue / 2]++;
    }
  }

  private void settled(int queue) {
    reading.remove(queue);
    changing.remove(queue);
  }

  private StepWalk walk() {
    return Objects.requireNonNull(walk, "nobody walks");
  }

  private long sink() {
    return walk().layout().other(rank, Layout.Other.SINK) + 16L * lane;
  }
}
