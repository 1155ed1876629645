package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclDefect.Kind;
import dev.oriel.domain.msccl.MscclDefect.Location;
import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the mistakes of a plan for which no order of steps has to be explored. */
public final class MscclDefects {
  private final MscclPlan plan;
  private final List<MscclDefect> found = new ArrayList<>();

  private MscclDefects(MscclPlan plan) {
    this.plan = plan;
  }

  /** All of them; no program can stand for a plan that has one. */
  public static List<MscclDefect> of(MscclPlan plan) {
    MscclDefects defects = new MscclDefects(plan);
    defects.connections();
    defects.announcements();
    defects.writtenInputs();
    defects.overlaps();
    if (defects.found.isEmpty()) {
      // The walk relies on connections that match.
      MscclVariant.of(plan).stream()
          .flatMap(variant -> PlanWalk.of(plan, variant).unwritten().stream())
          .limit(1)
          .forEach(defects.found::add);
    }
    return List.copyOf(defects.found);
  }

  /** One direction between two gpus on a channel. */
  private record Connection(int from, int to, int channel) {
    @Override
    public String toString() {
      return "from gpu %d to gpu %d on channel %d".formatted(from, to, channel);
    }
  }

  private void connections() {
    Map<Connection, List<ThreadBlock>> senders = new LinkedHashMap<>();
    Map<Connection, List<ThreadBlock>> receivers = new LinkedHashMap<>();
    for (Gpu gpu : plan.gpus()) {
      for (ThreadBlock block : gpu.blocks()) {
        if (block.send() >= 0) {
          Connection to = new Connection(gpu.id(), block.send(), block.channel());
          senders.computeIfAbsent(to, c -> new ArrayList<>()).add(block);
        }
        if (block.receive() >= 0) {
          Connection from = new Connection(block.receive(), gpu.id(), block.channel());
          receivers.computeIfAbsent(from, c -> new ArrayList<>()).add(block);
        }
      }
    }
    senders.forEach((connection, blocks) -> shared(connection, blocks, "send"));
    receivers.forEach((connection, blocks) -> shared(connection, blocks, "receive"));
    if (found.isEmpty()) {
      Set<Connection> all = new LinkedHashSet<>(senders.keySet());
      all.addAll(receivers.keySet());
      all.forEach(connection ->
          matched(
              connection,
              steps(senders.getOrDefault(connection, List.of()), StepType::sends),
              steps(receivers.getOrDefault(connection, List.of()), StepType::receives)));
    }
  }

  private void shared(Connection connection, List<ThreadBlock> blocks, String what) {
    if (blocks.size() > 1) {
      found.add(
          new MscclDefect(
              Kind.CONNECTION,
              "%d blocks %s %s. A connection is one queue with one count at each end, so their transfers overwrite each other. Give each block a channel of its own."
                  .formatted(blocks.size(), what, connection),
              blocks.stream().map(Location::of).toList()));
    }
  }

  private static List<Step> steps(List<ThreadBlock> blocks, Predicate<StepType> of) {
    return blocks.stream()
        .flatMap(block -> block.steps().stream())
        .filter(step -> of.test(step.type()))
        .toList();
  }

  /** Transfer k of the sender is transfer k of the receiver, and both must have one size. */
  private void matched(Connection connection, List<Step> sent, List<Step> received) {
    for (int k = 0; k < Math.min(sent.size(), received.size()); k++) {
      Step from = sent.get(k);
      Step to = received.get(k);
      if (from.count() != to.count()) {
        found.add(
            new MscclDefect(
                Kind.UNMATCHED,
                "transfer %d %s has %d chunks where it is sent and %d where it is received."
                    .formatted(k, connection, from.count(), to.count()),
                List.of(Location.of(from), Location.of(to))));
        return;
      }
    }
    if (sent.size() != received.size()) {
      List<Step> longer = sent.size() > received.size() ? sent : received;
      found.add(
          new MscclDefect(
              Kind.UNMATCHED,
              "%s, %d transfers are sent and %d are received: %s."
                  .formatted(
                      connection,
                      sent.size(),
                      received.size(),
                      sent.size() > received.size()
                          ? "the next call would take what is left for its own"
                          : "the last receive waits forever"),
              List.of(Location.of(longer.get(Math.min(sent.size(), received.size()))))));
    }
  }

