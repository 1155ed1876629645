package dev.oriel.sim.weak;

import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;

/** A word that lanes synchronise on: every value it was given, oldest first, and who read which. */
final class SyncWord {
  final List<Message> messages = new ArrayList<>();

  /** For each lane that read the word: the oldest message that it may still read. */
  final int[] views;

  /** An await that took the last message that any took. */
  record Read(int agent, int tick, int site, Comparison comparison, long value) {}

  final List<Read> reads = new ArrayList<>();

  /** The message that those reads took. */
  private int readMessage = -1;

  SyncWord(int lanes, int[] nothing) {
    views = new int[lanes];
    messages.add(Message.initial(nothing));
  }

  /** Notes that an await took a message. */
  void read(int message, Read read) {
    if (readMessage != message) {
      readMessage = message;
      reads.clear();
    }
    reads.add(read);
  }

  Message last() {
    return messages.getLast();
  }

  /** The oldest message that a reader who knows {@code clock} may still read. */
  int oldest(int lane, int[] clock) {
    for (int i = messages.size() - 1; i > views[lane]; i--) {
      Message m = messages.get(i);
      if (m.agent() < 0 || m.tick() <= clock[m.agent()]) {
        return i;
      }
    }
    return views[lane];
  }
}
