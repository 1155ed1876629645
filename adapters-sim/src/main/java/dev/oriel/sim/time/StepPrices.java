package dev.oriel.sim.time;

import dev.oriel.sim.machine.step.StepWork;

/**
 * The duration of one step of the machine under a {@link LinkModel}, in picoseconds of virtual
 * time.
 *
 * <p>It is coarser than {@link TimeDriver}: no port, interface or engine is ever busy with another
 * agent. A lane's stores arrive at once, and an agent that waited for one pays for its latency. A
 * request that follows another one of its queue pays for its bytes alone. Barriers of a block cost
 * nothing.
 */
public final class StepPrices {
  /** A millisecond: far longer than any other step, so a wait gives up last. */
  private static final long TIMEOUT = 1_000_000_000;

  private final LinkCosts costs;

  public StepPrices(LinkModel links) {
    costs = new LinkCosts(links);
  }

  /**
   * The price of a step.
   *
   * @param waited whether a step of another agent enabled its agent
   */
  public long of(StepWork work, boolean waited) {
    long near = waited && work.mapped() ? costs.nvlink.latency : 0;
    long far = waited ? costs.rdma.latency : 0;
    return switch (work.kind()) {
      case CALL -> costs.launch;
      case MOVE -> costs.startOf(work.engine()) + bytes(work) + fetched(work);
      case MOVE_PACKETS -> near + costs.poll + bytes(work);
      case SIGNAL -> work.words() * costs.issue;
      case RELEASE -> costs.fence + work.words() * costs.issue;
      case AWAIT -> near + costs.poll;
      case COMPLETION -> 2 * far + costs.poll;
      case LOAD -> costs.load;
      case STORE -> costs.issue;
      case ATOMIC -> costs.load + fetched(work);
      case FENCE -> costs.fence;
      case POST -> costs.post;
      case END -> 0;
      case FETCH -> waited ? costs.doorbell : costs.gap;
      case PLACE -> far + costs.rdma.overhead + costs.rdma.time(travels(work));
      case READ -> waited ? far : costs.gap;
      case FILL -> far + costs.rdma.time(travels(work));
      case UPDATE -> waited ? costs.nvlink.latency : costs.issue;
      case PROXY -> costs.poll + costs.post;
      case TIMEOUT -> TIMEOUT;
    };
  }

  private long bytes(StepWork work) {
    return Math.round(costs.perByte(work.engine()) * work.bytes());
  }

  /** A round trip, where loads or atomics go to another rank. */
  private long fetched(StepWork work) {
    return work.mapped() ? 2 * costs.nvlink.latency + costs.nvlink.time(work.bytes()) : 0;
  }

  private long travels(StepWork work) {
    return Math.max(work.bytes(), costs.rdma.signal);
  }
}
