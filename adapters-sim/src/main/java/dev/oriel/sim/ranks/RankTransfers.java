package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotSums;
import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * The transfers of a window of one rank: to and from peers, with a signal or a count, and their
 * completion.
 */
final class RankTransfers {
  private final RankWindow window;
  private final RankLane lane;
  private final WindowSpec spec;
  private final WindowPlacement place;
  private final WindowChecks checks;
  private final WindowRequests requests;
  private final SlotSums sums;
  private final RankCounters counters;

  RankTransfers(
      RankWindow window,
      RankWindowState part,
      WindowChecks checks,
      WindowRequests requests,
      SlotSums sums,
      RankCounters counters) {
    this.window = window;
    this.lane = window.lane();
    this.spec = part.spec;
    this.place = part.place;
    this.checks = checks;
    this.requests = requests;
    this.sums = sums;
    this.counters = counters;
  }

  void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    LaneRequest put = request(LaneOperation.PUT, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    LaneReply ignored = requests.transfer(put, from, 0);
  }

  /** A put or get through interfaces that check those keys and nothing else. */
  void keyed(
      LaneOperation operation,
      int peer,
      long there,
      long here,
      long length,
      long localKey,
      long remoteKey) {
    LaneRequest request = request(operation, peer, there, window, here, length);
    if (operation == LaneOperation.GET) {
      lane.got.set(peer);
    } else {
      lane.unfenced.set(peer);
    }
    LaneReply ignored =
        requests.transfer(
            request.named(MemoryKeyFormat.given(localKey), MemoryKeyFormat.given(remoteKey)),
            window,
            0);
  }

  void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    checks.slot("signal", peer, id, spec.signals());
    lane.memory.requirePutSignals();
    checks.own(SlotLanes.Use.SIGNAL, peer, id);
    sums.requirePuts(spec.name(), peer, id);
    LaneRequest put = request(LaneOperation.PUT_SIGNAL, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    LaneReply ignored = requests.transfer(put.with(id, value), from, place.ids().signal());
  }

  void putCounted(int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    counters.check(peer, id);
    LaneRequest put = request(LaneOperation.PUT_COUNTED, peer, peerOffset, from, offset, length);
    lane.unfenced.set(peer);
    LaneReply ignored = requests.transfer(put.with(counters.word(peer, id), id), from, 0);
  }

  void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    LaneRequest get = request(LaneOperation.GET, peer, peerOffset, into, offset, length);
    lane.got.set(peer);
    LaneReply ignored = requests.transfer(get, into, 0);
  }

  private LaneRequest request(
      LaneOperation operation, int peer, long there, LocalBuffer buffer, long here, long length) {
    checks.span(checks.rank(peer), there, length);
    if (buffer == window) {
      checks.span(lane.rank, here, length);
    } else {
      long ignored = ArenaBuffer.at(buffer, here, length, lane);
    }
    return LaneRequest.transfer(operation, peer, there, here, length);
  }

  void flush(int peer, Duration deadline) throws TimeoutException {
    checks.rank(peer);
    LaneOperation operation = lane.got.get(peer) ? LaneOperation.FLUSH_GETS : LaneOperation.FLUSH;
    LaneRequest flush = LaneRequest.waiting(operation, peer, 0, 0, lane.nanos(deadline));
    if (requests.askPlain(flush).timedOut()) {
      throw new TimeoutException(
          "transfers not complete: window=%s, rank=%d, peer=%d; flush again"
              .formatted(spec.name(), lane.rank, peer));
    }
    lane.got.clear(peer);
  }
}
