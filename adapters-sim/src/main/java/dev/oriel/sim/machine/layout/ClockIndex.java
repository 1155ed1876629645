package dev.oriel.sim.machine.layout;

/**
 * Numbers of the clocks in {@code State.clocks}. The row with a component's own number is its
 * clock: all that happens before the component's next event.
 */
public final class ClockIndex {
  private ClockIndex() {}

  public static int count(MachineModel model) {
    return strict(model, model.lanes, 0);
  }

  /** The clock that the lane's last fence of at least that level ordered. */
  public static int fenced(MachineModel model, int lane, int level) {
    return model.agents.components + lane * model.levels + level;
  }

  /** The clock that the lane's relaxed reads observed; a fence of that level acquires it. */
  public static int pending(MachineModel model, int lane, int level) {
    int before = model.agents.components + model.lanes * model.levels;
    return before + lane * model.levels + level;
  }

  /** The clock that the lane's strict fences of that level ordered; used if the program has any. */
  public static int strict(MachineModel model, int lane, int level) {
    int queues = model.scan.anyUnordered ? 2 * model.agents.queues : model.agents.queues;
    int before = model.agents.components + 2 * model.lanes * model.levels + queues;
    int rows = model.scan.strict ? lane * model.levels + level : 0;
    return before + rows;
  }

  /** The clock of all that is placed before the queue's next placements. */
  public static int arranged(MachineModel model, int queue) {
    int before = model.agents.components + 2 * model.lanes * model.levels;
    return before + queue;
  }

  /**
   * The clock of the queue's fetches in order, without unordered requests; used if there are any.
   */
  public static int inOrder(MachineModel model, int queue) {
    return arranged(model, model.agents.queues) + queue;
  }
}
