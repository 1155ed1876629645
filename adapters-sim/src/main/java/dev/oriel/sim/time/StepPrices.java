package dev.oriel.sim.time;

import dev.oriel.sim.machine.Work;

/**
 * What one step of the machine takes by a {@link LinkModel}, in picoseconds of virtual time.
 *
 * <p>Coarser than {@link TimeDriver}: no port, interface or engine is ever busy with somebody else,
 * what a lane stores is there at once, and whoever had to wait for it pays for its way. A request
 * behind another one of its queue pays for its bytes alone. Barriers of a block cost nothing.
 */
public final class StepPrices {
  /** A millisecond: far beyond what anything else takes, so that who gives up does so last. */
  private static final long PATIENCE = 1_000_000_000;

  private final Costs costs;

  public StepPrices(LinkModel links) {
    costs = new Costs(links);
  }

  /**
   * The price of a step.
   *
   * @param waited whether its agent could not go on until somebody else took a step
   */
  public long of(Work work, boolean waited) {
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
      case PATIENCE -> PATIENCE;
    };
  }

  private long bytes(Work work) {
    return Math.round(costs.perByte(work.engine()) * work.bytes());
  }

  /** There and back, where loads or atomics go to another rank. */
  private long fetched(Work work) {
    return work.mapped() ? 2 * costs.nvlink.latency + costs.nvlink.time(work.bytes()) : 0;
  }

  private long travels(Work work) {
    return Math.max(work.bytes(), costs.rdma.signal);
  }
}
