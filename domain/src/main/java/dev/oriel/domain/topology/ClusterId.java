package dev.oriel.domain.topology;

/** The 16-byte identity of an NVLink cluster; all zero bits mean "no cluster". */
public record ClusterId(long high, long low) {

  /** The identity from an override: one 64-bit value in both halves. */
  public static ClusterId ofOverride(long value) {
    return new ClusterId(value, value);
  }

  /** Whether this is no cluster, as a single machine with its own NVLink switches reports. */
  public boolean isNone() {
    return (high | low) == 0;
  }
}
