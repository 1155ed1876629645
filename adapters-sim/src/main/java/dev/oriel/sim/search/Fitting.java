package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs searches as long as they fit into memory. What grows with a search is counted and has its
 * limit; what a heap is too small for all the same ends in figures here, and after that nothing is
 * executed any more.
 */
final class Fitting {
  private static final String REMEDY =
      "a smaller world, fewer bytes, lanes or launches, or a larger heap (-Xmx), reach further";

  private final Simulation simulation;
  private boolean exhausted;

  Fitting(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Whether memory ran out. */
  boolean exhausted() {
    return exhausted;
  }

  /**
   * Runs the search; if it does not fit, {@code reached} says how far it came, as a bound.
   *
   * @throws MachineException if not even its first step fits
   */
  void run(Runnable search, LongSupplier steps, Supplier<String> reached, List<String> bounds) {
    String lacking;
    try {
      search.run();
      return;
    } catch (OutOfMemoryError e) {
      simulation.release();
      lacking = full();
    } catch (MachineException e) {
      if (!e.environment() || steps.getAsLong() == 0) {
        throw e;
      }
      simulation.release();
      lacking = String.valueOf(e.getMessage());
    }
    if (steps.getAsLong() == 0) {
      throw MachineException.lacking(lacking);
    }
    exhausted = true;
    bounds.add("memory: stopped at %s: %s".formatted(reached.get(), lacking));
  }

  /** Makes what a search needs before it begins. */
  static <T> T made(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (OutOfMemoryError e) {
      throw MachineException.lacking(full());
    }
  }

  private static String full() {
    return "the heap is full: max=%d bytes; %s".formatted(Runtime.getRuntime().maxMemory(), REMEDY);
  }
}
