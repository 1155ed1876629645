package dev.oriel.sim.machine.layout;

/**
 * Which row of {@code State.clocks} a clock is. What a component knows to have happened before what
 * it does next is the row of its own number.
 */
public final class ClockRows {
  private ClockRows() {}

  public static int count(Model model) {
    return strict(model, model.lanes, 0);
  }

  /** What the lane's last fence of at least that level ordered. */
  public static int fenced(Model model, int lane, int level) {
    return model.agents.components + lane * model.levels + level;
  }

  /** What the lane observed without acquiring; a fence of that level acquires it. */
  public static int pending(Model model, int lane, int level) {
    int before = model.agents.components + model.lanes * model.levels;
    return before + lane * model.levels + level;
  }

  /** What the lane's strict fences of that level ordered; of use where there are any. */
  public static int strict(Model model, int lane, int level) {
    int queues = model.scan.anyLoose ? 2 * model.agents.queues : model.agents.queues;
    int before = model.agents.components + 2 * model.lanes * model.levels + queues;
    int rows = model.scan.strict ? lane * model.levels + level : 0;
    return before + rows;
  }

  /** What is placed before whatever the queue places next. */
  public static int arranged(Model model, int queue) {
    int before = model.agents.components + 2 * model.lanes * model.levels;
    return before + queue;
  }

  /**
   * What the queue fetched in order, which leaves out loose requests; of use where there are any.
   */
  public static int inOrder(Model model, int queue) {
    return arranged(model, model.agents.queues) + queue;
  }
}
