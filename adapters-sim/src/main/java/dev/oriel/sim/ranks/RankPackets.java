package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SpanChecks;
import dev.oriel.ports.setup.WindowErrors;
import java.util.concurrent.TimeoutException;

/** The packets of a window of one rank: checks of the arguments, and requests to the machine. */
final class RankPackets {
  private final RankWindowState part;
  private final RankLane lane;
  private final Ask ask;

  /** Requests a transfer from or into a buffer. */
  @FunctionalInterface
  interface Ask {
    LaneReply transfer(LaneRequest request, LocalBuffer buffer);
  }

  RankPackets(RankWindowState part, RankLane lane, Ask ask) {
    this.part = part;
    this.lane = lane;
    this.ask = ask;
  }

  void put(int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    part.reached.requireMapped(peer);
    check(peer, to, from, offset, length);
    LaneRequest put =
        LaneRequest.transfer(LaneOperation.PUT_PACKETS, peer, to.offset(), offset, length);
    LaneReply ignored = ask.transfer(put.with(0, to.flag()), from);
  }

  /** Whether the packets had arrived; with 0 nanoseconds it does not wait for them. */
  boolean take(WindowPackets from, LocalBuffer into, long offset, long length, long nanos) {
    check(lane.rank, from, into, offset, length);
    LaneRequest take =
        LaneRequest.taking(from.offset(), offset, length, from.flag(), lane.rank, nanos);
    return !ask.transfer(take, into).timedOut();
  }

  private void check(
      int owner, WindowPackets packets, LocalBuffer buffer, long offset, long length) {
    part.requireOpen();
    lane.memory.requirePackets(packets.format());
    WindowSpec spec = part.spec;
    SpanChecks.check(
        "window=" + spec.name() + ", owner=" + owner,
        packets.offset(),
        packets.image(length),
        spec.data().of(owner));
    SpanChecks.check("buffer", offset, length, buffer.bytes());
  }

  TimeoutException missing(WindowPackets packets, long length) {
    return new TimeoutException(
        WindowErrors.noPackets(part.spec.name(), lane.rank, packets, length));
  }
}
