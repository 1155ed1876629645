package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** One end of a channel: its peer, and how far both have come. */
final class ChannelEnd {
  /** The deadline of a wait that is already satisfied. */
  static final Duration AT_ONCE = Duration.ofSeconds(1);

  final Window window;
  final int peer;
  final ChannelSpec spec;
  final CopyOp op;
  final RingCursor cursor;
  private final long opening;

  /** The slot in which the other end announces itself and its progress. */
  private final int heard;

  private boolean agreed;
  private boolean busy;

  /**
   * Announces this end at once, so that the other one learns of it even if this one is refused.
   *
   * @param announceSlot the slot at the peer in which this end announces itself
   * @param heard the slot here in which the other end does
   * @param share the part of the messages that it carries, in words
   */
  ChannelEnd(
      Window window,
      int peer,
      ChannelSpec spec,
      CopyOp op,
      int announceSlot,
      int heard,
      String share) {
    this.window = window;
    this.peer = peer;
    this.spec = spec;
    this.op = op;
    this.heard = heard;
    this.opening = spec.opening(op, share);
    this.cursor = new RingCursor(spec, opening);
    window.signal(peer, announceSlot, opening);
    if (!spec.mode().goesTo(window, peer)) {
      throw new MachineException(
          "lines want a mapped link: window=%s, rank=%d, peer=%d, mode=%s; use mode=%s or %s between these ranks"
              .formatted(
                  window.name(),
                  window.rank(),
                  peer,
                  spec.mode(),
                  ChannelMode.LL,
                  ChannelMode.SIMPLE));
    }
  }

  /** The format of the ring's packets, if it has packets. */
  Optional<PacketFormat> packets() {
    return spec.mode().packets();
  }

  /** Bytes of the ring that {@code wire} bytes on the wire take. */
  long image(int wire) {
    return spec.mode().image(wire);
  }

  /** Bytes of the next tile on the wire if {@code left} bytes of the message remain. */
  int next(long left) {
    return cursor.next(left / op.element() * op.wire());
  }

  /** Bytes of the message that {@code wire} bytes on the wire carry. */
  int message(int wire) {
    return wire / op.wire() * op.element();
  }

  void begin(long length) {
    if (length < 0 || length % op.element() != 0) {
      throw new IllegalArgumentException(
          "message of parts of elements: length=%d, element=%d; send whole elements"
              .formatted(length, op.element()));
    }
    if (busy) {
      throw new IllegalStateException(
          "channel is busy: window=%s, rank=%d, peer=%d; end its transfer first"
              .formatted(window.name(), window.rank(), peer));
    }
    busy = true;
  }

  void end() {
    busy = false;
  }

  /**
   * Whether the other end exists and is of the same kind. Nothing is sent before that.
   *
   * @throws MachineException if it is of another kind
   */
  boolean agreed() {
    if (agreed) {
      return true;
    }
    long word = window.signalValue(peer, heard);
    if (word == 0) {
      return false;
    }
    // The other end may already have advanced as far as it can without this one.
    agreed = Long.compareUnsigned(word - opening, spec.bytes()) <= 0;
    if (!agreed) {
      end();
      throw new MachineException(
          "channel ends differ: window=%s, rank=%d, peer=%d, mode=%s, peer's mode=%s, %s, %s; make both ends of the same specification, operation and number of lanes"
              .formatted(
                  window.name(),
                  window.rank(),
                  peer,
                  spec.mode(),
                  ChannelMode.named((int) (word & (ChannelSpec.QUANTUM - 1))),
                  spec,
                  op));
    }
    return true;
  }

  /** Waits until the other end has announced itself. */
  void awaitOther(Duration timeout) throws TimeoutException {
    window.await(peer, heard, Comparison.NE, 0, timeout);
  }

  /**
   * Whether the peer has reached {@code target}; the data that its signal covers is then visible.
   */
  boolean reached(long target) {
    if (!Comparison.REACHED.test(window.signalValue(peer, heard), target)) {
      return false;
    }
    atOnce(() -> awaitReached(target, AT_ONCE));
    return true;
  }

  /** Waits until the peer has reached {@code target}. */
  void awaitReached(long target, Duration timeout) throws TimeoutException {
    window.await(peer, heard, Comparison.REACHED, target, timeout);
  }

  /** A wait for a value that was already seen. */
  static void atOnce(Wait wait) {
    try {
      wait.run();
    } catch (TimeoutException e) {
      throw new IllegalStateException("what was seen was gone: " + e.getMessage(), e);
    }
  }

  /** A call that may time out. */
  @FunctionalInterface
  interface Wait {
    void run() throws TimeoutException;
  }
}
