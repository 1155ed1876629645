package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Optional;

/** One step of one lane. Steps follow each other; jumps go to labels of the same lane. */
public sealed interface MicroOperation {

  /** A place to jump to. */
  record Label(int id) implements MicroOperation {}

  /** Continues at the label. */
  record Jump(int label) implements MicroOperation {}

  /** Continues at the label unless the condition holds. */
  record Unless(Cond condition, int label) implements MicroOperation {}

  /** Continues at the label unless the peer is reached over that kind of link. */
  record UnlessKind(Expr peer, PeerKind kind, int label) implements MicroOperation {}

  /** Gives a register a value. */
  record Set(String register, Expr value) implements MicroOperation {}

  /** Every thread of the lane arrives before any continues; orders all their accesses. */
  record Bar() implements MicroOperation {}

  /**
   * The executing thread's earlier and later accesses are ordered for agents of the scope.
   *
   * @param strict whether it is sequentially consistent: in one total order with all strict ones
   *     that reach each other
   * @param alone whether the lane's leader executes it, and no other thread
   */
  record Fence(Scope scope, boolean strict, boolean alone) implements MicroOperation {
    public Fence(Scope scope) {
      this(scope, false, false);
    }
  }

  /** The lane's threads divide the bytes among them and move them by loads and stores. */
  record Copy(List<Region> destinations, Combine combine, List<SourceSeries> sources, Expr bytes)
      implements MicroOperation {
    public Copy {
      destinations = List.copyOf(destinations);
      sources = List.copyOf(sources);
    }
  }

  /** One thread writes the slot of the executing rank's row at each peer, one after another. */
  record WriteSlot(Slot slot, Change change, Expr value, Order order, Scope scope)
      implements MicroOperation {}

  /**
   * Threads poll the slot of each source's row until it satisfies the comparison; a barrier must
   * follow.
   */
  record PollSlot(
      Slot slot, Quantifier quantifier, Comparison comparison, Expr value, Order order, Scope scope)
      implements MicroOperation {}

  /** Waits for the end of every instance of that lane of the executing rank. */
  record AwaitLane(String lane) implements MicroOperation {}

  /**
   * Reads {@code width} bytes of the rank's own memory into a register; the lane fails if the word
   * is above {@code max}.
   */
  record LoadWord(String register, Region word, int width, Expr max, int code)
      implements MicroOperation {}

  /** One thread writes the low {@code width} bytes of a value into the rank's own memory. */
  record StoreWord(Region word, int width, Expr value) implements MicroOperation {}

  /** A step through another proxy than the threads' own, or a fence for one. */
  sealed interface ProxyStep extends MicroOperation {}

  /** One thread starts a copy by the block's bulk-copy unit, and continues. */
  record BulkCopy(Region to, Region from, Expr bytes) implements ProxyStep {}

  /** The thread that started the unit's copies waits until all their bytes have been written. */
  record AwaitBulk() implements ProxyStep {}

  /** Orders everything that each thread did or saw before later accesses through the proxy. */
  record ProxyFence(Proxy proxy) implements ProxyStep {}

  /** A step on one synchronising word outside the rules of signals. */
  sealed interface WordStep extends MicroOperation {}

  /**
   * Reads the current value of one source's slot.
   *
   * @param until what it waits for, at most for the time that it names; empty if it does not wait
   */
  record ReadSlot(String register, Slot slot, Order order, Scope scope, Optional<Call.Until> until)
      implements WordStep {}

  /**
   * One thread changes an aligned 64-bit word of one rank atomically; the register, if there is
   * one, gets the old value.
   *
   * @param register empty if the old value is not used
   * @param compare the expected value of a compare-and-swap; for a {@code SET}, the word's old
   *     value in a correct program, or 0 if that may be any value
   * @param until what a {@code FETCH} waits for, as for {@link ReadSlot}; empty for all others
   */
  record Rmw(
      String register,
      Region word,
      Atomic change,
      Expr operand,
      Expr compare,
      Order order,
      Scope scope,
      Optional<Call.Until> until)
      implements WordStep {
    public Rmw(
        String register,
        Region word,
        Atomic change,
        Expr operand,
        Expr compare,
        Order order,
        Scope scope) {
      this(register, word, change, operand, compare, order, scope, Optional.empty());
    }

    /** The same step, which waits for that. */
    Rmw until(Optional<Call.Until> until) {
      return new Rmw(register, word, change, operand, compare, order, scope, until);
    }
  }

