package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.Step.Word;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * What ranks tell each other before the first call of a request: where each keeps its end of it.
 * Addresses need not be told, the window has exchanged them.
 *
 * <p>One cell for each sender is enough: who writes it again has ended a call of the request
 * before, and so heard from each reader that it has read.
 */
final class Handshake {
  private final Window window;
  private final GatherSpec spec;

  /** By peer: what its slot here held before the first of {@link #times}. */
  private final long[] before;

  private long times;

  Handshake(Window window, GatherSpec spec) {
    this.window = window;
    this.spec = spec;
    before = new long[window.world()];
  }

  /** Counts from now on; peers must be silent. */
  void renew() {
    times = 0;
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != window.rank()) {
        before[peer] = window.signalValue(peer, spec.signals());
      }
    }
  }

  void meet(Request request, Duration deadline) throws TimeoutException {
    int rank = window.rank();
    long staging = spec.cell(window.world());
    window.write(staging, cell(request));
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != rank) {
        for (Word word : Word.values()) {
          request.before(peer, word, window.signalValue(peer, spec.slot(request.place, word)));
        }
        window.put(peer, spec.cell(rank), staging, GatherSpec.CELL);
        window.signal(peer, spec.signals(), 1);
      }
    }
    times++;
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != rank) {
        window.await(peer, spec.signals(), Comparison.REACHED, before[peer] + times, deadline);
        heard(request, peer);
        window.flush(peer, deadline);
      }
    }
  }

  private static byte[] cell(Request request) {
    return ByteBuffer.allocate(GatherSpec.CELL)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(request.place)
        .putLong(request.key.offset())
        .putLong(request.key.length())
        .array();
  }

  private void heard(Request request, int peer) {
    ByteBuffer cell =
        ByteBuffer.wrap(window.read(spec.cell(peer), GatherSpec.CELL))
            .order(ByteOrder.LITTLE_ENDIAN);
    long place = cell.getLong();
    long offset = cell.getLong();
    long length = cell.getLong();
    if (offset != request.key.offset() || length != request.key.length()) {
      throw new MachineException(
          "ranks call different requests: rank=%d, request=(%s), peer=%d, offset=%d, length=%d; make the same calls in the same order"
              .formatted(window.rank(), request.key, peer, offset, length));
    }
    if (place < 0 || place >= spec.requests()) {
      throw new MachineException(
          "no such place of a request: rank=%d, peer=%d, place=%d, places=%d; give every rank the same specification, and leave its bytes alone"
              .formatted(window.rank(), peer, place, spec.requests()));
    }
    request.theirs[peer] = (int) place;
  }
}
