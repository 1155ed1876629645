package dev.oriel.sim.time;

import dev.oriel.domain.topology.PeerKind;
import java.util.List;

/**
 * What a program is expected to cost.
 *
 * @param launches of each launch, the virtual nanoseconds from the end of the one before to its own
 * @param events that the simulator worked off
 * @param busiest the port that was taken longest
 */
public record Prediction(List<Double> launches, Traffic traffic, long events, Port busiest) {
  public Prediction {
    launches = List.copyOf(launches);
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
    return launches.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Virtual nanoseconds of the last launch, which the first ones no longer disturb. */
  public double last() {
    return launches.getLast();
  }
}
