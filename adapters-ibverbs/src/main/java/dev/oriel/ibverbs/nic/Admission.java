package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Completion.Kind;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.Element.Remote;
import dev.oriel.ibverbs.mlx5.Payload;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.MachineException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks an element before any of it is executed: memory, keys, lengths and the peer's receives. An
 * admitted element accesses only the spans that it was given here.
 */
final class Admission {
  private static final Set<Access> LANDS = Set.of(Access.LOCAL_WRITE);

  private final QueuePair pair;
  private final Limits limits;

  Admission(QueuePair pair, Limits limits) {
    this.pair = pair;
    this.limits = limits;
  }

  /**
   * The element with its memory.
   *
   * @throws Refusal if it cannot be executed
   */
  Request admit(Element element, int index) {
    if (element.head().index() != index) {
      throw new Refusal(
          Syndrome.LOCAL_OPERATION,
          "element of another index: index=%d, expected=%d; number elements as they are posted"
              .formatted(element.head().index(), index));
    }
    if (element.head().queuePair() != pair.number()) {
      throw new Refusal(
          Syndrome.LOCAL_OPERATION,
          "element of another queue pair: queuePair=%d, expected=%d; write the queue's own number"
              .formatted(element.head().queuePair(), pair.number()));
    }
    return switch (element) {
      case Element.Nop _ -> new Request(element, null, null, null);
      case Element.Wait w -> await(w);
      case Element.Write w -> write(w, w.payload(), w.remote(), null);
      case Element.WriteImmediate w -> writeImmediate(w);
      case Element.Send s -> send(s);
      case Element.Read r -> {
        Span local = local(r.payload(), LANDS);
        yield new Request(
            r, local, remote(r.remote(), r.payload().bytes(), Access.REMOTE_READ), null);
      }
      case Element.FetchAdd f -> atomic(f, f.remote(), f.old());
      case Element.CompareSwap c -> atomic(c, c.remote(), c.old());
    };
  }

  private Request await(Element.Wait element) {
    if (pair.domain().completions(element.completionQueue()).isEmpty()) {
      throw new Refusal(
          Syndrome.LOCAL_OPERATION,
          "no such completion queue: number=%d; name one of the queue pair's domain"
              .formatted(element.completionQueue()));
    }
    return new Request(element, null, null, null);
  }

  private Request write(
      Element element, Payload payload, Remote remote, @Nullable Runnable receive) {
    Span local = local(payload, Set.of());
    return new Request(
        element, local, remote(remote, payload.bytes(), Access.REMOTE_WRITE), receive);
  }

  private Request writeImmediate(Element.WriteImmediate element) {
    // All checks that can fail come before a receive is taken.
    write(element, element.payload(), element.remote(), null);
    QueuePair peer = peer();
    int index = take(peer);
    return write(
        element,
        element.payload(),
        element.remote(),
        () ->
            peer.arrived(
                Kind.WRITE_IMMEDIATE, element.immediate(), element.payload().bytes(), index));
  }

  private Request send(Element.Send element) {
    Payload payload = element.payload();
    Span local = local(payload, Set.of());
    QueuePair peer = peer();
    requireReceive(peer);
    Span room = room(peer, payload.bytes());
    int index = take(peer);
    return new Request(
        element, local, room, () -> peer.arrived(Kind.SEND, 0, payload.bytes(), index));
  }

  private Request atomic(Element element, Remote remote, Payload.Gather old) {
    Span local = local(old, LANDS);
    Span word = remote(remote, Long.BYTES, Access.REMOTE_ATOMIC);
    if (word != null && !word.aligned()) {
      throw new Refusal(
          Syndrome.REMOTE_REQUEST,
          "atomic not aligned: address=0x%x, alignment=8; align the peer's word"
              .formatted(remote.address()));
    }
    return new Request(element, local, word, null);
  }

  private @Nullable Span local(Payload payload, Set<Access> needed) {
    if (payload.bytes() > limits.messageBytes()) {
      throw new Refusal(
          Syndrome.LOCAL_LENGTH,
          "message too long: bytes=%d, max=%d; split it"
              .formatted(payload.bytes(), limits.messageBytes()));
    }
    return payload instanceof Payload.Gather g
        ? pair.domain().span(g.key(), g.address(), g.bytes(), needed, Syndrome.LOCAL_PROTECTION)
        : null;
  }

  private @Nullable Span remote(Remote remote, int bytes, Access needed) {
    QueuePair peer = peer();
    return bytes == 0
        ? null
        : peer.domain()
            .span(remote.key(), remote.address(), bytes, Set.of(needed), Syndrome.REMOTE_ACCESS);
  }

  private QueuePair peer() {
    QueuePair peer = pair.peer();
    if (peer == null || peer.stopped()) {
      throw new Refusal(
          Syndrome.RETRIES_EXCEEDED,
          "peer does not answer: queuePair=%d; see what stopped it".formatted(pair.number()));
    }
    return peer;
  }

  private static @Nullable Span room(QueuePair peer, int bytes) {
    Payload room;
    try {
      room = peer.receives().next();
    } catch (MachineException e) {
      throw new Refusal(Syndrome.REMOTE_OPERATION, "receive not readable: " + e.getMessage());
    }
    if (bytes > room.bytes()) {
      throw new Refusal(
          Syndrome.REMOTE_REQUEST,
          "receive too short: bytes=%d, room=%d; post a longer one".formatted(bytes, room.bytes()));
    }
    return bytes > 0 && room instanceof Payload.Gather g
        ? peer.domain().span(g.key(), g.address(), bytes, LANDS, Syndrome.REMOTE_OPERATION)
        : null;
  }

  private static int take(QueuePair peer) {
    requireReceive(peer);
    int index = peer.receives().index();
    peer.receives().take();
    return index;
  }

  private static void requireReceive(QueuePair peer) {
    if (peer.receives().waiting() == 0) {
      throw new Refusal(
          Syndrome.RECEIVER_NOT_READY,
          "no receive posted: queuePair=%d; post one before the peer sends"
              .formatted(peer.number()));
    }
  }
}
