package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.Syndrome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An element under way: its memory, and the state of its execution. */
final class ElementExecution {
  final SendElement element;
  final ElementKind kind;
  private final int opcode;
  private final @Nullable RegionSpan local;
  private final @Nullable RegionSpan remote;
  private final @Nullable Runnable receive;
  private byte @Nullable [] carried;
  private boolean acted;
  private boolean landed;
  private boolean completed;
  private @Nullable Syndrome failure;

  ElementExecution(
      SendElement element,
      @Nullable RegionSpan local,
      @Nullable RegionSpan remote,
      @Nullable Runnable receive) {
    this(element, element.opcode().code(), local, remote, receive);
  }

  private ElementExecution(
      SendElement element,
      int opcode,
      @Nullable RegionSpan local,
      @Nullable RegionSpan remote,
      @Nullable Runnable receive) {
    this.element = element;
    this.opcode = opcode;
    this.kind = ElementKind.of(element.opcode());
    this.local = local;
    this.remote = remote;
    this.receive = receive;
  }

  /** A request that is not executed, whatever its bytes are. */
  static ElementExecution failed(int index, int queuePair, int opcode, Syndrome syndrome) {
    SendElement.Head head =
        new SendElement.Head(
            index, queuePair, ElementFence.NONE, CompletionReporting.ON_ERROR, false);
    ElementExecution request =
        new ElementExecution(new SendElement.Nop(head), opcode, null, null, null);
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
        case SendElement.Read _ -> carried = remote.read();
        case SendElement.FetchAdd f -> carried = RegionSpan.bytesOf(remote.add(f.addend()));
        case SendElement.CompareSwap c ->
            carried = RegionSpan.bytesOf(remote.compareAndSwap(c.compare(), c.swap()));
        case SendElement.Write w -> take(w.payload(), carries);
        case SendElement.WriteImmediate w -> take(w.payload(), carries);
        case SendElement.Send s -> take(s.payload(), carries);
        case SendElement.Nop _, SendElement.Wait _ -> {}
      }
    }
    acted = true;
    landed = kind == ElementKind.LOCAL;
  }

  private void take(ElementPayload payload, boolean carries) {
    if (payload instanceof ElementPayload.Inline inline) {
      carried = inline.data();
    } else if (carries && local != null) {
      carried = local.read();
    }
  }

  /** A write changes the peer's memory; an answer is stored. */
  void land() {
    RegionSpan target = kind.answers() ? local : remote;
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
  void describe(StringBuilder state) {
    state.append('[').append(element).append(' ').append(acted).append(landed).append(completed);
    state.append(' ').append(failure).append(' ').append(Arrays.toString(carried)).append(']');
  }

  /** Whether it has accessed the peer's memory. */
  boolean effected() {
    return failure != null || (kind == ElementKind.WRITE ? landed : acted);
  }

  /** Whether it notifies the peer. */
  boolean announces() {
    return receive != null;
  }

  boolean relaxed() {
    return remote != null && remote.region().allows(RegionPermission.RELAXED_ORDERING);
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

  CompletionElement completion(int queuePair) {
    int index = element.head().index();
    if (failure != null) {
      return new CompletionElement.Failed(
          CompletionElement.Side.REQUESTER, failure, 0, opcode, queuePair, index);
    }
    int bytes = kind.answers() && local != null ? local.bytes() : 0;
    return new CompletionElement.Done(element.opcode(), queuePair, index, bytes);
  }
}
