package dev.oriel.it.options;

import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.mscclpp.LaunchFlags;
import dev.oriel.domain.rewrite.GraphReplay;

/**
 * How plans are executed.
 *
 * @param blocks what flags between blocks of MSCCL XML order
 * @param graph the graph whose replays pass packet flags of execution plans again
 */
public record PlanMode(FlagOrder blocks, GraphReplay graph) {
  LaunchFlags flags() {
    if (graph.eager()) {
      throw new IllegalArgumentException(
          "eager launches of a plan: option=--graph-replay, value=%s; an execution plan takes the number of launches alone"
              .formatted(graph.words()));
    }
    return new LaunchFlags(graph.launches());
  }
}