  /** One thread polls a word of the rank's own memory; a barrier must follow. */
  record PollWord(Region word, Comparison comparison, Expr value, Order order, Scope scope)
      implements WordStep {}

  /** One thread waits until the word is 0 and makes it 1 in the same atomic step, with acquire. */
  record Lock(Region word, Scope scope) implements WordStep {}

  /** Fails the lane unless the condition holds. */
  record Check(Cond condition, int code) implements MicroOperation {}

  /**
   * Appends a request to one of the lane's queues to that peer. Requests of one queue execute in
   * order; two queues are unordered.
   *
   * @param queue which of the lane's queues to that peer; 0 unless a program names another
   * @param fenced whether it starts only after every earlier read and atomic of its queue ended
   * @param unordered whether it may be reordered with others of its queue, up to the next {@link
   *     Request.PlacementFence}
   */
  record Post(Expr peer, Expr queue, Request request, boolean fenced, boolean unordered)
      implements MicroOperation {
    public Post(Expr peer, Request request) {
      this(peer, Expr.of(0), request, false, false);
    }
  }

  /** Waits until every request of that queue of the lane has completed locally. */
  record AwaitQueue(Expr peer, Expr queue) implements MicroOperation {
    public AwaitQueue(Expr peer) {
      this(peer, Expr.of(0));
    }
  }

  /**
   * Makes the bytes that the network interface placed in this rank's memory visible to the lane.
   */
  record VisibilityFence() implements MicroOperation {}

  /** The lane has ended: its leader stores the state words. */
  record End() implements MicroOperation {}

  /** A work request for a network interface. */
  sealed interface Request {

    /** Writes {@code bytes} of this rank's region into the peer's. */
    record Write(Region local, Region remote, Expr bytes) implements Request {}

    /** Reads {@code bytes} of the peer's region into this rank's. */
    record Read(Region local, Region remote, Expr bytes) implements Request {}

    /** Writes one word, carried in the request itself, into the slot of this rank's row. */
    record WriteSlot(Slot slot, Expr value, Order order, Scope scope) implements Request {}

    /** Adds to the slot of this rank's row, atomically for requests through one interface. */
    record AddSlot(Slot slot, Expr value, Order order, Scope scope) implements Request {}

    /** Reads one word of the peer's memory back; earlier writes are placed before it. */
    record ReadBack() implements Request {}

    /** A request of one-sided calls, which not every machine posts. */
    sealed interface OneSided extends Request {}

    /**
     * Changes one aligned 64-bit word of the peer, atomically for requests through one interface.
     *
     * @param result the place of the old value in this rank's own memory; absent if it is dropped
     * @param compare as in {@link Rmw}
     */
    record ChangeWord(
        Optional<Region> result, Region word, Atomic change, Expr operand, Expr compare)
        implements OneSided {}

    /**
     * Writes {@code bytes} of this rank's region into the peer's, and changes the slot of this
     * rank's row once they are placed: one request, regardless of other unordered requests.
     */
    record WriteAndSignal(
        Region local, Region remote, Expr bytes, Slot slot, Change change, Expr value)
        implements OneSided {}

    /**
     * Adds 1 to an aligned 64-bit word of this rank at some time after the sources of all earlier
     * requests of the queue were read, otherwise unordered with them. A wait for the queue does not
     * wait for it.
     */
    record Count(Region word) implements OneSided {}

    /** Waits until the peer's word is 0 and makes it 1 in the same atomic step. */
    record Lock(Region word) implements OneSided {}

    /** All earlier requests of the queue are placed before all later ones. */
    record PlacementFence() implements OneSided {}
  }
}
