package dev.oriel.sim.time;

import dev.oriel.domain.topology.PeerKind;
import java.util.List;

/**
 * The expected cost of a program.
 *
 * @param ends for each launch, the virtual nanoseconds until the last rank ended it
 * @param events the number of events that the simulator processed
 * @param busiest the port with the longest busy time
 */
public record CostPrediction(List<Double> ends, Traffic traffic, long events, Port busiest) {
  public CostPrediction {
    ends = List.copyOf(ends);
  }

  /**
   * The traffic of all ports, including signals and flags of packets.
   *
   * @param nvlinkOut bytes that left all NVLink ports; they entered through other ports
   */
  public record Traffic(long messages, long nvlinkOut, long nvlinkIn, long rdmaOut, long rdmaIn) {
    /** Bytes on all links. */
    public long bytes() {
      return nvlinkOut + rdmaOut;
    }
  }

  /** A port of a rank, with its busy time and its bytes. */
  public record Port(PeerKind kind, int rank, int rail, boolean in, double busyNanos, long bytes) {}

  /** Virtual nanoseconds from the first launch to the last rank's end. */
  public double total() {
    return ends.getLast();
  }

  /** Virtual nanoseconds of the first launch, which nothing precedes. */
  public double first() {
    return ends.getFirst();
  }

  /** Virtual nanoseconds from the end of the last launch but one to the end of the last. */
  public double last() {
    return ends.size() == 1 ? first() : ends.getLast() - ends.get(ends.size() - 2);
  }
}
