package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;

/**
 * The capacity of an interface.
 *
 * @param window elements of a queue pair that are under way at once
 * @param messageBytes the most bytes of one element
 * @param retries how often an element is tried again if its peer has no receive
 * @param objects the most queue pairs, completion queues and registered regions, each
 */
public record NicLimits(int window, int messageBytes, int retries, int objects) {
  public static final NicLimits DEFAULT = new NicLimits(16, 1 << 24, 1_000_000, 1 << 16);

  public NicLimits {
    if (window < 1 || messageBytes < 1 || retries < 0 || objects < 1) {
      throw new MachineException(
          "limits out of range: window=%d, messageBytes=%d, retries=%d, objects=%d; use at least 1, and 0 retries"
              .formatted(window, messageBytes, retries, objects));
    }
  }
}
