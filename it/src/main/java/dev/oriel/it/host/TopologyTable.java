package dev.oriel.it.host;

import dev.oriel.cuda.topology.HostGpu;
import dev.oriel.domain.topology.FabricFacts;
import dev.oriel.domain.topology.PciPath;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * GPUs and network interfaces of a host as a table: one row for each GPU, with its way to each
 * other GPU and its distance over PCIe to each interface.
 *
 * @param interfaces by name, with their places
 */
record TopologyTable(List<HostGpu> gpus, SortedMap<String, Optional<PciPath>> interfaces) {
  private static final int GAP = 2;

  List<String> lines() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header());
    gpus.forEach(gpu -> rows.add(row(gpu)));
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("links    ");
      for (int column = 0; column < row.size(); column++) {
        int width = width(rows, column);
        line.append(row.get(column)).append(" ".repeat(width + GAP - row.get(column).length()));
      }
      lines.add(line.toString().stripTrailing());
    }
    gpus.forEach(gpu -> lines.add(details(gpu)));
    Topology topology = Topology.of(gpus.stream().map(HostGpu::facts).toList());
    lines.add("links    one rank on each GPU: NVLink domains " + topology.domains());
    return lines;
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElseThrow();
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of("from"));
    gpus.forEach(gpu -> header.add("gpu " + gpu.facts().device()));
    header.addAll(interfaces.keySet());
    return header;
  }

  private List<String> row(HostGpu gpu) {
    List<String> row = new ArrayList<>(List.of("gpu " + gpu.facts().device()));
    gpu.ways().forEach(way -> row.add(way.toString()));
    interfaces
        .values()
        .forEach(place ->
            row.add(
                gpu.place()
                    .flatMap(own -> place.map(other -> own.to(other).toString()))
                    .orElse("unknown")));
    return row;
  }

  private static String details(HostGpu gpu) {
    return "links    gpu %d: uuid=%s, pci=%s, numa=%s, nvlinks=%s, fabric=%s"
        .formatted(
            gpu.facts().device(),
            gpu.uuid(),
            gpu.place().map(PciPath::address).orElse("unknown"),
            gpu.place().map(p -> p.node() < 0 ? "unknown" : "" + p.node()).orElse("unknown"),
            gpu.nvlinks().isPresent() ? gpu.nvlinks().getAsInt() : "unknown",
            gpu.facts().fabric().map(TopologyTable::fabric).orElse("none"));
  }

  private static String fabric(FabricFacts facts) {
    return "%016x%016x clique %d%s"
        .formatted(
            facts.cluster().high(),
            facts.cluster().low(),
            facts.clique(),
            facts.usable() ? "" : " (not usable)");
  }
}
