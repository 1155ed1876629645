package dev.oriel.bootstrap;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits on many sockets in the calling thread, until something happens, time passes, the thread is
 * interrupted or the end is closed.
 */
final class SelectLoop {
  private final int rank;
  private final Selector selector;
  private volatile boolean closing;

  private SelectLoop(int rank, Selector selector) {
    this.rank = rank;
    this.selector = selector;
  }

  static SelectLoop open(int rank) {
    try {
      return new SelectLoop(rank, Selector.open());
    } catch (IOException e) {
      throw BootstrapErrors.unavailable(
          "cannot open a selector", "none", e, "free file descriptors");
    }
  }

  Selector selector() {
    return selector;
  }

  /** Waits at most {@code nanos} and hands over each key that is ready. */
  void await(long nanos, Consumer<SelectionKey> action) {
    refuseWhenOver();
    try {
      if (nanos <= 0) {
        selector.selectNow();
      } else {
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
      }
    } catch (IOException e) {
      throw BootstrapErrors.unavailable(
          "cannot wait for sockets", "none", e, "free file descriptors");
    }
    refuseWhenOver();
    List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
    selector.selectedKeys().clear();
    ready.stream().filter(SelectionKey::isValid).forEach(action);
  }

  void requestClose() {
    closing = true;
    selector.wakeup();
  }

  void close() {
    QuietCloser.close(selector);
  }

  /** Throws if the end is closed or the thread is interrupted. */
  void refuseWhenOver() {
    if (closing) {
      throw BootstrapErrors.closed(rank);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw BootstrapErrors.interrupted(rank);
    }
  }
}