  /** A block's flag only changes at steps with hasdep=1, and a later one serves as well. */
  private void announcements() {
    for (Gpu gpu : plan.gpus()) {
      for (ThreadBlock block : gpu.blocks()) {
        for (Step step : block.steps()) {
          step.dependency()
              .filter(on -> !announced(gpu, on))
              .ifPresent(on ->
                  found.add(
                      new MscclDefect(
                          Kind.DEADLOCK,
                          "%s waits forever for tb %d, step %d, at every size: neither that step nor a later one of its block has hasdep=1."
                              .formatted(step.ids(), on.block(), on.step()),
                          List.of(
                              Location.of(step),
                              Location.of(gpu.blocks().get(on.block()).steps().get(on.step()))))));
        }
      }
    }
  }

  private static boolean announced(Gpu gpu, Dependency on) {
    return gpu.blocks().get(on.block()).steps().stream()
        .anyMatch(step -> step.announced() && step.number() >= on.step());
  }

  private void writtenInputs() {
    if (!plan.outOfPlace() || plan.collective() == MscclCollective.CUSTOM) {
      return;
    }
    plan.gpus().stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .flatMap(block -> block.steps().stream())
        .filter(
            step -> step.destination().filter(place -> place.buffer() == PlanBuffer.I).isPresent())
        .findFirst()
        .ifPresent(step ->
            found.add(
                new MscclDefect(
                    Kind.INPUT,
                    step.ids()
                        + " writes the caller's source. Out of place, which the file allows, the source must not change.",
                    List.of(Location.of(step)))));
  }

  /** The threads of a block copy all chunks of a transfer at once, in no order. */
  private void overlaps() {
    for (MscclVariant variant : MscclVariant.of(plan)) {
      PlanMemory memory = new PlanMemory(plan, variant);
      for (Gpu gpu : plan.gpus()) {
        for (ThreadBlock block : gpu.blocks()) {
          for (Step step : block.steps()) {
            if (found.isEmpty() && overlaps(memory, variant, step)) {
              found.add(
                  new MscclDefect(
                      Kind.OVERLAP,
                      step.ids()
                          + " writes chunks that it reads at another place. Its threads copy in no order."
                          + overlapSizes(memory, step),
                      List.of(Location.of(step))));
            }
          }
        }
      }
    }
  }

  /** Up to which size a step overlaps, where larger calls split it finely enough. */
  private String overlapSizes(PlanMemory memory, Step step) {
    MscclVariant finest = MscclVariant.of(plan).getLast();
    if (overlaps(memory, finest, step)) {
      return "";
    }
    MscclVariant last =
        MscclVariant.all(plan).stream()
            .filter(variant -> overlaps(memory, variant, step))
            .reduce((_, later) -> later)
            .orElseThrow();
    return " This is so up to %d bytes; larger calls split the step."
        .formatted(last.mostBytes(plan));
  }

  private static boolean overlaps(PlanMemory memory, MscclVariant variant, Step step) {
    if (step.source().isEmpty() || step.destination().isEmpty()) {
      return false;
    }
    CollectiveMemory.Chunk from = memory.chunk(step.gpu(), step.source().get(), 0);
    CollectiveMemory.Chunk to = memory.chunk(step.gpu(), step.destination().get(), 0);
    boolean split = step.type().sends() || step.type().receives();
    int together = split ? Math.min(variant.mostChunks(), step.count()) : step.count();
    int apart = Math.abs(from.index() - to.index());
    return from.buffer().equals(to.buffer()) && apart > 0 && apart < together;
  }
}
