package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.RankLanes;
import dev.oriel.domain.msccl.SizeClass;
import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.mscclpp.BlockTranslation.LaneOps;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes the program of an execution plan. Block 5 of every gpu is lane {@code tb5}, in which each
 * rank executes its own operations; {@link BlockTranslation} names its other lanes.
 */
public final class ExecutionTranslation {
  private final ExecutionPlan plan;
  private final ExecutionVariant variant;
  private final LaunchFlags flags;
  private final ExecutionMemory memory;
  private final StalePackets packets;
  private final PacketDependencies dependencies;
  private final RankLanes lanes = new RankLanes();

  private ExecutionTranslation(ExecutionPlan plan, ExecutionVariant variant, LaunchFlags flags) {
    this(plan, variant, flags, memory -> PacketDependencies.of(plan, memory, flags));
  }

  private ExecutionTranslation(
      ExecutionPlan plan,
      ExecutionVariant variant,
      LaunchFlags flags,
      Function<ExecutionMemory, PacketDependencies> dependent) {
    this.plan = plan;
    this.variant = variant;
    this.flags = flags;
    this.memory = new ExecutionMemory(plan, variant, flags);
    EntrySignals entries = new EntrySignals(plan);
    packets = new StalePackets(plan, memory, flags);
    dependencies = dependent.apply(memory);
    int count = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
    for (int id = 0; id < count; id++) {
      Map<String, List<RankLanes.Part>> parts = new TreeMap<>();
      for (Gpu gpu : plan.gpus()) {
        if (id < gpu.blocks().size()) {
          Block block = gpu.blocks().get(id);
          Map<String, LaneOps> made =
              new BlockTranslation(memory, variant, entries, packets, dependencies, gpu, block)
                  .lanes();
          made.forEach((lane, ops) -> {
            if (!ops.ops().isEmpty()) {
              parts
                  .computeIfAbsent(lane, l -> new ArrayList<>())
                  .add(new RankLanes.Part(gpu.id(), ops.ops(), ops.steps()));
            }
          });
        }
      }
      String block = "tb" + id;
      parts.forEach((lane, of) -> lanes.add(block + lane, of));
    }
  }

  /**
   * The program of a call of that size, for its time: it has no signals for the order that packets
   * give.
   *
   * @param bytes of the collective's larger buffer
   * @throws ProgramException if the plan is not for that size, or its pipelines take several turns
   */
  public static Form sized(ExecutionPlan plan, long bytes) {
    ExecutionVariant variant = ExecutionVariant.of(plan, bytes);
    return FormValidator.validate(
        new ExecutionTranslation(
                plan, variant, LaunchFlags.COUNTED, memory -> PacketDependencies.none(plan, memory))
            .form());
  }

  /** All that a check needs of the plan. */
  public static ImportedPlan imported(ExecutionPlan plan) {
    return imported(plan, LaunchFlags.COUNTED);
  }

  /** The same for launches with those flags. */
  public static ImportedPlan imported(ExecutionPlan plan, LaunchFlags flags) {
    List<MscclDefect> defects = ExecutionDefects.of(plan);
    List<String> notes = new ArrayList<>(plan.notes());
    List<TranslatedPlan> programs = programs(plan, flags, notes);
    List<String> unmodelled =
        new ArrayList<>(List.of("kernels that end before a proxy has read their data"));
    String kind =
        "%s, %d gpus, %s"
            .formatted(plan.collectiveName(), plan.world(), plan.packets() ? "LL" : "Simple");
    if (flags.replayed()) {
      kind += ", " + flags.words();
      notes.addFirst(flags.words() + ": each replay passes the packet flags of the capture");
      unmodelled.add("launches before the capture (leave out --graph-replay)");
    } else {
      unmodelled.add("graphs that are replayed (--graph-replay)");
    }
    return new ImportedPlan(
        plan.name(),
        kind,
        plan.world(),
        defects,
        programs,
        // Sizes in between are not classified.
        programs.stream()
            .map(made ->
                new SizeClass(made.inPlace(), made.leastBytes(), made.leastBytes(), () -> made))
            .sorted(Comparator.comparingLong(SizeClass::least))
            .toList(),
        notes.isEmpty() ? Optional.empty() : Optional.of(String.join(". ", notes)),
        unmodelled);
  }

  /** A program for each kind of call that decides the plan. */
  private static List<TranslatedPlan> programs(
      ExecutionPlan plan, LaunchFlags flags, List<String> notes) {
    List<TranslatedPlan> programs = new ArrayList<>();
    for (ExecutionVariant variant : ExecutionVariant.of(plan)) {
      ExecutionTranslation made = new ExecutionTranslation(plan, variant, flags);
      if (!made.dependencies.followed() && !notes.contains(PacketDependencies.LEFT_OUT)) {
        notes.add(PacketDependencies.LEFT_OUT);
      }
      programs.add(
          new TranslatedPlan(
              variant.words(plan),
              plan.inPlace(),
              variant.leastBytes(plan),
              FormValidator.validate(made.form()),
              made.lanes.steps()));
    }
    return programs;
  }

  private Form form() {
    return new Form(
        MscclTranslation.programName(plan.name(), name()),
        List.of(),
        List.of(),
        List.of(),
        memory.buffers(),
        signals(),
        List.of(),
        memory.promise().stream().toList(),
        lanes.lanes());
  }

  private String name() {
    return "chunk-%d%s%s%s"
        .formatted(
            variant.units(),
            variant.unitBytes() == ExecutionVariant.UNIT ? "" : "x" + variant.unitBytes(),
            variant.turns() == 0 ? "" : "-turns-" + variant.turns(),
            flags.replayed() ? "-graph-" + flags.graph() : "");
  }

  private List<SignalArray> signals() {
    List<SignalArray> signals = new ArrayList<>();
    array(
        signals,
        BlockTranslation.MEMORY,
        channels(ChannelType.MEMORY).mapToInt(Channel::pair).max().orElse(-1));
    array(
        signals,
        BlockTranslation.PORT,
        channels(ChannelType.PORT).mapToInt(Channel::pair).max().orElse(-1));
    int ports = channels(ChannelType.PORT).mapToInt(Channel::id).max().orElse(-1);
    array(signals, BlockTranslation.POSTED, ports);
    array(signals, BlockTranslation.FLUSHED, ports);
    array(
        signals,
        BlockTranslation.SEMAPHORES,
        plan.gpus().stream().mapToInt(gpu -> gpu.semaphores().size()).max().orElse(0) - 1);
    array(
        signals,
        BlockTranslation.BARRIERS,
        plan.operations()
            .flatMap(each -> each.barrier().stream())
            .mapToInt(ExecutionPlan.BlockBarrier::id)
            .max()
            .orElse(-1));
    array(signals, BlockTranslation.SENT, packets.counters() - 1);
    array(signals, BlockTranslation.BEGUN, dependencies.most() - 1);
    array(signals, BlockTranslation.ENDED, dependencies.most() - 1);
    if (plan.blocks().anyMatch(block -> !BlockThreads.inOneLane(block))
        || dependencies.most() > 0) {
      int blocks = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
      array(signals, BlockTranslation.NOPS, blocks * BlockTranslation.ROW - 1);
    }
    return signals;
  }

  private Stream<Channel> channels(ChannelType type) {
    return plan.operations()
        .flatMap(each -> each.channels().stream())
        .filter(channel -> channel.type() == type);
  }

  private static void array(List<SignalArray> signals, String name, int last) {
    if (last >= 0) {
      signals.add(new SignalArray(name, Expr.of(last + 1L)));
    }
  }
}
