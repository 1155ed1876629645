package dev.oriel.bootstrap;

import java.net.SocketAddress;
import java.util.ArrayDeque;

/** The latest peers that were turned away, for the message that says why ranks are missing. */
final class RecentRefusals {
  private static final int KEPT = 4;

  private final ArrayDeque<String> last = new ArrayDeque<>();
  private int count;

  void add(SocketAddress peer, String reason) {
    count++;
    last.addLast(peer + " " + BoundedText.bounded(reason, 200));
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  @Override
  public String toString() {
    return "refused=" + count + (last.isEmpty() ? "" : ", lastRefused=" + last);
  }
}
