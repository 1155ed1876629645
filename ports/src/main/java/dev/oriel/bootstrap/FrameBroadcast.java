package dev.oriel.bootstrap;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Sends one frame from rank 0 to every member at the member's own pace. A member that does not take
 * it before the deadline is lost.
 */
final class FrameBroadcast {
  private final SelectLoop loop;
  private final Collection<FrameConnection> members;
  private final NavigableMap<Integer, String> lost = new TreeMap<>();

  FrameBroadcast(SelectLoop loop, Collection<FrameConnection> members) {
    this.loop = loop;
    this.members = members;
  }

  /** Returns the ranks that did not take the frame, with the reason; they are cut off. */
  NavigableMap<Integer, String> send(Frame frame, MonotonicDeadline deadline) {
    for (FrameConnection member : members) {
      member.listen(false);
      attempt(member, () -> member.send(frame));
    }
    while (members.stream().anyMatch(member -> !member.flushed()) && !deadline.passed()) {
      loop.await(deadline.left(), this::flush);
    }
    for (FrameConnection member : members) {
      if (!member.flushed()) {
        lose(member, "did not take the outcome before the deadline");
      }
      member.listen(true);
    }
    return lost;
  }

  private void flush(SelectionKey key) {
    if (key.attachment() instanceof FrameConnection member) {
      attempt(member, member::flush);
    }
  }

  private void attempt(FrameConnection member, Sending sending) {
    try {
      sending.run();
    } catch (IOException _) {
      lose(member, BootstrapErrors.ENDED);
    }
  }

  private void lose(FrameConnection member, String reason) {
    lost.put(member.rank(), reason);
    member.close();
  }

  @FunctionalInterface
  private interface Sending {
    @SuppressWarnings("UnusedReturnValue")
    boolean run() throws IOException;
  }
}
