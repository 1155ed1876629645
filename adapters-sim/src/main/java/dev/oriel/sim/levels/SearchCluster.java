package dev.oriel.sim.levels;

/** Workers that search level by level. */
public interface SearchCluster extends AutoCloseable {
  /**
   * The levels of that search: from the last kept one on, else from the first state on.
   *
   * @throws dev.oriel.ports.MachineException if the workers or the folder of kept levels belong to
   *     something else
   */
  Levels levels(SearchJob job);

  /** Releases the workers. */
  @Override
  void close();
}
