package dev.oriel.cuda.topology;

import dev.oriel.domain.topology.PciPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The places of GPUs on PCIe, as the kernel's files show them.
 *
 * @param sysfs where they are; {@code /sys} on Linux
 */
record GpuPlaces(Path sysfs) {
  private static final int UNKNOWN = -1;

  /** The files of this host. */
  static GpuPlaces here() {
    return new GpuPlaces(Path.of("/sys"));
  }

  /**
   * The place of the device with that address, such as {@code 0000:18:00.0}; empty if the kernel
   * shows none.
   */
  Optional<PciPath> at(String address) {
    Path link = sysfs.resolve("bus/pci/devices").resolve(address);
    try {
      return PciPath.parse(link.toRealPath().toString(), node(link.resolve("numa_node")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static int node(Path file) {
    try {
      return Integer.parseInt(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
