package dev.oriel.sim.machine.layout;

/**
 * Where causality lies in {@code State.seen}: for each lane what its leader, its worker and single
 * threads of the worker observed, then what callers did, then for each queue what requests arranged
 * and what they found. Columns are leaders and workers (awaits) and components that fetch sources.
 */
public final class SeenRows {
  private SeenRows() {}

  public static int width(Model model) {
    return 2 * model.lanes + model.agents.sources;
  }

  public static int count(Model model) {
    return found(model, model.scan.finds ? model.agents.queues : 0);
  }

  public static int leader(Model model, int lane) {
    return 2 * lane;
  }

  public static int worker(Model model, int lane) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (threads ? 1 : 0);
  }

  public static int fresh(Model model, int lane) {
    return 2 * model.lanes + lane;
  }

  public static int caller(Model model, int rank) {
    return 3 * model.lanes + rank;
  }

  /** What was fetched before all that the queue places from here on; where requests arrange. */
  public static int arranged(Model model, int queue) {
    return caller(model, model.world) + queue;
  }

  /**
   * What those stand behind who left the words that requests of the queue found; where any do. The
   * lane learns of it as it learns of the result.
   */
  public static int found(Model model, int queue) {
    return arranged(model, model.scan.arranges ? model.agents.queues : 0) + queue;
  }

  /**
   * In the place of a row of {@code State.seen}: a row of {@code State.causes}, which what comes
   * later does not change.
   */
  public static int kept(int causes) {
    return -2 - causes;
  }

  /** The column of a lane's awaits; the worker's if {@code worker}. */
  public static int column(Model model, int lane, boolean worker) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (worker && threads ? 1 : 0);
  }

  /** The column of a component that fetches sources. */
  public static int fetchColumn(Model model, int component) {
    return 2 * model.lanes + model.agents.source[component];
  }
}
