package dev.oriel.sim.machine.layout;

/**
 * Layout of {@code State.seen}, the causal clocks. For each lane there is a row of its leader, of
 * its worker and of single threads of the worker. Then follow rows of callers, and for each queue
 * the rows of what its requests ordered and observed. Columns count the awaits of leaders and
 * workers, and the fetches of components that fetch sources.
 */
public final class CausalClockIndex {
  private CausalClockIndex() {}

  public static int width(MachineModel model) {
    return 2 * model.lanes + model.agents.sources;
  }

  public static int count(MachineModel model) {
    return found(model, model.scan.finds ? model.agents.queues : 0);
  }

  public static int leader(MachineModel model, int lane) {
    return 2 * lane;
  }

  public static int worker(MachineModel model, int lane) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (threads ? 1 : 0);
  }

  public static int fresh(MachineModel model, int lane) {
    return 2 * model.lanes + lane;
  }

  public static int caller(MachineModel model, int rank) {
    return 3 * model.lanes + rank;
  }

  /** The fetches before all that the queue places from here on; used if requests order others. */
  public static int arranged(MachineModel model, int queue) {
    return caller(model, model.world) + queue;
  }

  /**
   * The causal clocks of the writers whose words the queue's requests read; used if any read. The
   * lane joins them with the requests' results.
   */
  public static int found(MachineModel model, int queue) {
    return arranged(model, model.scan.arranges ? model.agents.queues : 0) + queue;
  }

  /**
   * Names a snapshot in {@code State.causes} where a row of {@code State.seen} is expected. Later
   * events do not change it.
   */
  public static int kept(int causes) {
    return -2 - causes;
  }

  /** The column of a lane's awaits; the worker's if {@code worker}. */
  public static int column(MachineModel model, int lane, boolean worker) {
    boolean threads = model.agents.worker[lane] != model.agents.leader[lane];
    return 2 * lane + (worker && threads ? 1 : 0);
  }

  /** The column of a component that fetches sources. */
  public static int fetchColumn(MachineModel model, int component) {
    return 2 * model.lanes + model.agents.source[component];
  }
}
