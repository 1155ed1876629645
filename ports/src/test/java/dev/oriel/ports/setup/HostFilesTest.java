package dev.oriel.ports.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.PciDistance;
import dev.oriel.domain.topology.PciPath;
import dev.oriel.domain.topology.RankFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of a host say, on files made for the test. */
final class HostFilesTest {
  @TempDir Path root;

  private void device(String below, String node) throws IOException {
    Path folder = Files.createDirectories(root.resolve("devices").resolve(below));
    Files.writeString(folder.resolve("numa_node"), node + "\n");
    Path bus = Files.createDirectories(root.resolve("bus/pci/devices"));
    Files.createSymbolicLink(bus.resolve(folder.getFileName()), folder);
  }

  @Test
  void anInterfaceAndAGpuAreComparedByTheirPlaces() throws IOException {
    device("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0", "1");
    device("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:01.0/0000:19:00.0", "1");
    Path nic = Files.createDirectories(root.resolve("class/infiniband/mlx5_0"));
    Files.createSymbolicLink(
        nic.resolve("device"), root.resolve("bus/pci/devices/0000:19:00.0"));
    PciPath gpu = PciDevices.at(root, "0000:18:00.0").orElseThrow();
    PciPath there = PciDevices.ofInterface(root, "mlx5_0").orElseThrow();
    assertThat(gpu.node()).isEqualTo(1);
    assertThat(there.address()).isEqualTo("0000:19:00.0");
    assertThat(gpu.to(there)).isEqualTo(PciDistance.SWITCH);
    assertThat(PciDevices.at(root, "0000:1f:00.0")).isEmpty();
    assertThat(PciDevices.ofInterface(root, "rxe0")).isEmpty();
  }

  @Test
  void hostsOfOneNameAreToldApartByTheirBoot() throws IOException {
    assertThat(HostIdentity.name(root)).isEqualTo("localhost");
    Path kernel = Files.createDirectories(root.resolve("proc/sys/kernel/random"));
    Files.writeString(kernel.resolveSibling("hostname"), "n\u00f6de 1\n");
    Files.writeString(kernel.resolve("boot_id"), "1234abcd-0000-0000-0000-000000000000\n");
    assertThat(HostIdentity.name(root)).isEqualTo("n_de_1-1234abcd");
    Files.writeString(kernel.resolveSibling("hostname"), "x".repeat(100));
    String longest = HostIdentity.name(root);
    assertThat(longest).hasSize(RankFacts.MAX_HOST_LENGTH).endsWith("-1234abcd");
    assertThat(RankFacts.of(longest, 0).host()).isEqualTo(longest);
    assertThat(RankFacts.of(HostIdentity.name(), 0).host()).isNotEmpty();
  }
}
