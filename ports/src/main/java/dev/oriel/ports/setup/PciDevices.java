package dev.oriel.ports.setup;

import dev.oriel.domain.topology.PciPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The PCIe devices of this host, as the kernel's files show them. */
public final class PciDevices {
  /** Where Linux shows devices. */
  public static final Path SYSFS = Path.of("/sys");

  private static final int UNKNOWN = -1;

  private PciDevices() {}

  /** The device with that address on the bus, such as {@code 0000:18:00.0}. */
  public static Optional<PciPath> at(Path sysfs, String address) {
    return path(sysfs.resolve("bus/pci/devices").resolve(address));
  }

  /** The device of a network interface for RDMA, by the interface's name. */
  public static Optional<PciPath> ofInterface(Path sysfs, String name) {
    return path(sysfs.resolve("class/infiniband").resolve(name).resolve("device"));
  }

  /** Empty if the kernel shows no such device, or does not say where it is. */
  private static Optional<PciPath> path(Path link) {
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
