package dev.oriel.ports.channel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One end for each lane of a channel; only its own lane touches it. */
final class LaneEnds<E> {
  private final ChannelSpec first;
  private final List<Optional<E>> ends;

  /** Makes the end of a lane. */
  @FunctionalInterface
  interface Maker<E> {
    E make(ChannelSpec spec, LaneShare share);
  }

  LaneEnds(ChannelSpec first, int lanes) {
    // Otherwise the data slot of one lane is the free slot of another if both directions are used.
    if (lanes < 1 || Math.abs(first.data() - first.free()) < lanes) {
      throw new IllegalArgumentException(
          "slots of lanes overlap: lanes=%d, data=%d, free=%d; use ids that are at least as far apart as there are lanes"
              .formatted(lanes, first.data(), first.free()));
    }
    this.first = first;
    this.ends = new ArrayList<>(Collections.nCopies(lanes, Optional.empty()));
  }

  int lanes() {
    return ends.size();
  }

  LaneShare share(int lane) {
    if (lane >= ends.size()) {
      throw new IllegalArgumentException(
          "no such lane of the channel: lane=%d, lanes=%d; run as many lanes as the channel has"
              .formatted(lane, ends.size()));
    }
    return new LaneShare(lane, ends.size());
  }

  E in(int lane, Maker<E> maker) {
    LaneShare share = share(lane);
    Optional<E> known = ends.get(lane);
    if (known.isPresent()) {
      return known.get();
    }
    E made = maker.make(first.lane(lane), share);
    ends.set(lane, Optional.of(made));
    return made;
  }
}
