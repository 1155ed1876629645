package dev.oriel.sim.litmus.test;

/** Where a thread runs; a thread outside any cluster is alone in it with its thread block. */
public record Placement(int gpu, int cluster, int cta) {

  public static Placement unclustered(int gpu, int cta) {
    return new Placement(gpu, -1 - cta, cta);
  }

  /** Whether both are in the same instance of that scope. */
  public boolean shares(LitmusScope scope, Placement other) {
    return switch (scope) {
      case SYS -> true;
      case GPU -> gpu == other.gpu;
      case CLUSTER -> gpu == other.gpu && cluster == other.cluster;
      case CTA -> equals(other);
    };
  }
}
