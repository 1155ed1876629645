package dev.oriel.ports.channel;

import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/**
 * The receiving ends of a channel over several lanes of a rank; see {@link LaneSenders}. After the
 * lanes have ended, all lanes see the received bytes.
 */
public final class LaneReceivers {
  private final Window window;
  private final int peer;
  private final CopyOp op;
  private final LaneEnds<Receiver> ends;

  /** The ends at this rank of the channel from {@code peer}. */
  public LaneReceivers(Window window, int peer, ChannelSpec first, int lanes, CopyOp op) {
    this.window = window;
    this.peer = peer;
    this.op = op;
    this.ends = new LaneEnds<>(first, lanes);
  }

  /**
   * The end of that lane, created and announced to the peer on the first call.
   *
   * @throws IllegalArgumentException if the channel has no such lane
   */
  public Receiver in(Lane lane) {
    return ends.in(
        lane.number(), (spec, share) -> new Receiver(lane.window(window), peer, spec, op, share));
  }

  /** {@link Receiver#receive} of that lane's share of a message, which every lane receives. */
  public Transfer receive(Lane lane, LocalBuffer into, long offset, long length) {
    LaneShare share = ends.share(lane.number());
    return in(lane)
        .receive(
            lane.buffer(into),
            offset + share.begin(length, op.element()),
            share.length(length, op.element()));
  }

  /**
   * {@link Receiver#forward} of that lane's share of a message to the same lane's end of the next
   * channel.
   *
   * @throws IllegalArgumentException if that channel has another number of lanes
   */
  public Transfer forward(Lane lane, LocalBuffer into, long offset, long length, LaneSenders next) {
    next.requireLanes(ends.lanes(), op.element());
    LaneShare share = ends.share(lane.number());
    return in(lane)
        .forward(
            lane.buffer(into),
            offset + share.begin(length, op.element()),
            share.length(length, op.element()),
            next.in(lane));
  }
}
