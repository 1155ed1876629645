package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.Fence;
import dev.oriel.ibverbs.mlx5.Payload;
import dev.oriel.ibverbs.mlx5.Reporting;
import dev.oriel.ibverbs.mlx5.Syndrome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An element under way: its memory, and the state of its execution. */
final class Request {
  final Element element;
  final Kind kind;
  private final int opcode;
  private final @Nullable Span local;
  private final @Nullable Span remote;
  private final @Nullable Runnable receive;
  private byte @Nullable [] carried;
  private boolean acted;
  private boolean landed;
  private boolean completed;
  private @Nullable Syndrome failure;

  Request(
      Element element, @Nullable Span local, @Nullable Span remote, @Nullable Runnable receive) {
    this(element, element.opcode().code(), local, remote, receive);
  }

  private Request(
      Element element,
      int opcode,
      @Nullable Span local,
      @Nullable Span remote,
      @Nullable Runnable receive) {
    this.element = element;
    this.opcode = opcode;
    this.kind = Kind.of(element.opcode());
    this.local = local;
    this.remote = remote;
    this.receive = receive;
  }

  /** A request that is not executed, whatever its bytes are. */
  static Request failed(int index, int queuePair, int opcode, Syndrome syndrome) {
    Element.Head head = new Element.Head(index, queuePair, Fence.NONE, Reporting.ON_ERROR, false);
    Request request = new Request(new Element.Nop(head), opcode, null, null, null);
    request.fail(syndrome);
    return request;
  }

  /**
   * A write reads its source; an atomic or a read accesses the peer's memory.
   *
   * @param carries whether a write keeps a copy of its bytes, since it lands later
   */
  void act(boolean carries) {
    if (remote != null) {
      switch (element) {
        case Element.Read _ -> carried = remote.read();
        case Element.FetchAdd f -> carried = Span.bytesOf(remote.add(f.addend()));
        case Element.CompareSwap c ->
            carried = Span.bytesOf(remote.compareAndSwap(c.compare(), c.swap()));
        case Element.Write w -> take(w.payload(), carries);
        case Element.WriteImmediate w -> take(w.payload(), carries);
        case Element.Send s -> take(s.payload(), carries);
        case Element.Nop _, Element.Wait _ -> {}
      }
    }
    acted = true;
    landed = kind == Kind.LOCAL;
  }

  private void take(Payload payload, boolean carries) {
    if (payload instanceof Payload.Inline inline) {
      carried = inline.data();
    } else if (carries && local != null) {
      carried = local.read();
    }
  }

  /** A write changes the peer's memory; an answer is stored. */
  void land() {
    Span target = kind.answers() ? local : remote;
    if (target != null && carried != null) {
      target.write(carried);
    } else if (target != null && local != null) {
      local.copyTo(target);
    }
    carried = null;
    landed = true;
    if (receive != null) {
      receive.run();
    }
  }

  /** Appends its part of {@link SoftNic#state}. */
  void tell(StringBuilder state) {
    state.append('[').append(element).append(' ').append(acted).append(landed).append(completed);
    state.append(' ').append(failure).append(' ').append(Arrays.toString(carried)).append(']');
  }

  /** Whether it has accessed the peer's memory. */
  boolean effected() {
    return failure != null || (kind == Kind.WRITE ? landed : acted);
  }

  /** Whether it notifies the peer. */
  boolean announces() {
    return receive != null;
  }

  boolean relaxed() {
    return remote != null && remote.region().allows(Access.RELAXED_ORDERING);
  }

  boolean acted() {
    return acted;
  }

  boolean landed() {
    return landed;
  }

  boolean completed() {
    return completed;
  }

  void complete() {
    completed = true;
  }

  @Nullable Syndrome failure() {
    return failure;
  }

  /** Fails it: it goes no further, and delays no other. */
  void fail(Syndrome syndrome) {
    failure = syndrome;
    carried = null;
  }

  boolean ended() {
    return completed && (landed || failure != null);
  }

  Completion completion(int queuePair) {
    int index = element.head().index();
    if (failure != null) {
      return new Completion.Failed(Completion.Side.REQUESTER, failure, 0, opcode, queuePair, index);
    }
    int bytes = kind.answers() && local != null ? local.bytes() : 0;
    return new Completion.Done(element.opcode(), queuePair, index, bytes);
  }
}
