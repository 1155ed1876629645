package dev.oriel.cuda.persistent;

import dev.oriel.cuda.ptx.Kernel;
import java.util.List;

/**
 * Where requests keep what their kernels count, in memory of each rank that all reach. A rank's
 * memory has as many places as there may be requests.
 *
 * <pre>
 * | slots: for each rank a row | a line for each lane | status | life | ...the next place
 * </pre>
 *
 * @param bases where each rank's memory is mapped
 */
record Places(List<Long> bases) {
  private static final int SIGNALS = 2;

  /** Bytes of a slot. */
  static final int SLOT = Kernel.LINE;

  /** Bytes of a rank's memory. */
  static long bytes(int world, int requests) {
    return requests * stride(world);
  }

  private static long slots(int world) {
    return (long) world * SIGNALS * CallKernel.MAX_LANES * Kernel.LINE;
  }

  private static long lanes(int world) {
    return (long) CallKernel.blocks(world, CallKernel.MAX_LANES) * Kernel.LINE;
  }

  /** Bytes of a place. */
  static long stride(int world) {
    return slots(world) + lanes(world) + 2L * Kernel.LINE;
  }

  private int world() {
    return bases.size();
  }

  long slots(int rank, int place) {
    return bases.get(rank) + place * stride(world());
  }

  long state(int rank, int place) {
    return slots(rank, place) + slots(world());
  }

  /** Status, then life a line behind it. */
  long status(int rank, int place) {
    return state(rank, place) + lanes(world());
  }

  long life(int rank, int place) {
    return status(rank, place) + Kernel.LINE;
  }

  /** Where in a place's slots the first of a source's row is, of a request with so many lanes. */
  static long row(int source, int lanes) {
    return (long) source * SIGNALS * lanes * Kernel.LINE;
  }

  /** How many slots a row has. */
  static int rowSlots(int lanes) {
    return SIGNALS * lanes;
  }
}
