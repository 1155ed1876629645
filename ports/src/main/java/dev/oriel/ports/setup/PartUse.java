package dev.oriel.ports.setup;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;

/** The open windows of which a buffer is a rank's part, and whether the buffer is closed. */
public final class PartUse {
  private final List<String> windows = new ArrayList<>();
  private boolean closed;

  /** Adds a window of that name; the result ends its use. */
  public synchronized Runnable hold(String window) {
    requireOpen();
    windows.add(window);
    return () -> release(window);
  }

  private synchronized void release(String window) {
    windows.remove(window);
  }

  /** Throws if the buffer is closed. */
  public synchronized void requireOpen() {
    if (closed) {
      throw new MachineException("buffer is closed; make another of the same memory");
    }
  }

  /**
   * Notes that the buffer is closed.
   *
   * @return whether it was open before
   * @throws MachineException if it is the part of an open window; it then stays open
   */
  public synchronized boolean close() {
    if (!windows.isEmpty()) {
      throw new MachineException(
          "buffer is the part of open windows: windows=%s; close them first".formatted(windows));
    }
    boolean open = !closed;
    closed = true;
    return open;
  }
}
