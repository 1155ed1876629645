package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Series;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Optional;

/** One step of one lane. Steps follow each other; jumps go to labels of the same lane. */
public sealed interface Micro {

  /** A place to jump to. */
  record Label(int id) implements Micro {}

  /** Goes on at the label. */
  record Jump(int label) implements Micro {}

  /** Goes on at the label unless the condition holds. */
  record Unless(Cond condition, int label) implements Micro {}

  /** Goes on at the label unless the peer is reached over that kind of link. */
  record UnlessKind(Expr peer, PeerKind kind, int label) implements Micro {}

  /** Gives a register a value. */
  record Set(String register, Expr value) implements Micro {}

  /** Every thread of the lane arrives before any goes on; orders all their accesses. */
  record Bar() implements Micro {}

  /**
   * The executing thread's earlier and later accesses are ordered for agents of the scope.
   *
   * @param strict whether it stands in one order with all strict ones that reach each other
   */
  record Fence(Scope scope, boolean strict) implements Micro {
    public Fence(Scope scope) {
      this(scope, false);
    }
  }

  /** The lane's threads share the bytes out and move them by loads and stores. */
  record Copy(List<Region> destinations, Combine combine, List<Series> sources, Expr bytes)
      implements Micro {
    public Copy {
      destinations = List.copyOf(destinations);
      sources = List.copyOf(sources);
    }
  }

  /** One thread writes the slot of the executing rank's row at each peer, one after another. */
  record WriteSlot(Slot slot, Change change, Expr value, Order order, Scope scope)
      implements Micro {}

  /** Threads poll the slot of each source's row until it compares true; a barrier must follow. */
  record PollSlot(
      Slot slot, Quantifier quantifier, Comparison comparison, Expr value, Order order, Scope scope)
      implements Micro {}

  /** Waits for the end of every instance of that lane of the executing rank. */
  record AwaitLane(String lane) implements Micro {}

  /**
   * Reads {@code width} bytes of the rank's own memory into a register; above {@code max} the lane
   * fails.
   */
  record LoadWord(String register, Region word, int width, Expr max, int code) implements Micro {}

  /** One thread writes the low {@code width} bytes of a value into the rank's own memory. */
  record StoreWord(Region word, int width, Expr value) implements Micro {}

  /** A step through another proxy than the threads' own, or for one. */
  sealed interface ByProxy extends Micro {}

  /** One thread has the block's bulk-copy unit copy, and goes on. */
  record BulkCopy(Region to, Region from, Expr bytes) implements ByProxy {}

  /** The thread that had the unit copy waits until all that it copies has been written. */
  record AwaitBulk() implements ByProxy {}

  /** What every thread did or saw is ordered before later accesses through the proxy. */
  record ProxyFence(Proxy proxy) implements ByProxy {}

  /** A step on one synchronising word that stands outside the signals' own rules. */
  sealed interface OnWord extends Micro {}

  /** Reads the slot of one source's row as it happens to be, without waiting. */
  record ReadSlot(String register, Slot slot, Order order, Scope scope) implements OnWord {}

  /**
   * One thread changes an aligned 64-bit word of one rank in one step; the register, where there is
   * one, holds what the word was.
   *
   * @param register empty where the old value is not used
   * @param compare what a compare-and-swap expects; of a {@code SET}, what the word holds where the
   *     program is right, and 0 where that may be anything
   */
  record Rmw(
      String register,
      Region word,
      Atomic change,
      Expr operand,
      Expr compare,
      Order order,
      Scope scope)
      implements OnWord {}

  /** One thread polls a word of the rank's own memory; a barrier must follow. */
  record PollWord(Region word, Comparison comparison, Expr value, Order order, Scope scope)
      implements OnWord {}

  /** One thread waits until the word is 0 and makes it 1 in the same step, acquiring. */
  record Lock(Region word, Scope scope) implements OnWord {}

  /** Fails the lane unless the condition holds. */
  record Check(Cond condition, int code) implements Micro {}

  /**
   * Appends a request to one of the lane's queues to that peer. Requests of one queue execute in
   * order; nothing orders two queues.
   *
   * @param queue which of the lane's queues to that peer; 0 unless a program names another
   * @param fenced whether it starts only after every earlier read and atomic of its queue ended
   * @param loose whether it may be placed before and after others of its queue, up to the next
   *     {@link Request.Arrange}
   */
  record Post(Expr peer, Expr queue, Request request, boolean fenced, boolean loose)
      implements Micro {
    public Post(Expr peer, Request request) {
      this(peer, Expr.of(0), request, false, false);
    }
  }

  /** Waits until every request of that queue of the lane has completed locally. */
  record AwaitQueue(Expr peer, Expr queue) implements Micro {
    public AwaitQueue(Expr peer) {
      this(peer, Expr.of(0));
    }
  }

  /** Makes what the network interface placed in this rank's memory visible to the lane. */
  record Consist() implements Micro {}

  /** The lane is done: its leader stores the state words. */
  record End() implements Micro {}

  /** What a network interface is asked to do. */
  sealed interface Request {

    /** Writes {@code bytes} of this rank's region into the peer's. */
    record Write(Region local, Region remote, Expr bytes) implements Request {}

    /** Reads {@code bytes} of the peer's region into this rank's. */
    record Read(Region local, Region remote, Expr bytes) implements Request {}

    /** Writes one word, carried in the request itself, into the slot of this rank's row. */
    record WriteSlot(Slot slot, Expr value, Order order, Scope scope) implements Request {}

    /** Adds to the slot of this rank's row, atomically for requests through one interface. */
    record AddSlot(Slot slot, Expr value, Order order, Scope scope) implements Request {}

    /** Reads one word of the peer's memory back, so that earlier writes are placed before it. */
    record ReadBack() implements Request {}

    /** A request of one-sided calls, which not every machine posts. */
    sealed interface OneSided extends Request {}

    /**
     * Changes one aligned 64-bit word of the peer, atomically for requests through one interface.
     *
     * @param result where the old value goes, of this rank's own memory; absent if nowhere
     * @param compare as in {@link Rmw}
     */
    record ChangeWord(
        Optional<Region> result, Region word, Atomic change, Expr operand, Expr compare)
        implements OneSided {}

    /**
     * Writes {@code bytes} of this rank's region into the peer's, and changes the slot of this
     * rank's row once they are placed: one request, whatever else is loose around it.
     */
    record WriteAndSignal(
        Region local, Region remote, Expr bytes, Slot slot, Change change, Expr value)
        implements OneSided {}

    /**
     * Adds 1 to an aligned 64-bit word of this rank at some time after the sources of all earlier
     * requests of the queue were read, in no other order with them; nobody who waits for the queue
     * waits for it.
     */
    record Count(Region word) implements OneSided {}

    /** Waits until the peer's word is 0 and makes it 1 in the same step. */
    record Lock(Region word) implements OneSided {}

    /** Everything of the queue before it is placed before everything after it. */
    record Arrange() implements OneSided {}
  }
}
