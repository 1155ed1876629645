package dev.oriel.domain.topology;

/**
 * A GPU driver's facts about the multi-host NVLink fabric: its cluster, its clique, and whether
 * joining it has completed.
 */
public record FabricFacts(ClusterId cluster, int clique, boolean completed) {

  /**
   * Whether two GPUs with equal facts may rely on the fabric.
   *
   * <p>A GPU whose cluster is all zero is on no fabric, even if its driver says "completed": hosts
   * that share no switch would otherwise look like one clique.
   */
  public boolean usable() {
    return completed && !cluster.isNone();
  }
}
