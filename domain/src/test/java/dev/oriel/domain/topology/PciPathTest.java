package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PciPathTest {
  private static final String PORT = "/sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0";
  private static final PciPath GPU = path(PORT + "/0000:17:00.0/0000:18:00.0", 0);

  private static PciPath path(String folder, int node) {
    return PciPath.parse(folder, node).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "/0000:17:01.0/0000:19:00.0, SWITCH",
    "/0000:17:02.0, SWITCH",
    "/0000:17:01.0/0000:1a:00.0/0000:1b:00.0/0000:1c:00.0, SWITCHES",
  })
  void devicesBelowOnePortAreReachedThroughSwitches(String rest, PciDistance distance) {
    assertThat(GPU.to(path(PORT + rest, 0))).isEqualTo(distance);
    assertThat(path(PORT + rest, 0).to(GPU)).isEqualTo(distance);
  }

  @ParameterizedTest
  @CsvSource({
    "pci0000:15/0000:15:02.0, 0, BRIDGE",
    "pci0000:26/0000:26:01.0, 0, NODE",
    "pci0000:26/0000:26:01.0, 1, SYSTEM",
    "pci0000:26/0000:26:01.0, -1, SYSTEM",
    "pci10000:15/10000:15:01.0, 0, NODE",
  })
  void otherPortsAreFurther(String rest, int node, PciDistance distance) {
    assertThat(GPU.to(path("/sys/devices/" + rest, node))).isEqualTo(distance);
  }

  /** Two hosts of one number, neither of which says its node, are not taken to share one. */
  @Test
  void unknownNodesAreNotEqual() {
    PciPath one = path("/sys/devices/pci0000:15/0000:15:01.0", -1);
    assertThat(one.to(path("/sys/devices/pci0000:26/0000:26:01.0", -1)))
        .isEqualTo(PciDistance.SYSTEM);
  }

  @ParameterizedTest
  @CsvSource({"/sys/devices/virtual/net/lo", "/sys/devices/pci0000:15", "''", "pci0000:15/x"})
  void devicesElsewhereHaveNoPath(String folder) {
    assertThat(PciPath.parse(folder, 0)).isEmpty();
  }

  @Test
  void whatIsBelowADeviceIsNotPartOfItsPath() {
    assertThat(path(PORT + "/0000:17:00.0/infiniband/mlx5_0", 0).address())
        .isEqualTo("0000:17:00.0");
  }
}
