package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** One end of a channel: who is at the other, and how far the two have come. */
final class End {
  /** For waits that have nothing to wait for. */
  static final Duration AT_ONCE = Duration.ofSeconds(1);

  final Window window;
  final int peer;
  final ChannelSpec spec;
  final CopyOp op;
  final Cursor cursor;
  private final long opening;

  /** The slot in which this end hears of the other. */
  private final int heard;

  private boolean agreed;
  private boolean busy;

  /**
   * Says at once what this end is, so that the other one learns of it even if this one is refused.
   *
   * @param told the slot at the peer in which this end tells
   * @param heard the slot here in which it hears
   * @param share which part of the messages it carries, in words
   */
  End(Window window, int peer, ChannelSpec spec, CopyOp op, int told, int heard, String share) {
    this.window = window;
    this.peer = peer;
    this.spec = spec;
    this.op = op;
    this.heard = heard;
    this.opening = spec.opening(op, share);
    this.cursor = new Cursor(spec, opening);
    window.signal(peer, told, opening);
    if (!spec.mode().goesTo(window, peer)) {
      throw new MachineException(
          "lines want a mapped link: window=%s, rank=%d, peer=%d, mode=%s; use mode=%s or %s between these ranks"
              .formatted(window.name(), window.rank(), peer, spec.mode(), Mode.LL, Mode.SIMPLE));
    }
  }

  /** Of what packets the ring is, if it is of any. */
  Optional<PacketFormat> packets() {
    return spec.mode().packets();
  }

  /** Bytes in the ring of so many on the wire. */
  long image(int wire) {
    return spec.mode().image(wire);
  }

  /** Bytes on the wire of the next tile, where so many of the message are left. */
  int next(long left) {
    return cursor.next(left / op.element() * op.wire());
  }

  /** Bytes of the message that so many on the wire stand for. */
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
   * Whether the other end is there, and is one of the same kind. Nothing is sent before.
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
    // By now the other end may have come as far as it can without this one.
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
                  Mode.named((int) (word & (ChannelSpec.QUANTUM - 1))),
                  spec,
                  op));
    }
    return true;
  }

  /** Waits until the other end has said what it is. */
  void awaitOther(Duration patience) throws TimeoutException {
    window.await(peer, heard, Comparison.NE, 0, patience);
  }

  /** Whether the peer has come so far; what its signal covers is visible then. */
  boolean reached(long target) {
    if (!Comparison.REACHED.test(window.signalValue(peer, heard), target)) {
      return false;
    }
    atOnce(() -> awaitReached(target, AT_ONCE));
    return true;
  }

  /** Waits until the peer has come so far. */
  void awaitReached(long target, Duration patience) throws TimeoutException {
    window.await(peer, heard, Comparison.REACHED, target, patience);
  }

  /** A wait for what was seen already. */
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
