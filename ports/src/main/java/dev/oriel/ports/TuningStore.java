package dev.oriel.ports;

import java.util.Optional;

/**
 * Remembers which configuration a tuner chose.
 *
 * <p>Scope: one process or one host; a store promises nothing about those of other ranks, so a
 * world reads on one rank and shares what it read before anything depends on it. Several threads
 * may use one store. Order: what one thread kept, every later {@link #find} sees.
 *
 * <p>Keys and configurations are any text of 1 to {@link #MAX_LENGTH} characters without unpaired
 * surrogates, and are told apart character by character.
 */
public interface TuningStore {

  /** Longest key or configuration, in characters. */
  int MAX_LENGTH = 4096;

  /**
   * The configuration last kept under that key.
   *
   * @throws IllegalArgumentException if the key is empty, too long or malformed
   * @throws MachineException if what was kept cannot be read
   */
  Optional<String> find(String key);

  /**
   * Keeps a configuration, in the place of an earlier one; all of it or nothing.
   *
   * @throws IllegalArgumentException if key or configuration is empty, too long or malformed
   * @throws MachineException if it cannot be kept
   */
  void keep(String key, String configuration);
}
