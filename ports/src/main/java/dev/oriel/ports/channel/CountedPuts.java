package dev.oriel.ports.channel;

import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.LocalBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** What one end puts into the ring at the other, and which of these sources were read. */
final class CountedPuts {
  private final End end;
  private long made;

  /** How many were made before the ring was begun anew. */
  private long earlier;

  CountedPuts(End end) {
    this.end = end;
  }

  /** Puts bytes where the ring has come to. */
  void put(LocalBuffer source, long at, long bytes) {
    int counter = end.spec.drained();
    end.window.putCounted(end.peer, end.cursor.place(), source, at, bytes, counter);
    made++;
  }

  /** The ring begins anew: whoever makes sources as long as it is makes them where others were. */
  void turn() {
    earlier = made;
  }

  /** Whether all sources were read. */
  boolean read() {
    return read(made);
  }

  void awaitRead(Duration patience) throws TimeoutException {
    await(made, patience);
  }

  /** Whether the sources from before the ring was begun anew were. */
  boolean earlierRead() {
    return earlier == 0 || read(earlier);
  }

  void awaitEarlierRead(Duration patience) throws TimeoutException {
    if (earlier != 0) {
      await(earlier, patience);
    }
  }

  private boolean read(long count) {
    if (!Comparison.REACHED.test(end.window.counterValue(end.peer, end.spec.drained()), count)) {
      return false;
    }
    End.atOnce(() -> await(count, End.AT_ONCE));
    return true;
  }

  private void await(long count, Duration patience) throws TimeoutException {
    end.window.awaitCounter(end.peer, end.spec.drained(), Comparison.REACHED, count, patience);
  }
}
