package dev.oriel.cuda.topology;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Device;
import dev.oriel.cuda.driver.NvmlLibrary;
import dev.oriel.domain.topology.FabricFacts;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.RankSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the GPUs that the driver shows to this process, with the facts from which a topology is
 * made. Access is the CUDA driver's answer for each pair; NVLink and the fabric are the answers of
 * the driver's management library; places on PCIe are the kernel's.
 */
public final class HostGpus {
  private HostGpus() {}

  /**
   * The GPUs, in the driver's order.
   *
   * @param settings of the ranks on them, applied to their facts
   * @throws dev.oriel.ports.MachineException saying what this host lacks
   */
  public static List<HostGpu> find(RankSettings settings) {
    return find(settings, GpuPlaces.here());
  }

  static List<HostGpu> find(RankSettings settings, GpuPlaces places) {
    CudaDriver.start();
    Optional<NvmlLibrary> nvml = NvmlLibrary.open();
    try {
      List<Device> shown = Device.shown();
      return shown.stream().map(gpu -> gpu(gpu, shown, nvml, settings, places)).toList();
    } finally {
      nvml.ifPresent(NvmlLibrary::close);
    }
  }

  private static HostGpu gpu(
      Device gpu,
      List<Device> shown,
      Optional<NvmlLibrary> nvml,
      RankSettings settings,
      GpuPlaces places) {
    IndexSet reached =
        IndexSet.of(
            shown.stream()
                .filter(other -> other.ordinal() == gpu.ordinal() || gpu.reaches(other))
                .mapToInt(other -> number(other, nvml))
                .toArray());
    Optional<FabricFacts> fabric = nvml.flatMap(library -> library.fabric(gpu.uuid()));
    RankFacts facts =
        new RankFacts(HostIdentity.name(), number(gpu, nvml), fabric, reached, settings);
    return new HostGpu(
        facts,
        gpu.uuid(),
        gpu.name(),
        places.at(gpu.busAddress()),
        nvml.map(library -> library.activeLinks(gpu.uuid())).orElse(OptionalInt.empty()),
        shown.stream().map(other -> way(gpu, other, nvml)).toList());
  }

  /** The number on this host, which a mask of the process does not change. */
  private static int number(Device gpu, Optional<NvmlLibrary> nvml) {
    return nvml.map(library -> library.index(gpu.uuid()))
        .orElse(OptionalInt.empty())
        .orElse(gpu.ordinal());
  }

  private static GpuWay way(Device from, Device to, Optional<NvmlLibrary> nvml) {
    if (from.ordinal() == to.ordinal()) {
      return new GpuWay(GpuWay.Access.SELF, GpuWay.Link.UNKNOWN);
    }
    GpuWay.Link link =
        nvml.flatMap(library -> library.joined(from.uuid(), to.uuid()))
            .map(joined -> joined ? GpuWay.Link.NVLINK : GpuWay.Link.PCIE)
            .orElse(GpuWay.Link.UNKNOWN);
    GpuWay.Access access = GpuWay.Access.NOTHING;
    if (from.reaches(to)) {
      access = from.changesAtomically(to) ? GpuWay.Access.ATOMICS : GpuWay.Access.STORES;
    }
    return new GpuWay(access, link);
  }
}
