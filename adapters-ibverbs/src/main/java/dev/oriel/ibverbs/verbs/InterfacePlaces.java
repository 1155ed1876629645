package dev.oriel.ibverbs.verbs;

import dev.oriel.domain.topology.PciPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The places of RDMA interfaces on PCIe, as the kernel's files show them.
 *
 * @param sysfs where they are; {@code /sys} on Linux
 */
public record InterfacePlaces(Path sysfs) {
  private static final int UNKNOWN = -1;

  /** The files of this host. */
  public static InterfacePlaces here() {
    return new InterfacePlaces(Path.of("/sys"));
  }

  /** The place of the interface of that name; empty if it is in software. */
  public Optional<PciPath> of(String name) {
    Path device = sysfs.resolve("class/infiniband").resolve(name).resolve("device");
    try {
      return PciPath.parse(device.toRealPath().toString(), node(device.resolve("numa_node")));
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
