package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclDefect.Kind;
import dev.oriel.domain.msccl.MscclDefect.Location;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.BlockThreads.Executed;
import dev.oriel.domain.mscclpp.ExecutionMemory.Span;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the mistakes of an execution plan for which no order of operations has to be explored. */
final class ExecutionDefects {
  private final ExecutionPlan plan;
  private final List<MscclDefect> found = new ArrayList<>();

  private ExecutionDefects(ExecutionPlan plan) {
    this.plan = plan;
  }

  static List<MscclDefect> of(ExecutionPlan plan) {
    ExecutionDefects defects = new ExecutionDefects(plan);
    defects.waits();
    defects.surplus();
    plan.gpus().forEach(defects::semaphores);
    defects.packets();
    plan.gpus().forEach(defects::barriers);
    defects.writtenInputs();
    defects.overlaps();
    return List.copyOf(defects.found);
  }

  /** Each channel counts its waits in one word, which no block may share with another. */
  private void waits() {
    Map<String, Set<Block>> blocks = new LinkedHashMap<>();
    for (Block block : plan.blocks().toList()) {
      for (Operation of : block.operations().stream().flatMap(Operation::all).toList()) {
        if (waits(of)) {
          for (Channel channel : of.channels()) {
            String key =
                "%s channel %d of gpu %d"
                    .formatted(
                        channel.type().name().toLowerCase(Locale.ROOT), channel.id(), block.gpu());
            blocks.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(block);
          }
        }
      }
    }
    blocks.forEach((channel, by) -> {
      if (by.size() > 1) {
        found.add(
            new MscclDefect(
                Kind.CONNECTION,
                "%d blocks wait at %s. The channel counts its waits in one word, which they change at the same time. Give each block a channel of its own."
                    .formatted(by.size(), channel),
                by.stream().map(block -> new Location(block.ids(), block.at())).toList()));
      }
    });
  }

  private static boolean waits(Operation of) {
    return of.type() == OperationType.WAIT || of.type() == OperationType.RLXWAIT;
  }

  private static boolean signals(Operation of) {
    return switch (of.type()) {
      case SIGNAL, RLXSIGNAL, PWS, PWSF -> true;
      default -> false;
    };
  }

  /**
   * A launch without as many signals as waits does not end; those that it leaves are taken by waits
   * of the next one.
   */
  private void surplus() {
    for (ExecutionVariant variant : ExecutionVariant.of(plan)) {
      Map<String, List<Operation>> sent = new LinkedHashMap<>();
      Map<String, List<Operation>> awaited = new LinkedHashMap<>();
      for (Block block : plan.blocks().toList()) {
        for (Executed each : BlockThreads.executed(block, variant)) {
          Operation of = each.operation();
          for (Channel channel : of.channels()) {
            if (signals(of)) {
              add(sent, channel, of.gpu(), channel.peer(), of);
            }
            if (waits(of)) {
              add(awaited, channel, channel.peer(), of.gpu(), of);
            }
          }
        }
      }
      for (var waits : awaited.entrySet()) {
        List<Operation> signals = sent.getOrDefault(waits.getKey(), List.of());
        if (signals.size() < waits.getValue().size() && found.isEmpty()) {
          found.add(
              new MscclDefect(
                  Kind.DEADLOCK,
                  "%s waits forever: %s, a launch waits %d times and signals %d times."
                      .formatted(
                          waits.getValue().getLast().ids(),
                          waits.getKey(),
                          waits.getValue().size(),
                          signals.size()),
                  List.of(Location.of(waits.getValue().getLast()))));
        }
        if (signals.size() > waits.getValue().size() && found.isEmpty()) {
          found.add(
              new MscclDefect(
                  Kind.UNMATCHED,
                  "%s, a launch signals %d times and waits %d times. The next launch takes what is left for its own signals."
                      .formatted(waits.getKey(), signals.size(), waits.getValue().size()),
                  List.of(
                      Location.of(signals.getLast()), Location.of(waits.getValue().getLast()))));
        }
      }
    }
  }

  private static void add(
      Map<String, List<Operation>> into, Channel channel, int from, int to, Operation of) {
    String key =
        "on the %s channel %d from gpu %d to gpu %d"
            .formatted(channel.type().name().toLowerCase(Locale.ROOT), channel.pair(), from, to);
    into.computeIfAbsent(key, k -> new ArrayList<>()).add(of);
  }

  /** More are acquired than released in each launch, so some launch finds none. */
  private void semaphores(Gpu gpu) {
    for (ExecutionVariant variant : ExecutionVariant.of(plan)) {
      for (int id = 0; id < gpu.semaphores().size(); id++) {
        List<Operation> acquired = uses(gpu, variant, OperationType.SEM_ACQUIRE, id);
        int released = uses(gpu, variant, OperationType.SEM_RELEASE, id).size();
        if (acquired.size() > released && found.isEmpty()) {
          found.add(
              new MscclDefect(
                  Kind.DEADLOCK,
                  "%s waits forever in some launch: semaphore %d is acquired %d times a launch, released %d times, and begins with %d."
                      .formatted(
                          acquired.getLast().ids(),
                          id,
                          acquired.size(),
                          released,
                          gpu.semaphores().get(id)),
                  List.of(Location.of(acquired.getLast()))));
        }
      }
    }
  }

