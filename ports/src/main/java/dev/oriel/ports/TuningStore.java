package dev.oriel.ports;

import java.util.Optional;

/**
 * Remembers the configurations that a tuner chose.
 *
 * <p>Scope: one process or one host. A store promises nothing about the stores of other ranks, so a
 * world reads on one rank and shares the result before anything depends on it. Several threads may
 * use one store. Order: every later {@link #find} sees what one thread kept.
 *
 * <p>Keys and configurations are any text of 1 to {@link #MAX_LENGTH} characters without unpaired
 * surrogates; they are compared character by character.
 */
public interface TuningStore {

  /** Longest key or configuration, in characters. */
  int MAX_LENGTH = 4096;

  /**
   * The configuration last kept under that key.
   *
   * @throws IllegalArgumentException if the key is empty, too long or malformed
   * @throws MachineException if the kept configuration cannot be read
   */
  Optional<String> find(String key);

  /**
   * Keeps a configuration and replaces an earlier one, atomically.
   *
   * @throws IllegalArgumentException if key or configuration is empty, too long or malformed
   * @throws MachineException if it cannot be kept
   */
  void keep(String key, String configuration);
}
