package dev.oriel.cuda.process;

import dev.oriel.cuda.driver.OpenDescriptor;

/** Open files that ranks send each other. */
public interface PeerFiles {

  /** Sends a file to all others; it stays the caller's. */
  void hand(OpenDescriptor file);

  /**
   * The next file that a peer sent before a step on which all ranks agreed; the caller closes it.
   *
   * @throws dev.oriel.ports.MachineException if there is none
   */
  OpenDescriptor take(int peer);
}
