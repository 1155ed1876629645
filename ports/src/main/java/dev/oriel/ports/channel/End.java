package dev.oriel.ports.channel;

import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** One end of a channel: who is at the other, and how far the two have come. */
final class End {
  /** For waits that have nothing to wait for. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  final Window window;
  final int peer;
  final ChannelSpec spec;
  final CopyOp op;
  private boolean busy;

  End(Window window, int peer, ChannelSpec spec, CopyOp op) {
    this.window = window;
    this.peer = peer;
    this.spec = spec;
    this.op = op;
  }

  /** Bytes in the ring of the next tile, where so many of the message are left. */
  int next(long cursor, long left) {
    return spec.next(cursor, left / op.element() * op.wire());
  }

  /** Bytes of the message that so many in the ring stand for. */
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

  /** Whether the peer's slot has come so far; what it covers is visible then. */
  boolean reached(int slot, long target) {
    if (!Comparison.REACHED.test(window.signalValue(peer, slot), target)) {
      return false;
    }
    atOnce(() -> window.await(peer, slot, Comparison.REACHED, target, AT_ONCE));
    return true;
  }

  /** Whether all puts that were counted have read their sources. */
  boolean drained(long puts) {
    if (window.counterValue(peer, spec.drained()) != puts) {
      return false;
    }
    atOnce(() -> window.awaitCounter(peer, spec.drained(), Comparison.EQ, puts, AT_ONCE));
    return true;
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
