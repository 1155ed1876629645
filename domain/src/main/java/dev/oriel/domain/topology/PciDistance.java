package dev.oriel.domain.topology;

import java.util.Locale;

/** The way between two devices of a host over PCIe, from short to long. */
public enum PciDistance {
  /** Through one switch. */
  SWITCH,
  /** Through several switches, below one port of the processor. */
  SWITCHES,
  /** Through the processor's bridge. */
  BRIDGE,
  /** Between bridges of one NUMA node. */
  NODE,
  /** Between NUMA nodes. */
  SYSTEM;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
