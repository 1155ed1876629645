package dev.oriel.ports.channel;

import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import java.util.Optional;

/**
 * The sending ends of a channel over several lanes of a rank: each lane has its own ring, slots and
 * cursors and carries its share of each message, so no lane waits for another.
 *
 * <p>The specification is that of lane 0. Rings are adjacent in the order of lanes; slots and
 * counters of the others have the ids after those of lane 0. Each lane proceeds through its
 * messages independently: one may be ahead of another.
 */
public final class LaneSenders {
  private final Window window;
  private final int peer;
  private final CopyOp op;
  private final Optional<LocalBuffer> stage;
  private final LaneEnds<Sender> ends;

  /** The ends at this rank of the channel to {@code peer}. */
  public LaneSenders(Window window, int peer, ChannelSpec first, int lanes, CopyOp op) {
    this(window, peer, first, lanes, op, Optional.empty());
  }

  /**
   * The same with a stage: bytes for the rings are first prepared in a buffer as long as all of
   * them.
   */
  public LaneSenders(
      Window window, int peer, ChannelSpec first, int lanes, CopyOp op, LocalBuffer stage) {
    this(window, peer, first, lanes, op, Optional.of(stage));
  }

  private LaneSenders(
      Window window,
      int peer,
      ChannelSpec first,
      int lanes,
      CopyOp op,
      Optional<LocalBuffer> stage) {
    this.window = window;
    this.peer = peer;
    this.op = op;
    this.stage = stage;
    this.ends = new LaneEnds<>(first, lanes);
  }

  /**
   * The end of that lane, created and announced to the peer on the first call.
   *
   * @throws IllegalArgumentException if the channel has no such lane
   */
  public Sender in(Lane lane) {
    return ends.in(
        lane.number(),
        (spec, share) -> {
          long from = share.number() * spec.bytes();
          Optional<Sender.Stage> own = stage.map(s -> new Sender.Stage(lane.buffer(s), from));
          return new Sender(lane.window(window), peer, spec, op, own, share);
        });
  }

  /** {@link Sender#send} of that lane's share of a message, which every lane sends. */
  public Transfer send(Lane lane, LocalBuffer from, long offset, long length) {
    LaneShare share = ends.share(lane.number());
    return in(lane)
        .send(
            lane.buffer(from),
            offset + share.begin(length, op.element()),
            share.length(length, op.element()));
  }

  /** Refuses to forward from a channel that divides messages differently. */
  void requireLanes(int lanes, int element) {
    if (lanes != ends.lanes() || element != op.element()) {
      throw new IllegalArgumentException(
          "shares differ: lanes=%d, next=%d, element=%d, next=%d; forward through as many lanes and elements of the same size"
              .formatted(lanes, ends.lanes(), element, op.element()));
    }
  }
}
