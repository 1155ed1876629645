package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.CompletionElement.Kind;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.MachineException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks an element before any of it is executed: memory, keys, lengths and the peer's receives. An
 * admitted element accesses only the spans that it was given here.
 */
final class ElementAdmission {
  private static final Set<RegionPermission> LANDS = Set.of(RegionPermission.LOCAL_WRITE);

  private final SoftQueuePair pair;
  private final NicLimits limits;

  ElementAdmission(SoftQueuePair pair, NicLimits limits) {
    this.pair = pair;
    this.limits = limits;
  }

  /**
   * The element with its memory.
   *
   * @throws ElementRefusal if it cannot be executed
   */
  ElementExecution admit(SendElement element, int index) {
    if (element.head().index() != index) {
      throw new ElementRefusal(
          Syndrome.LOCAL_OPERATION,
          "element of another index: index=%d, expected=%d; number elements as they are posted"
              .formatted(element.head().index(), index));
    }
    if (element.head().queuePair() != pair.number()) {
      throw new ElementRefusal(
          Syndrome.LOCAL_OPERATION,
          "element of another queue pair: queuePair=%d, expected=%d; write the queue's own number"
              .formatted(element.head().queuePair(), pair.number()));
    }
    return switch (element) {
      case SendElement.Nop _ -> new ElementExecution(element, null, null, null);
      case SendElement.Wait w -> await(w);
      case SendElement.Write w -> write(w, w.payload(), w.remote(), null);
      case SendElement.WriteImmediate w -> writeImmediate(w);
      case SendElement.Send s -> send(s);
      case SendElement.Read r -> {
        RegionSpan local = local(r.payload(), LANDS);
        yield new ElementExecution(
            r, local, remote(r.remote(), r.payload().bytes(), RegionPermission.REMOTE_READ), null);
      }
      case SendElement.FetchAdd f -> atomic(f, f.remote(), f.old());
      case SendElement.CompareSwap c -> atomic(c, c.remote(), c.old());
    };
  }

  private ElementExecution await(SendElement.Wait element) {
    if (pair.domain().completions(element.completionQueue()).isEmpty()) {
      throw new ElementRefusal(
          Syndrome.LOCAL_OPERATION,
          "no such completion queue: number=%d; name one of the queue pair's domain"
              .formatted(element.completionQueue()));
    }
    return new ElementExecution(element, null, null, null);
  }

  private ElementExecution write(
      SendElement element, ElementPayload payload, Remote remote, @Nullable Runnable receive) {
    RegionSpan local = local(payload, Set.of());
    return new ElementExecution(
        element, local, remote(remote, payload.bytes(), RegionPermission.REMOTE_WRITE), receive);
  }

  private ElementExecution writeImmediate(SendElement.WriteImmediate element) {
    // All checks that can fail come before a receive is taken.
    write(element, element.payload(), element.remote(), null);
    SoftQueuePair peer = peer();
    int index = take(peer);
    return write(
        element,
        element.payload(),
        element.remote(),
        () ->
            peer.arrived(
                Kind.WRITE_IMMEDIATE, element.immediate(), element.payload().bytes(), index));
  }

  private ElementExecution send(SendElement.Send element) {
    ElementPayload payload = element.payload();
    RegionSpan local = local(payload, Set.of());
    SoftQueuePair peer = peer();
    requireReceive(peer);
    RegionSpan room = room(peer, payload.bytes());
    int index = take(peer);
    return new ElementExecution(
        element, local, room, () -> peer.arrived(Kind.SEND, 0, payload.bytes(), index));
  }

  private ElementExecution atomic(SendElement element, Remote remote, ElementPayload.Gather old) {
    RegionSpan local = local(old, LANDS);
    RegionSpan word = remote(remote, Long.BYTES, RegionPermission.REMOTE_ATOMIC);
    if (word != null && !word.aligned()) {
      throw new ElementRefusal(
          Syndrome.REMOTE_REQUEST,
          "atomic not aligned: address=0x%x, alignment=8; align the peer's word"
              .formatted(remote.address()));
    }
    return new ElementExecution(element, local, word, null);
  }

  private @Nullable RegionSpan local(ElementPayload payload, Set<RegionPermission> needed) {
    if (payload.bytes() > limits.messageBytes()) {
      throw new ElementRefusal(
          Syndrome.LOCAL_LENGTH,
          "message too long: bytes=%d, max=%d; split it"
              .formatted(payload.bytes(), limits.messageBytes()));
    }
    return payload instanceof ElementPayload.Gather g
        ? pair.domain().span(g.key(), g.address(), g.bytes(), needed, Syndrome.LOCAL_PROTECTION)
        : null;
  }

  private @Nullable RegionSpan remote(Remote remote, int bytes, RegionPermission needed) {
    SoftQueuePair peer = peer();
    return bytes == 0
        ? null
        : peer.domain()
            .span(remote.key(), remote.address(), bytes, Set.of(needed), Syndrome.REMOTE_ACCESS);
  }

  private SoftQueuePair peer() {
    SoftQueuePair peer = pair.peer();
    if (peer == null || peer.stopped()) {
      throw new ElementRefusal(
          Syndrome.RETRIES_EXCEEDED,
          "peer does not answer: queuePair=%d; see what stopped it".formatted(pair.number()));
    }
    return peer;
  }

  private static @Nullable RegionSpan room(SoftQueuePair peer, int bytes) {
    ElementPayload room;
    try {
      room = peer.receives().next();
    } catch (MachineException e) {
      throw new ElementRefusal(
          Syndrome.REMOTE_OPERATION, "receive not readable: " + e.getMessage());
    }
    if (bytes > room.bytes()) {
      throw new ElementRefusal(
          Syndrome.REMOTE_REQUEST,
          "receive too short: bytes=%d, room=%d; post a longer one".formatted(bytes, room.bytes()));
    }
    return bytes > 0 && room instanceof ElementPayload.Gather g
        ? peer.domain().span(g.key(), g.address(), bytes, LANDS, Syndrome.REMOTE_OPERATION)
        : null;
  }

  private static int take(SoftQueuePair peer) {
    requireReceive(peer);
    int index = peer.receives().index();
    peer.receives().take();
    return index;
  }

  private static void requireReceive(SoftQueuePair peer) {
    if (peer.receives().waiting() == 0) {
      throw new ElementRefusal(
          Syndrome.RECEIVER_NOT_READY,
          "no receive posted: queuePair=%d; post one before the peer sends"
              .formatted(peer.number()));
    }
  }
}
