package dev.oriel.it.options;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import picocli.CommandLine.Option;

/** The world: the option of every command for which hosts matter. */
public final class WorldOption {
  @Option(
      names = "--world",
      paramLabel = "WORLD",
      defaultValue = "1x2",
      description =
          "hosts x GPUs of a host, such as 2x4; the GPUs of each host, such as 3+1; or the ranks of each host, such as 0,2/1,3 or 0-2/3"
              + " (default: ${DEFAULT-VALUE}; check and prove explore several small worlds)")
  private String world = "";

  /** Replaces the default by that world. */
  void prefer(String other) {
    world = other;
  }

  public Topology topology() {
    return Topology.parse(world);
  }

  /** The world as tokens and verdicts write it. */
  public String text() {
    return WorldShape.parse(world).toString();
  }
}
