package dev.oriel.sim.machine;

/**
 * Where causality lies in {@link State#seen}: for each lane what its leader, its worker and single
 * threads of the worker observed, then what callers did, then for each queue what requests arranged
 * and what they found. Columns are leaders and workers (awaits) and components that fetch sources.
 */
final class SeenRows {
  private SeenRows() {}

  static int width(Model model) {
    return 2 * model.lanes + model.agents.sources;
  }

  static int count(Model model) {
    return found(model, model.scan.finds ? model.agents.queues : 0);
  }

  static int leader(Model model, int lane) {
    return 2 * lane;
  }

  static int worker(Model model, int lane) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (threads ? 1 : 0);
  }

  static int fresh(Model model, int lane) {
    return 2 * model.lanes + lane;
  }

  static int caller(Model model, int rank) {
    return 3 * model.lanes + rank;
  }

  /** What was fetched before all that the queue places from here on; where requests arrange. */
  static int arranged(Model model, int queue) {
    return caller(model, model.world) + queue;
  }

  /**
   * What those stand behind who left the words that requests of the queue found; where any do. The
   * lane learns of it as it learns of the result.
   */
  static int found(Model model, int queue) {
    return arranged(model, model.scan.arranges ? model.agents.queues : 0) + queue;
  }

  /**
   * In the place of a row of {@link State#seen}: a row of {@link State#causes}, which what comes
   * later does not change.
   */
  static int kept(int causes) {
    return -2 - causes;
  }

  /** Up to which fetch of a component whoever stands behind that row stands, -1 for no row. */
  static int fetches(Model model, State s, int row, int component) {
    return known(s, row, fetchColumn(model, component));
  }

  /** What the row says in that column, -1 for no row. */
  static int known(State s, int row, int column) {
    return row >= 0 ? s.seen.at(row, column) : row == -1 ? 0 : s.causes.at(-2 - row, column);
  }

  /** The column of a lane's awaits; the worker's if {@code worker}. */
  static int column(Model model, int lane, boolean worker) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (worker && threads ? 1 : 0);
  }

  /** The column of a component that fetches sources. */
  static int fetchColumn(Model model, int component) {
    return 2 * model.lanes + model.agents.source[component];
  }
}
