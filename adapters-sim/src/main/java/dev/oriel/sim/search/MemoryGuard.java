package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs searches as long as they fit into memory. A search counts the memory that it uses and has a
 * limit for it. If the heap is exhausted nevertheless, this class reports how far the search came,
 * and executes nothing afterwards.
 */
final class MemoryGuard {
  /** Reserved bytes, from which a search that filled the heap can still be reported. */
  private static final int SPARE = 1 << 20;

  /** The reserved part of a small heap. */
  private static final int SHARE = 64;

  private static final byte[] NONE = {};

  private static final String REMEDY =
      "a smaller world, fewer bytes, lanes or launches, or a larger heap (-Xmx), reach further";

  private final Simulation simulation;
  private boolean exhausted;

  @SuppressWarnings("UnusedVariable") // held until the heap is full, then released
  private byte[] spare;

  MemoryGuard(Simulation simulation) {
    this.simulation = simulation;
    spare = made(() -> new byte[(int) Math.min(SPARE, Runtime.getRuntime().maxMemory() / SHARE)]);
  }

  /** Whether memory ran out. */
  boolean exhausted() {
    return exhausted;
  }

  /**
   * Runs the search. If it does not fit, {@code reached} gives its progress, which becomes a bound.
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
    bounds.add(CheckReport.MEMORY + "stopped at %s: %s".formatted(reached.get(), lacking));
  }

  /** Builds the data that a search needs before it begins. */
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
