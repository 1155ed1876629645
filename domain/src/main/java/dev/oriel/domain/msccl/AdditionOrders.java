package dev.oriel.domain.msccl;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * An all-reduce in which gpus add the same chunk in different orders. Each result is right, but
 * with floating-point numbers they may differ from gpu to gpu in their last bits.
 *
 * @param chunk the first such chunk of those with the most orders
 * @param orders the number of different orders among the gpus
 */
public record AdditionOrders(int chunk, int orders) {

  /** The chunk with the most orders; empty if all gpus get the same bits. */
  public static Optional<AdditionOrders> of(MscclPlan plan) {
    if (plan.collective() != MscclCollective.ALLREDUCE) {
      return Optional.empty();
    }
    // Places and splits change no order.
    PlanWalk walk = PlanWalk.of(plan, MscclVariant.of(plan).getFirst());
    AdditionOrders most = new AdditionOrders(0, 1);
    for (int chunk = 0; chunk < plan.chunks(); chunk++) {
      List<Integer> results = walk.results(chunk);
      int orders = new HashSet<>(results).size();
      if (orders > most.orders) {
        most = new AdditionOrders(chunk, orders);
      }
    }
    return Optional.of(most).filter(found -> found.orders > 1);
  }

  /** The difference in words, for a person. */
  public String words() {
    return "gpus add chunk %d in %d different orders, so floating-point results may differ from gpu to gpu"
        .formatted(chunk, orders);
  }
}
