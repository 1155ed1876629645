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
 * When the source of a packet may be overwritten. A packet orders no other memory, but it depends
 * on the reads of its sources. So whatever is written because the packet arrived comes after those
 * reads. The program says this by a counter {@code sent}: released after the packets are written,
 * and acquired before they are read.
 *
 * <p>The counter orders more, namely all that its block did before. That could hide a mistake where
 * a block uses plain bytes of another. So a plan has no such counters unless all bytes that blocks
 * hand to each other are in packets. In replays whose flags are stale, packets are plain bytes, and
 * the counter takes the place of the flag: it makes readers wait in the first launch with that flag
 * only.
 */
final class PacketSources {
  private final ExecutionMemory memory;
  private final Expr accepted;

  /** For each operation that writes packets: its number among those of its gpu. */
  private final Map<Operation, Integer> numbers = new HashMap<>();

  /** For each gpu: the packets that arrive, and the operation that writes them. */
  private final Map<Integer, List<Arrival>> arrivals = new HashMap<>();

  /** The packets of an operation in a gpu's scratch. */
  record Arrival(Operation from, Span span) {}

  PacketSources(ExecutionPlan plan, ExecutionMemory memory, LaunchFlags flags) {
    this.memory = memory;
    accepted = flags.accepted(plan.doubleScratch());
    boolean counted = flags.stale(plan.doubleScratch()) || onlyPackets(plan);
    if (!plan.packets() || !counted) {
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

  /**
   * Whether blocks hand plain bytes to no other block: no plain operation reaches a peer, and the
   * bytes that one block writes are used by no other, but for packets that a block writes from them
   * before it has read any.
   */
  private boolean onlyPackets(ExecutionPlan plan) {
    Map<List<Object>, Block> writers = new HashMap<>();
    for (Block block : plan.blocks().toList()) {
      for (Operation of : block.operations()) {
        for (int d = 0; d < of.destinations().size(); d++) {
          Place place = of.destinations().get(d);
          if (of.type().packetDestination(d)) {
            continue;
          }
          if (!place.local(block.gpu())) {
            return false;
          }
          for (List<Object> part : parts(of, place)) {
            Block other = writers.putIfAbsent(part, block);
            if (other != null && !other.equals(block)) {
              return false;
            }
          }
        }
      }
    }
    return plan.blocks().allMatch(block -> readsItsOwn(block, writers));
  }

  private boolean readsItsOwn(Block block, Map<List<Object>, Block> writers) {
    boolean informed = false;
    for (Operation of : block.operations()) {
      informed |= of.type().packetSource(0) || of.type().packetSource(1);
      boolean first = !informed && of.type().packetDestination(0);
      for (int s = 0; s < of.sources().size(); s++) {
        Place place = of.sources().get(s);
        if (of.type().packetSource(s)) {
          continue;
        }
        boolean others =
            !place.local(block.gpu())
                || parts(of, place).stream()
                    .anyMatch(part -> !writers.getOrDefault(part, block).equals(block));
        if (others && !first) {
          return false;
        }
      }
    }
    return block.operations().stream().allMatch(of -> of.inner().isEmpty());
  }

  /** The units of the program's memory at a place. */
  private List<List<Object>> parts(Operation of, Place place) {
    List<List<Object>> parts = new ArrayList<>();
    memory
        .span(of, place, of.gpu(), false, 0)
        .ifPresent(span -> {
          for (long at = span.offset(); at < span.end(); at += ExecutionVariant.UNIT) {
            parts.add(List.of(of.gpu(), span.buffer(), at));
          }
        });
    return parts;
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
