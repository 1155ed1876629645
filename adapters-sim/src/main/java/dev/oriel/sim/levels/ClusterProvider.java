package dev.oriel.sim.levels;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Connects to workers; what the class path provides is found by {@link java.util.ServiceLoader}.
 */
public interface ClusterProvider {
  /** Whether it knows addresses such as this one. */
  boolean knows(String address);

  /**
   * Connects to the workers.
   *
   * @param folder where levels are kept, which all workers see; empty for a folder that is removed
   *     at the end
   * @throws dev.oriel.ports.MachineException if they cannot be had
   */
  SearchCluster connect(String address, Optional<Path> folder);
}
