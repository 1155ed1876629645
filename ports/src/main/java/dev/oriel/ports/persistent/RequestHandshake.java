package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Announces to the peers, before the first call of a request, the place of this rank's end of it.
 * Addresses are known from the window.
 *
 * <p>One cell for each sender is enough: before the sender writes it again, it has completed a call
 * of the previous request, and so has heard from each reader that it has read the cell.
 */
final class RequestHandshake {
  private final Window window;
  private final CallSpec spec;

  /** By peer: the value of its slot here before the first of {@link #times}. */
  private final long[] before;

  private long times;

  RequestHandshake(Window window, CallSpec spec) {
    this.window = window;
    this.spec = spec;
    before = new long[window.world()];
  }

  /** Restarts counting; peers must be silent. */
  void renew() {
    times = 0;
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != window.rank()) {
        before[peer] = window.signalValue(peer, spec.signals());
      }
    }
  }

  void meet(PersistentRequest request, Duration deadline) throws TimeoutException {
    int rank = window.rank();
    long staging = spec.cell(window.world());
    window.write(staging, cell(request));
    request.end.renew();
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != rank) {
        window.put(peer, spec.cell(rank), staging, CallSpec.CELL);
        window.signal(peer, spec.signals(), 1);
      }
    }
    times++;
    List<Integer> places = new ArrayList<>();
    for (int peer = 0; peer < before.length; peer++) {
      if (peer != rank) {
        window.await(peer, spec.signals(), Comparison.REACHED, before[peer] + times, deadline);
        places.add(heard(request, peer));
        window.flush(peer, deadline);
      } else {
        places.add(request.place);
      }
    }
    request.end.met(places);
  }

  private static byte[] cell(PersistentRequest request) {
    return ByteBuffer.allocate(CallSpec.CELL)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(request.place)
        .putLong(kind(request.key))
        .putLong(request.key.offset())
        .putLong(request.key.length())
        .array();
  }

  private int heard(PersistentRequest request, int peer) {
    ByteBuffer cell =
        ByteBuffer.wrap(window.read(spec.cell(peer), CallSpec.CELL)).order(ByteOrder.LITTLE_ENDIAN);
    long place = cell.getLong();
    long kind = cell.getLong();
    long offset = cell.getLong();
    long length = cell.getLong();
    if (kind != kind(request.key)
        || offset != request.key.offset()
        || length != request.key.length()) {
      throw new MachineException(
          "ranks call different requests: rank=%d, request=(%s), peer=%d, call=%s, offset=%d, length=%d; make the same calls in the same order"
              .formatted(window.rank(), request.key, peer, called(kind), offset, length));
    }
    if (place < 0 || place >= spec.requests()) {
      throw new MachineException(
          "no such place of a request: rank=%d, peer=%d, place=%d, places=%d; give every rank the same specification, and leave its bytes alone"
              .formatted(window.rank(), peer, place, spec.requests()));
    }
    return (int) place;
  }

  @SuppressWarnings("EnumOrdinal") // ranks run the same code
  private static long kind(RequestKey key) {
    return key.exchange().ordinal();
  }

  private static String called(long kind) {
    ExchangePattern[] all = ExchangePattern.values();
    return kind >= 0 && kind < all.length ? all[(int) kind].spelling() : "none";
  }
}
