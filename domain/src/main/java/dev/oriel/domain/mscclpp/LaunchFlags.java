package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.Expr;

/**
 * The packet flag that the host passes to each launch. It counts launches, except where a captured
 * graph is replayed: every replay passes the flags of the capture again. The half of a double
 * scratch buffer goes with the flag.
 *
 * @param graph the number of the plan's launches in a graph; 0 if none is replayed
 */
public record LaunchFlags(int graph) {
  /** A flag of its own for each launch. */
  public static final LaunchFlags COUNTED = new LaunchFlags(0);

  /** The number from which a launch's flag is made. */
  Expr number() {
    return graph == 0 ? Expr.epoch() : Expr.epoch().minus(1).mod(Expr.of(graph)).plus(1);
  }

  /**
   * Whether some launch finds packets with its own flag. It does if no launch with another flag
   * uses the same scratch in between.
   */
  boolean stale(boolean doubleScratch) {
    // Of up to three flags in turns, one is the only one that is odd or even.
    return graph > 0 && graph <= (doubleScratch ? 3 : 1);
  }

  /**
   * The launch whose packets satisfy a reader: this one, or the first with its flag if that
   * launch's packets are still there.
   */
  Expr accepted(boolean doubleScratch) {
    if (!stale(doubleScratch)) {
      return Expr.epoch();
    }
    // Of three flags, the first and the third replace each other's packets.
    return graph < 3 ? number() : number().mod(Expr.of(2)).times(Expr.epoch().minus(2)).plus(2);
  }

  boolean replayed() {
    return graph > 0;
  }

  /** The replayed graph, for a person. */
  String words() {
    return "graph of %d %s, replayed".formatted(graph, graph == 1 ? "launch" : "launches");
  }
}
