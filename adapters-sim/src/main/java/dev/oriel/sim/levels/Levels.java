package dev.oriel.sim.levels;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The levels of one search, as far as they were reached. */
public interface Levels extends AutoCloseable {
  /** The number of the last level: the steps to its states. */
  int depth();

  /** What all levels came to. A search that goes on counts what was kept. */
  LevelCount total();

  /** The states of the last level; the search is complete if there are none. */
  long frontier();

  /** Bytes that count for the limit of memory; 0 where the workers have limits of their own. */
  long bytes();

  /**
   * Expands the last level. Returns what the next one came to, and is then at that level; empty,
   * and where it was, if the time was over before.
   *
   * @throws dev.oriel.ports.MachineException if the workers cannot; nothing is then counted
   */
  Optional<LevelCount> next(BooleanSupplier over);

  /** Keeps the last level, if there is a folder for it. */
  void keep();

  /** Releases what the search takes, except what is kept. */
  @Override
  void close();
}