  private static List<Operation> uses(
      Gpu gpu, ExecutionVariant variant, OperationType type, int id) {
    return gpu.blocks().stream()
        .flatMap(block -> BlockThreads.executed(block, variant).stream())
        .map(Executed::operation)
        .filter(of -> of.type() == type && of.semaphores().contains(id))
        .toList();
  }

  /** Packets that are read, although no operation of any gpu writes them. */
  private void packets() {
    for (ExecutionVariant variant : ExecutionVariant.of(plan)) {
      ExecutionMemory memory = new ExecutionMemory(plan, variant);
      Map<Integer, Set<Long>> written = new LinkedHashMap<>();
      for (Operation of : plan.operations().toList()) {
        for (int d = 0; d < of.destinations().size(); d++) {
          if (of.type().packetDestination(d)) {
            for (int rank : of.destinations().get(d).ranks()) {
              written
                  .computeIfAbsent(rank, r -> new LinkedHashSet<>())
                  .addAll(units(memory, of, of.destinations().get(d), rank));
            }
          }
        }
      }
      for (Operation of : plan.operations().toList()) {
        for (int s = 0; s < of.sources().size(); s++) {
          boolean missing =
              of.type().packetSource(s)
                  && !written
                      .getOrDefault(of.gpu(), Set.of())
                      .containsAll(units(memory, of, of.sources().get(s), of.gpu()));
          if (missing && found.isEmpty()) {
            found.add(
                new MscclDefect(
                    Kind.DEADLOCK,
                    "%s waits forever for packets in %s: no operation writes all of them."
                        .formatted(of.ids(), of.sources().get(s).words(of.gpu())),
                    List.of(Location.of(of))));
          }
        }
      }
    }
  }

  /** The offsets of the packets of a place. */
  private static List<Long> units(ExecutionMemory memory, Operation of, Place place, int rank) {
    List<Long> units = new ArrayList<>();
    memory
        .span(of, place, rank, true, 0)
        .ifPresent(span -> {
          for (long at = span.offset(); at < span.end(); at += 2 * ExecutionVariant.UNIT) {
            units.add(at);
          }
        });
    return units;
  }

  private void barriers(Gpu gpu) {
    Map<Integer, Map<Block, List<Operation>>> uses = new LinkedHashMap<>();
    for (Block block : gpu.blocks()) {
      for (Operation of : block.operations()) {
        of.barrier()
            .ifPresent(barrier ->
                uses.computeIfAbsent(barrier.id(), id -> new LinkedHashMap<>())
                    .computeIfAbsent(block, b -> new ArrayList<>())
                    .add(of));
      }
    }
    uses.forEach((id, blocks) -> {
      List<Operation> all = blocks.values().stream().flatMap(List::stream).toList();
      boolean fits =
          all.stream().allMatch(of -> of.barrier().orElseThrow().blocks() == blocks.size())
              && blocks.values().stream().map(List::size).distinct().count() == 1;
      if (!fits) {
        found.add(
            new MscclDefect(
                Kind.BARRIER,
                "gpu %d: %d blocks use barrier %d, of %d blocks. All must arrive, and equally often."
                    .formatted(
                        gpu.id(),
                        blocks.size(),
                        id,
                        all.getFirst().barrier().orElseThrow().blocks()),
                blocks.values().stream().map(List::getFirst).map(Location::of).toList()));
      }
    });
  }

  private void writtenInputs() {
    if (plan.inPlace() || plan.collective() == MscclCollective.CUSTOM) {
      return;
    }
    plan.operations()
        .filter(of -> of.destinations().stream().anyMatch(place -> place.buffer() == PlanBuffer.I))
        .findFirst()
        .ifPresent(of ->
            found.add(
                new MscclDefect(
                    Kind.INPUT,
                    of.ids()
                        + " writes the caller's source. The file is for calls out of place, where the source must not change.",
                    List.of(Location.of(of)))));
  }

  /** The threads of a block move all bytes of an operation at once, in no order. */
  private void overlaps() {
    for (ExecutionVariant variant : ExecutionVariant.of(plan)) {
      ExecutionMemory memory = new ExecutionMemory(plan, variant);
      for (Operation of : plan.operations().toList()) {
        if (found.isEmpty() && overlaps(memory, of)) {
          found.add(
              new MscclDefect(
                  Kind.OVERLAP,
                  of.ids()
                      + " writes bytes that it reads at another place. Its threads move in no order.",
                  List.of(Location.of(of))));
        }
      }
    }
  }

  private static boolean overlaps(ExecutionMemory memory, Operation of) {
    for (int s = 0; s < of.sources().size(); s++) {
      for (int d = 0; d < of.destinations().size(); d++) {
        Place from = of.sources().get(s);
        Place to = of.destinations().get(d);
        for (int rank : from.ranks()) {
          if (to.ranks().contains(rank)) {
            Optional<Span> read = memory.span(of, from, rank, of.type().packetSource(s), 0);
            Optional<Span> written = memory.span(of, to, rank, of.type().packetDestination(d), 0);
            if (read.isPresent() && written.isPresent() && overlap(read.get(), written.get())) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  private static boolean overlap(Span a, Span b) {
    boolean same = a.offset() == b.offset() && a.packets() == b.packets();
    return a.buffer().equals(b.buffer()) && !same && a.offset() < b.end() && b.offset() < a.end();
  }
}
