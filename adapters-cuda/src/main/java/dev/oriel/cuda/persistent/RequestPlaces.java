package dev.oriel.cuda.persistent;

import dev.oriel.cuda.ptx.PtxKernel;
import java.util.List;

/**
 * The places of requests, in memory of each rank that all ranks reach: the slots and epochs of
 * their kernels. A rank's memory has as many places as there may be requests.
 *
 * <pre>
 * | slots: for each rank a row | a line for each lane | status | life | ...the next place
 * </pre>
 *
 * @param bases where each rank's memory is mapped
 */
record RequestPlaces(List<Long> bases) {
  private static final int SIGNALS = 2;

  /** Bytes of a slot. */
  static final int SLOT = PtxKernel.LINE;

  /** Bytes of a rank's memory. */
  static long bytes(int world, int requests) {
    return requests * stride(world);
  }

  private static long slots(int world) {
    return (long) world * SIGNALS * CallKernel.MAX_LANES * PtxKernel.LINE;
  }

  private static long lanes(int world) {
    return (long) CallKernel.blocks(world, CallKernel.MAX_LANES) * PtxKernel.LINE;
  }

  /** Bytes of a place. */
  static long stride(int world) {
    return slots(world) + lanes(world) + 2L * PtxKernel.LINE;
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

  /** Status word; the life word is one line after it. */
  long status(int rank, int place) {
    return state(rank, place) + lanes(world());
  }

  long life(int rank, int place) {
    return status(rank, place) + PtxKernel.LINE;
  }

  /** The offset of a source's row of slots in a place, for a request with so many lanes. */
  static long row(int source, int lanes) {
    return (long) source * SIGNALS * lanes * PtxKernel.LINE;
  }

  /** The number of slots in a row. */
  static int rowSlots(int lanes) {
    return SIGNALS * lanes;
  }
}
