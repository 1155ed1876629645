package dev.oriel.cuda.topology;

import dev.oriel.domain.topology.PciPath;
import dev.oriel.domain.topology.RankFacts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * One GPU of this host, as a rank on it describes it.
 *
 * @param facts ready to be exchanged, with the rank's settings applied
 * @param place on PCIe; empty if the kernel does not say
 * @param nvlinks the number of its active NVLinks; empty if the driver's management library is not
 *     there
 * @param ways to each GPU that the driver shows, in the same order, itself included
 */
public record HostGpu(
    RankFacts facts,
    UUID uuid,
    String name,
    Optional<PciPath> place,
    OptionalInt nvlinks,
    List<GpuWay> ways) {
  public HostGpu {
    ways = List.copyOf(ways);
  }
}
