package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Fence;
import java.util.List;

/** Decides which elements of one queue pair may proceed under the ordering rules. */
final class Rules {
  private final Ordering ordering;

  Rules(Ordering ordering) {
    this.ordering = ordering;
  }

  /** Whether a write's bytes must be kept between reading and placing them. */
  boolean carries() {
    return !ordering.oneByOne();
  }

  boolean mayAct(List<Request> underWay, int i) {
    Request request = underWay.get(i);
    if (request.acted() || request.failure() != null || (ordering.oneByOne() && i > 0)) {
      return false;
    }
    Fence fence = request.element.head().fence();
    for (int j = 0; j < i; j++) {
      Request earlier = underWay.get(j);
      boolean unanswered = earlier.kind.answers() && !earlier.landed();
      if (earlier.failure() == null
          && ((fence.ordersReads() && unanswered)
              || (fence == Fence.STRONG && !earlier.landed())
              || (request.kind.answers()
                  && ordering.keeps(earlier.kind, request.kind)
                  && !earlier.effected()))) {
        return false;
      }
    }
    return true;
  }

  boolean mayLand(List<Request> underWay, int i) {
    Request request = underWay.get(i);
    if (!request.acted() || request.landed() || request.failure() != null) {
      return false;
    }
    if (request.kind != Kind.WRITE) {
      return true;
    }
    for (int j = 0; j < i; j++) {
      Request earlier = underWay.get(j);
      if (!earlier.effected() && keeps(earlier, request)) {
        return false;
      }
    }
    return true;
  }

  private boolean keeps(Request earlier, Request write) {
    if (earlier.kind != Kind.WRITE) {
      return ordering.keeps(earlier.kind, Kind.WRITE);
    }
    // A write that notifies the peer may overtake none of the earlier writes.
    return write.announces()
        || (ordering.keeps(Kind.WRITE, Kind.WRITE)
            && !ordering.anyPlacement()
            && !(ordering.relaxedRegions() && write.relaxed()));
  }

  /** For the oldest request that has not completed. */
  boolean mayComplete(Request request) {
    return request.failure() != null
        || request.landed()
        || (ordering.earlyCompletion() && request.kind == Kind.WRITE && request.acted());
  }
}
