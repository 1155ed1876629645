package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;

/**
 * A peer's part of a window: its data, and the slots that interfaces write. While a lane waits here
 * for room or for a completion, other lanes can use the fabric.
 */
record RemotePeer(int peer, FabricMonitor turns, VerbsRemote data, VerbsRemote slots) {

  /** Puts bytes. A word that is posted later to this peer is placed after them. */
  void put(long offset, VerbsMemory from, long fromOffset, long length) {
    for (long done = 0; done < length; done += VerbsRemote.PIECE) {
      long at = done;
      long bytes = Math.min(VerbsRemote.PIECE, length - at);
      post(() -> data.put(offset + at, from, fromOffset + at, bytes));
    }
  }

  void get(long offset, VerbsMemory into, long intoOffset, long length) {
    for (long done = 0; done < length; done += VerbsRemote.PIECE) {
      long at = done;
      long bytes = Math.min(VerbsRemote.PIECE, length - at);
      post(() -> data.get(offset + at, into, intoOffset + at, bytes));
    }
  }

  void word(long offset, long value) {
    post(() -> slots.wordRelease(offset, value));
  }

  /** Posts one request when there is room for it. */
  private void post(Runnable request) {
    turns.await(
        () -> {
          boolean room = data.room(1);
          if (room) {
            request.run();
          }
          return room;
        },
        this::stuck);
  }

  /** Waits until all posted requests have completed. */
  void flush(Deadline deadline) throws TimeoutException {
    long last = turns.locked(data::ask);
    turns.await(() -> data.ended(last), deadline, this::stuck);
  }

  private String stuck() {
    return "transfers do not come to their end: peer=%d; see that the peer lives and the link is up"
        .formatted(peer);
  }
}
