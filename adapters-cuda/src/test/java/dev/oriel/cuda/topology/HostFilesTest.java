package dev.oriel.cuda.topology;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void aGpuIsFoundByItsAddress() throws IOException {
    Path folder =
        Files.createDirectories(root.resolve("devices/pci0000:15/0000:15:01.0/0000:18:00.0"));
    Path bus = Files.createDirectories(root.resolve("bus/pci/devices"));
    Files.createSymbolicLink(bus.resolve("0000:18:00.0"), folder);
    GpuPlaces places = new GpuPlaces(root);
    assertThat(places.at("0000:18:00.0").map(PciPath::node)).contains(-1);
    Files.writeString(folder.resolve("numa_node"), "1\n");
    PciPath found = places.at("0000:18:00.0").orElseThrow();
    assertThat(found.node()).isEqualTo(1);
    assertThat(found.hops()).containsExactly("pci0000:15", "0000:15:01.0", "0000:18:00.0");
    assertThat(places.at("0000:1f:00.0")).isEmpty();
  }

  @Test
  void hostsOfOneNameAreDistinguishedByTheirBoot() throws IOException {
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
