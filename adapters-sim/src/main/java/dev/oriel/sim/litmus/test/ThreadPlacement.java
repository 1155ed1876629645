package dev.oriel.sim.litmus.test;

/**
 * The GPU, cluster and thread block of a thread; outside any cluster, its block is a cluster of its
 * own.
 */
public record ThreadPlacement(int gpu, int cluster, int cta) {

  public static ThreadPlacement unclustered(int gpu, int cta) {
    return new ThreadPlacement(gpu, -1 - cta, cta);
  }

  /** Whether both are in the same instance of that scope. */
  public boolean shares(LitmusScope scope, ThreadPlacement other) {
    return switch (scope) {
      case SYS -> true;
      case GPU -> gpu == other.gpu;
      case CLUSTER -> gpu == other.gpu && cluster == other.cluster;
      case CTA -> equals(other);
    };
  }
}
