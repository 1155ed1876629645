package dev.oriel.cuda.device;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;

/**
 * The places of one rank's tables in the memory that its handle adds to the window. Peers write to
 * the signals and arrivals; the rest is for the rank's own kernels. Each table begins at a line of
 * its own.
 *
 * <pre>
 * | signals | arrivals | peers | epochs | counters | steps | failure |
 * </pre>
 */
final class DeviceTables {
  /** Bytes between two tables at least, and between two slots. */
  static final int LINE = SlotMemory.NVLINK.stride();

  /** Bytes of {@code oriel::Peer}. */
  static final int PEER = 32;

  /** Bytes of {@code oriel::Failure}. */
  static final int FAILURE = 48;

  private final WindowLayout layout;
  private final int world;
  private final DeviceSlots slots;

  DeviceTables(DeviceSlots slots, int world) {
    this.slots = slots;
    this.world = world;
    WindowSpec spec = slots.spec();
    layout = WindowLayout.of(spec, Topology.grid(1, world));
  }

  private static long lines(long bytes) {
    return Math.ceilDiv(bytes, LINE) * (long) LINE;
  }

  /** Where {@code owner} keeps the first signal of {@code source}; 0 if there are none. */
  long signals(int owner, int source) {
    return slots.signals() == 0 ? 0 : layout.owner(owner).signalSlot(source, 0).offset();
  }

  /** Where {@code owner} keeps the first arrival of {@code source}; 0 if there are none. */
  long arrivals(int owner, int source) {
    return slots.barriers() == 0 ? 0 : layout.owner(owner).barrierSlot(source, 0).offset();
  }

  /** The first row of arrivals of any rank. */
  long arrivals() {
    return (world - 1L) * slots.signals() * LINE;
  }

  long peers() {
    return arrivals() + (world - 1L) * slots.barriers() * LINE;
  }

  long epochs() {
    return peers() + lines((long) world * PEER);
  }

  long counters() {
    return epochs() + lines((long) world * slots.barriers() * Long.BYTES);
  }

  long steps() {
    return counters() + lines((long) world * slots.counters() * Long.BYTES);
  }

  long failure() {
    return steps() + lines((long) world * slots.signals() * Long.BYTES);
  }

  /** Bytes of all tables, the same for each rank. */
  long bytes() {
    return failure() + lines(FAILURE);
  }
}
