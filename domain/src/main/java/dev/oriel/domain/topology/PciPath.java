package dev.oriel.domain.topology;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The place of a device among the PCIe bridges of its host.
 *
 * @param hops the processor's bridge, the bridges below it, and the device
 * @param node its NUMA node; -1 if the host does not say
 */
public record PciPath(List<String> hops, int node) {
  private static final Pattern ROOT = Pattern.compile("pci[0-9a-f]{4,8}:[0-9a-f]{2}");
  private static final Pattern FUNCTION =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /** A device behind a switch has the switch's port and itself after the hops that it shares. */
  private static final int BELOW_ONE_SWITCH = 2;

  public PciPath {
    hops = List.copyOf(hops);
    if (hops.isEmpty()) {
      throw new IllegalArgumentException("path without hops; name the bridge and the device");
    }
  }

  /**
   * The place that a folder of the kernel's device tree names, such as {@code
   * /sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0}; empty if the device is not on PCIe.
   */
  public static Optional<PciPath> parse(String folder, int node) {
    List<String> parts = Arrays.asList(folder.split("/"));
    int root = 0;
    while (root < parts.size() && !ROOT.matcher(parts.get(root)).matches()) {
      root++;
    }
    int end = root + 1;
    while (end < parts.size() && FUNCTION.matcher(parts.get(end)).matches()) {
      end++;
    }
    return end - root < 2
        ? Optional.empty()
        : Optional.of(new PciPath(parts.subList(root, end), node));
  }

  /** The way to another device of the same host. */
  public PciDistance to(PciPath other) {
    int shared = 0;
    int shorter = Math.min(hops.size(), other.hops.size());
    while (shared < shorter && hops.get(shared).equals(other.hops.get(shared))) {
      shared++;
    }
    if (shared == 0) {
      return node >= 0 && node == other.node ? PciDistance.NODE : PciDistance.SYSTEM;
    }
    if (shared == 1) {
      return PciDistance.BRIDGE;
    }
    int below = Math.max(hops.size(), other.hops.size()) - shared;
    return below <= BELOW_ONE_SWITCH ? PciDistance.SWITCH : PciDistance.SWITCHES;
  }

  /** The device's address on the bus. */
  public String address() {
    return hops.getLast();
  }
}
