package dev.oriel.it.options;

import dev.oriel.domain.topology.Topology;
import picocli.CommandLine.Option;

/** In which world: the option of every command to which hosts mean something. */
public final class WorldOption {
  @Option(
      names = "--world",
      paramLabel = "HxG",
      defaultValue = "1x2",
      description =
          "hosts x GPUs per host, such as 2x4 (default: ${DEFAULT-VALUE}; under check 2x1 for programs with one-sided calls)")
  private String world = "";

  /** Takes two ranks that only a network joins in place of what was asked for. */
  void preferNetwork() {
    world = "2x1";
  }

  public Topology topology() {
    return Topology.parse(world);
  }

  /** The world as it was written. */
  public String text() {
    return world;
  }
}
