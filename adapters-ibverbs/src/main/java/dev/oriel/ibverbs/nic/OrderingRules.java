package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.ElementFence;
import java.util.List;

/** Decides which elements of one queue pair may proceed under the ordering rules. */
final class OrderingRules {
  private final ElementOrdering ordering;

  OrderingRules(ElementOrdering ordering) {
    this.ordering = ordering;
  }

  /** Whether a write's bytes must be kept between reading and placing them. */
  boolean carries() {
    return !ordering.oneByOne();
  }

  boolean mayAct(List<ElementExecution> underWay, int i) {
    ElementExecution request = underWay.get(i);
    if (request.acted() || request.failure() != null || (ordering.oneByOne() && i > 0)) {
      return false;
    }
    ElementFence fence = request.element.head().fence();
    for (int j = 0; j < i; j++) {
      ElementExecution earlier = underWay.get(j);
      boolean unanswered = earlier.kind.answers() && !earlier.landed();
      if (earlier.failure() == null
          && ((fence.ordersReads() && unanswered)
              || (fence == ElementFence.STRONG && !earlier.landed())
              || (request.kind.answers()
                  && ordering.keeps(earlier.kind, request.kind)
                  && !earlier.effected()))) {
        return false;
      }
    }
    return true;
  }

  boolean mayLand(List<ElementExecution> underWay, int i) {
    ElementExecution request = underWay.get(i);
    if (!request.acted() || request.landed() || request.failure() != null) {
      return false;
    }
    if (request.kind != ElementKind.WRITE) {
      return true;
    }
    for (int j = 0; j < i; j++) {
      ElementExecution earlier = underWay.get(j);
      if (!earlier.effected() && keeps(earlier, request)) {
        return false;
      }
    }
    return true;
  }

  private boolean keeps(ElementExecution earlier, ElementExecution write) {
    if (earlier.kind != ElementKind.WRITE) {
      return ordering.keeps(earlier.kind, ElementKind.WRITE);
    }
    // A write that notifies the peer may overtake none of the earlier writes.
    return write.announces()
        || (ordering.keeps(ElementKind.WRITE, ElementKind.WRITE)
            && !ordering.anyPlacement()
            && !(ordering.relaxedRegions() && write.relaxed()));
  }

  /** For the oldest request that has not completed. */
  boolean mayComplete(ElementExecution request) {
    return request.failure() != null
        || request.landed()
        || (ordering.earlyCompletion() && request.kind == ElementKind.WRITE && request.acted());
  }
}
