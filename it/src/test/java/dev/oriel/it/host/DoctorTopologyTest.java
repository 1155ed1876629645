package dev.oriel.it.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.faults.FakedProcess;
import dev.oriel.cuda.topology.GpuWay;
import dev.oriel.cuda.topology.GpuWay.Access;
import dev.oriel.cuda.topology.GpuWay.Link;
import dev.oriel.cuda.topology.HostGpu;
import dev.oriel.cuda.topology.HostIdentity;
import dev.oriel.domain.topology.ClusterId;
import dev.oriel.domain.topology.FabricFacts;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.PciPath;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.it.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topology that doctor draws, on libraries that stand in for NVIDIA's. */
final class DoctorTopologyTest {
  @TempDir Path folder;

  private List<String> doctor() throws IOException, InterruptedException {
    return FakedProcess.output(FakedProcess.start(folder, folder, Main.class, "doctor")).stream()
        .filter(line -> line.startsWith("links ") || line.startsWith("host "))
        .toList();
  }

  /** GPUs have the numbers of their host, not those of the process. */
  @Test
  void gpusAreShownWithTheirLinksAndFabric() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
    FakedProcess.management(folder);
    assertThat(doctor())
        .containsExactly(
            "host     " + HostIdentity.name(),
            "links    from   gpu 4           gpu 5",
            "links    gpu 4  self            nvlink atomics",
            "links    gpu 5  nvlink atomics  self",
            "links    gpu 4: uuid=01010101-0101-0101-0101-010101010101, pci=unknown, numa=unknown, nvlinks=5, fabric=00000000000000000000000000000009 clique 3",
            "links    gpu 5: uuid=02020202-0202-0202-0202-020202020202, pci=unknown, numa=unknown, nvlinks=5, fabric=00000000000000000000000000000009 clique 3 (not usable)",
            "links    one rank on each GPU: NVLink domains [{0,1}]");
  }

  @Test
  void gpusWithoutNvlinkAreJoinedByPcie() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
    FakedProcess.management(folder, "-DALONE");
    assertThat(doctor()).contains("links    gpu 4  self          pcie atomics");
  }

  /** Without the library, or if it does not start, the driver's answers remain. */
  @Test
  void withoutTheManagementLibraryLinksAreUnknown() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
    List<String> without = doctor();
    assertThat(without)
        .contains("links    gpu 0  self     atomics")
        .anyMatch(line -> line.contains("nvlinks=unknown, fabric=none"));
    FakedProcess.management(folder, "-DSILENT");
    assertThat(doctor()).isEqualTo(without);
  }

  private static Optional<PciPath> at(String folder, int node) {
    return PciPath.parse("/sys/devices/" + folder, node);
  }

  private static HostGpu gpu(int device, Optional<PciPath> place, List<GpuWay> ways) {
    RankFacts facts = RankFacts.of("host", device).withReachable(IndexSet.range(0, 2));
    return new HostGpu(
        device == 1 ? facts.withFabric(new FabricFacts(new ClusterId(0, 0), 1, true)) : facts,
        new UUID(0, device),
        "gpu",
        place,
        OptionalInt.of(0),
        ways);
  }

  @Test
  void interfacesAreShownWithTheirDistance() {
    GpuWay self = new GpuWay(Access.SELF, Link.UNKNOWN);
    TreeMap<String, Optional<PciPath>> interfaces = new TreeMap<>();
    interfaces.put("mlx5_0", at("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:01.0", 0));
    interfaces.put("mlx5_1", at("pci0000:90/0000:90:01.0/0000:91:00.0", 1));
    interfaces.put("rxe0", Optional.empty());
    List<HostGpu> gpus =
        List.of(
            gpu(
                0,
                at("pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/0000:18:00.0", 0),
                List.of(self, new GpuWay(Access.STORES, Link.PCIE))),
            gpu(
                1,
                at("pci0000:90/0000:90:02.0/0000:92:00.0", 1),
                List.of(new GpuWay(Access.NOTHING, Link.PCIE), self)));
    assertThat(new TopologyTable(gpus, interfaces).lines())
        .containsExactly(
            "links    from   gpu 0    gpu 1        mlx5_0  mlx5_1  rxe0",
            "links    gpu 0  self     pcie stores  switch  system  unknown",
            "links    gpu 1  nothing  self         system  bridge  unknown",
            "links    gpu 0: uuid=00000000-0000-0000-0000-000000000000, pci=0000:18:00.0, numa=0, nvlinks=0, fabric=none",
            "links    gpu 1: uuid=00000000-0000-0000-0000-000000000001, pci=0000:92:00.0, numa=1, nvlinks=0, fabric=00000000000000000000000000000000 clique 1 (not usable)",
            "links    one rank on each GPU: NVLink domains [{0,1}]");
  }
}
