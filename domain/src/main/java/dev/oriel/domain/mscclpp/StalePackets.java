package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionMemory.Span;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.program.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Packets of replays whose flags are stale. Such packets are plain bytes in the program, and a
 * counter {@code sent} takes the place of the flag: released after the packets are written, and
 * acquired before they are read. It makes readers wait in the first launch with that flag only.
 *
 * <p>The counter orders all that its block did before, which the packet does not. So mistakes that
 * the launches before the capture show as well are left to their check.
 */
final class StalePackets {
  private final ExecutionMemory memory;
  private final Expr accepted;

  /** For each operation that writes packets: its number among those of its gpu. */
  private final Map<Operation, Integer> numbers = new HashMap<>();

  /** For each gpu: the packets that arrive, and the operation that writes them. */
  private final Map<Integer, List<Arrival>> arrivals = new HashMap<>();

  /** The packets of an operation in a gpu's scratch. */
  record Arrival(Operation from, Span span) {}

  StalePackets(ExecutionPlan plan, ExecutionMemory memory, LaunchFlags flags) {
    this.memory = memory;
    accepted = flags.accepted(plan.doubleScratch());
    if (!plan.packets() || !flags.stale(plan.doubleScratch())) {
      return;
    }
    for (Gpu gpu : plan.gpus()) {
      int count = 0;
      for (Block block : gpu.blocks()) {
        for (Operation of : block.operations()) {
          if (of.type().packetDestination(1)) {
            numbers.put(of, count++);
            arrive(of);
          }
        }
      }
    }
  }

  private void arrive(Operation of) {
    for (int d = 0; d < of.destinations().size(); d++) {
      if (of.type().packetDestination(d)) {
        Place place = of.destinations().get(d);
        for (int rank : place.ranks()) {
          memory
              .span(of, place, rank, true, 0)
              .ifPresent(span ->
                  arrivals
                      .computeIfAbsent(rank, r -> new ArrayList<>())
                      .add(new Arrival(of, span)));
        }
      }
    }
  }

  /** The launch for whose packets a reader waits. */
  Expr accepted() {
    return accepted;
  }

  /** The number of counters of a gpu. */
  int counters() {
    return numbers.values().stream().mapToInt(number -> number + 1).max().orElse(0);
  }

  /** Whether the end of an operation is counted. */
  boolean counted(Operation of) {
    return numbers.containsKey(of);
  }

  int number(Operation of) {
    return numbers.getOrDefault(of, -1);
  }

  /** The operations whose packets that operation reads. */
  List<Operation> sources(Operation of) {
    Set<Operation> found = new HashSet<>();
    List<Operation> inOrder = new ArrayList<>();
    for (int s = 0; s < of.sources().size(); s++) {
      if (of.type().packetSource(s)) {
        Place place = of.sources().get(s);
        memory
            .span(of, place, of.gpu(), true, 0)
            .ifPresent(span -> {
              for (Arrival arrival : arrivals.getOrDefault(of.gpu(), List.of())) {
                boolean overlap =
                    arrival.span.offset() < span.end() && span.offset() < arrival.span.end();
                if (overlap && found.add(arrival.from)) {
                  inOrder.add(arrival.from);
                }
              }
            });
      }
    }
    return inOrder;
  }
}
