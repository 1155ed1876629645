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
  /** What is kept free for saying what became of a search that filled the heap. */
  private static final int SPARE = 1 << 20;

  /** Of small heaps, so much of them. */
  private static final int SHARE = 64;

  private static final byte[] NONE = {};

  private static final String REMEDY =
      "a smaller world, fewer bytes, lanes or launches, or a larger heap (-Xmx), reach further";

  private final Simulation simulation;
  private boolean exhausted;

  @SuppressWarnings("UnusedVariable") // held until the heap is full, and then let go
  private byte[] spare;

  Fitting(Simulation simulation) {
    this.simulation = simulation;
    spare = made(() -> new byte[(int) Math.min(SPARE, Runtime.getRuntime().maxMemory() / SHARE)]);
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
      spare = NONE;
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
