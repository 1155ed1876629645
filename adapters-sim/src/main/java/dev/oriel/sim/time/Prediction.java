package dev.oriel.sim.time;

import dev.oriel.domain.topology.PeerKind;
import java.util.List;

/**
 * What a program is expected to cost.
 *
 * @param ends of each launch, the virtual nanoseconds until the last rank ended it
 * @param events that the simulator worked off
 * @param busiest the port that was taken longest
 */
public record Prediction(List<Double> ends, Traffic traffic, long events, Port busiest) {
  public Prediction {
    ends = List.copyOf(ends);
  }

  /**
   * What went over ports, signals and flags of packets included.
   *
   * @param nvlinkOut bytes that left all NVLink ports; they came in through others
   */
  public record Traffic(long messages, long nvlinkOut, long nvlinkIn, long rdmaOut, long rdmaIn) {
    /** Bytes on all links. */
    public long bytes() {
      return nvlinkOut + rdmaOut;
    }
  }

  /** A port of a rank, and how long and for how many bytes it was taken. */
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
