package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of a host say about interfaces, on files made for the test. */
final class InterfacePlacesTest {
  @TempDir Path root;

  @Test
  void anInterfaceInHardwareHasAPlace() throws IOException {
    Path folder =
        Files.createDirectories(root.resolve("devices/pci0000:15/0000:15:01.0/0000:19:00.1"));
    Files.writeString(folder.resolve("numa_node"), "0\n");
    Path nic = Files.createDirectories(root.resolve("class/infiniband/mlx5_0"));
    Files.createSymbolicLink(nic.resolve("device"), folder);
    Files.createDirectories(root.resolve("class/infiniband/rxe0"));
    InterfacePlaces places = new InterfacePlaces(root);
    assertThat(places.of("mlx5_0"))
        .hasValueSatisfying(place -> {
          assertThat(place.address()).isEqualTo("0000:19:00.1");
          assertThat(place.node()).isZero();
        });
    assertThat(places.of("rxe0")).isEmpty();
    assertThat(places.of("nothing")).isEmpty();
  }
}
