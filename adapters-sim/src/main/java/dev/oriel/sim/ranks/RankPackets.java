package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.setup.Spans;
import dev.oriel.ports.setup.WindowErrors;
import java.util.concurrent.TimeoutException;

/** The packets of a window of one rank: checks of the arguments, and requests to the machine. */
final class RankPackets {
  private final RankPart part;
  private final RankLane lane;
  private final Ask ask;

  /** Requests a transfer from or into a buffer. */
  @FunctionalInterface
  interface Ask {
    Reply transfer(Request request, LocalBuffer buffer);
  }

  RankPackets(RankPart part, RankLane lane, Ask ask) {
    this.part = part;
    this.lane = lane;
    this.ask = ask;
  }

  void put(int peer, Packets to, LocalBuffer from, long offset, long length) {
    part.reached.requireMapped(peer);
    check(peer, to, from, offset, length);
    Request put = Request.transfer(Operation.PUT_PACKETS, peer, to.offset(), offset, length);
    Reply ignored = ask.transfer(put.with(0, to.flag()), from);
  }

  /** Whether the packets had arrived; with 0 nanoseconds it does not wait for them. */
  boolean take(Packets from, LocalBuffer into, long offset, long length, long nanos) {
    check(lane.rank, from, into, offset, length);
    Request take = Request.taking(from.offset(), offset, length, from.flag(), lane.rank, nanos);
    return !ask.transfer(take, into).timedOut();
  }

  private void check(int owner, Packets packets, LocalBuffer buffer, long offset, long length) {
    part.requireOpen();
    lane.memory.requirePackets(packets.format());
    WindowSpec spec = part.spec;
    Spans.check(
        "window=" + spec.name() + ", owner=" + owner,
        packets.offset(),
        packets.image(length),
        spec.data().of(owner));
    Spans.check("buffer", offset, length, buffer.bytes());
  }

  TimeoutException missing(Packets packets, long length) {
    return new TimeoutException(
        WindowErrors.noPackets(part.spec.name(), lane.rank, packets, length));
  }
}
