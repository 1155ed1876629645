package dev.oriel.it.options;

import dev.oriel.domain.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The worlds, one after another; each is written as {@link WorldOption} takes one. */
public final class WorldsOption {
  @Option(
      names = "--worlds",
      paramLabel = "WORLDS",
      defaultValue = "1x1,1x2,1x4",
      description =
          "worlds, such as 1x2,2x4,3+1. A world that lists its ranks, such as 0,2/1,3, needs its own --worlds"
              + " (default: ${DEFAULT-VALUE})")
  private List<String> worlds = List.of();

  public List<Topology> topologies() {
    return worlds.stream().flatMap(WorldsOption::each).map(Topology::parse).toList();
  }

  /** A comma separates worlds, or ranks of a host if the text lists hosts. */
  private static Stream<String> each(String text) {
    return text.indexOf('/') < 0 ? Arrays.stream(text.split(",", -1)) : Stream.of(text);
  }
}
