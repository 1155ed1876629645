package dev.oriel.domain.mscclpp;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.mscclpp.ExecutionPlan.Share;
import dev.oriel.domain.mscclpp.LaneStep.Awaited;
import dev.oriel.domain.mscclpp.LaneStep.Moved;
import dev.oriel.domain.mscclpp.LaneStep.Ordered;
import dev.oriel.domain.mscclpp.LaneStep.Placed;
import dev.oriel.domain.mscclpp.LaneStep.Signalled;
import dev.oriel.domain.mscclpp.LaneStep.SlotOfPair;
import dev.oriel.domain.mscclpp.SlotCounts.Taken;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operations of the thread block that does what a lane does. All threads of a block move data
 * in no order, and single threads signal and wait. So there is a {@code nop} between
 *
 * <ul>
 *   <li>moves that the lane orders,
 *   <li>what came before a signal and the signal, and
 *   <li>a wait and what follows it.
 * </ul>
 */
final class BlockOperations {
  /** Places of an operation that has several pairs. */
  private static final int MOST_PAIRS = 8;

  private static final TextPosition NO_TEXT = new TextPosition(1, 1);

  private final ExportedLane lane;
  private final int block;
  private final ExportMemory memory;
  private final SlotCounts slots;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<SlotOfPair, Integer> taken = new HashMap<>();
  private final Map<SlotOfPair, Integer> awaits = new HashMap<>();

  /** Since the last nop. */
  private boolean moved;

  private boolean waited;
  private final Set<Channel> used = new HashSet<>();

  /** Whether what comes next must be ordered after all before. */
  private boolean edge;

  private BlockOperations(ExportedLane lane, int block, ExportMemory memory, SlotCounts slots) {
    this.lane = lane;
    this.block = block;
    this.memory = memory;
    this.slots = slots;
  }

  static List<Operation> of(
      ExportedLane lane, int block, ExportMemory memory, SlotCounts slots, MistakeList mistakes) {
    BlockOperations made = new BlockOperations(lane, block, memory, slots);
    Map<SlotOfPair, Taken> counts = slots.taken(lane);
    for (LaneStep step : lane.steps()) {
      mistakes.attempt(() -> made.add(step, counts));
    }
    made.end(counts);
    return made.operations;
  }

  private void add(LaneStep step, Map<SlotOfPair, Taken> counts) {
    switch (step) {
      case Moved move -> move(move);
      case Ordered _ -> edge = true;
      case Signalled signal -> {
        List<Channel> channels = slots.channels(signal.slot());
        // A signal that no lane awaits still orders the moves before and after it.
        edge |= channels.isEmpty();
        if (!channels.isEmpty()) {
          signal(channels);
        }
      }
      case Awaited await -> {
        Taken count = counts.get(await.slot());
        if (count != null) {
          int nth = awaits.merge(await.slot(), 1, Integer::sum) - 1;
          take(OperationType.WAIT, await.slot(), count.counts().get(nth));
          edge = true;
        }
      }
    }
  }

  /** Takes what is left, so that the next launch begins with as many as this one did. */
  private void end(Map<SlotOfPair, Taken> counts) {
    counts.forEach((slot, count) -> take(OperationType.WAIT, slot, count.acquiredAtEnd()));
    counts.forEach((slot, count) -> take(OperationType.RLXWAIT, slot, count.all()));
  }

  private void take(OperationType type, SlotOfPair slot, int count) {
    Channel channel = slots.channel(lane, slot);
    int before = taken.getOrDefault(slot, 0);
    for (int k = before; k < count; k++) {
      synchronise(type, channel);
      waited = true;
    }
    taken.put(slot, Math.max(before, count));
  }

  private void signal(List<Channel> channels) {
    if (moved || waited) {
      nop();
    }
    for (Channel channel : channels) {
      synchronise(OperationType.SIGNAL, channel);
    }
  }

  /** One word of a channel counts its waits, so no two threads may change it at once. */
  private void synchronise(OperationType type, Channel channel) {
    if (!used.add(channel)) {
      boolean signals = type == OperationType.SIGNAL;
      boolean before =
          operations.stream()
              .skip(lastNop())
              .anyMatch(of ->
                  (of.type() == OperationType.SIGNAL) == signals
                      && of.channels().contains(channel));
      if (before) {
        nop();
        used.add(channel);
      }
    }
    if (!operations.isEmpty()) {
      Operation last = operations.getLast();
      boolean room =
          last.type() == type
              && last.channels().size() < MOST_PAIRS
              && !last.channels().contains(channel);
      if (room) {
        List<Channel> channels = new ArrayList<>(last.channels());
        channels.add(channel);
        operations.removeLast();
        add(type, channels, List.of(), List.of());
        return;
      }
    }
    add(type, List.of(channel), List.of(), List.of());
  }

  private int lastNop() {
    int at = operations.size();
    while (at > 0 && operations.get(at - 1).type() != OperationType.NOP) {
      at--;
    }
    return at;
  }

  private void nop() {
    add(OperationType.NOP, List.of(), List.of(), List.of());
    moved = false;
    waited = false;
    edge = false;
    used.clear();
  }

  private void move(Moved move) {
    if (edge && (moved || waited)) {
      nop();
    }
    if (move.combine() instanceof Combine.Reduce(var operator, var type, var accumulator)) {
      reduce(move, operator, type, accumulator);
    } else {
      copy(move);
    }
    moved = true;
  }

  private boolean local(Placed placed) {
    return placed.rank() == lane.rank();
  }

  private Place place(Placed placed, Moved move) {
    return memory.place(placed, move.bytes());
  }

  private void copy(Moved move) {
    Placed from = move.from().getFirst();
    if (!local(from)) {
      get(move, from);
      return;
    }
    Place source = place(from, move);
    List<Place> forwarded = new ArrayList<>();
    for (Placed to : move.to()) {
      Place target = place(to, move);
      if (from.plain()) {
        if (!local(to)) {
          pair(to.plain() ? OperationType.PUT : OperationType.PPKT, source, target);
        } else if (!source.equals(target) || !to.plain()) {
          add(
              to.plain() ? OperationType.COPY : OperationType.CPKT,
              List.of(),
              List.of(source),
              List.of(target));
        }
      } else if (local(to) && to.plain()) {
        add(OperationType.UPKT, List.of(), List.of(source), List.of(target));
      } else if (!local(to) && !to.plain()) {
        forwarded.add(target);
      } else {
        throw refused(
            move.op(),
            "packets that are unpacked at another place than the own memory",
            "move them to plain bytes of the own rank, or to packets of a peer");
      }
    }
    if (!forwarded.isEmpty()) {
      add(OperationType.RPPKT, List.of(), List.of(source), forwarded);
    }
  }

  /** The executor exchanges the offsets of both sides. */
  private void get(Moved move, Placed from) {
    Place source = place(from, move);
    for (Placed to : move.to()) {
      Place target = place(to, move);
      if (!from.plain() || !to.plain() || !local(to)) {
        throw refused(
            move.op(),
            "move from a peer that does not end in plain bytes of the own rank",
            "move in two steps");
      }
      if (source.index() != target.index()) {
        throw refused(
            move.op(),
            "load from a peer to another offset",
            "let the peer put the bytes; MSCCL++'s executor exchanges the offsets of get");
      }
      add(OperationType.GET, List.of(), List.of(source), List.of(target));
    }
  }

  private void reduce(Moved move, ReduceOp operator, DataType type, DataType accumulator) {
    if (operator != ReduceOp.SUM) {
      throw refused(
          move.op(), "reduction that is no sum", "use sum; the executor adds in every reduction");
    }
    if (type != accumulator) {
      throw refused(
          move.op(), "sum in another type than that of the elements", "add in the elements' type");
    }
    boolean known =
        switch (type) {
          case INT32, FP16, BF16, FP32, FP8_E4M3, FP8_E5M2 -> true;
          case INT8, INT16, INT64, FP64 -> false;
        };
    if (!known) {
      throw refused(
          move.op(),
          "sum of elements that the executor does not add",
          "use int32, fp16, bf16 or fp32");
    }
    if (move.from().size() < 2 || move.from().size() > MOST_PAIRS) {
      throw refused(
          move.op(), "sum of %d sources".formatted(move.from().size()), "add 2 to " + MOST_PAIRS);
    }
    if (move.to().stream().anyMatch(to -> !to.plain())
        || move.to().stream().filter(this::local).count() != 1) {
      throw refused(
          move.op(),
          "sum that does not end in plain bytes of the own rank",
          "add there once, and move the sum on");
    }
    List<Place> to = new ArrayList<>();
    move.to().stream().filter(this::local).forEach(each -> to.add(place(each, move)));
    move.to().stream().filter(each -> !local(each)).forEach(each -> to.add(place(each, move)));
    if (move.from().stream().allMatch(this::local)) {
      List<Place> from = sources(move);
      add(to.size() == 1 ? OperationType.RE : OperationType.RES, List.of(), from, to);
    } else {
      List<Place> from = readSources(move, type);
      add(to.size() == 1 ? OperationType.RRE : OperationType.RRES, List.of(), from, to);
    }
  }

  /** Own sources in their order; packets are copied to plain bytes first. */
  private List<Place> sources(Moved move) {
    List<Place> from = new ArrayList<>();
    boolean unpacked = false;
    for (Placed each : move.from()) {
      Place place = place(each, move);
      if (!each.plain()) {
        Place plain = memory.temporary(lane.rank(), move.bytes());
        add(OperationType.UPKT, List.of(), List.of(place), List.of(plain));
        unpacked = true;
        from.add(plain);
      } else {
        from.add(place);
      }
    }
    if (unpacked) {
      nop();
    }
    return from;
  }

  /** The own source, which the executor adds first, and those of peers in their order. */
  private List<Place> readSources(Moved move, DataType type) {
    List<Placed> own = move.from().stream().filter(this::local).toList();
    if (own.size() != 1 || move.from().stream().anyMatch(each -> !each.plain())) {
      throw refused(
          move.op(), "sum of peers' bytes without one own source", "add one own source to them");
    }
    // The first two may change places in any type.
    if (type.isFloat() && move.from().indexOf(own.getFirst()) > 1) {
      throw refused(
          move.op(),
          "sum in an order that the executor has not",
          "use --type int32, a world of two ranks, or a program that moves the contributions first; the executor adds the own source before those of peers, which rounds otherwise");
    }
    List<Place> from = new ArrayList<>(List.of(place(own.getFirst(), move)));
    move.from().stream().filter(each -> !local(each)).forEach(each -> from.add(place(each, move)));
    return from;
  }

  /** Adds a pair to the last operation if it has room and the same buffer. */
  private void pair(OperationType type, Place source, Place target) {
    if (!operations.isEmpty()) {
      Operation last = operations.getLast();
      boolean room =
          last.type() == type
              && last.sources().size() < MOST_PAIRS
              && last.sources().getFirst().buffer() == source.buffer()
              && last.sources().getFirst().size() == source.size();
      if (room) {
        List<Place> sources = new ArrayList<>(last.sources());
        List<Place> targets = new ArrayList<>(last.destinations());
        sources.add(source);
        targets.add(target);
        operations.removeLast();
        add(type, List.of(), sources, targets);
        return;
      }
    }
    add(type, List.of(), List.of(source), List.of(target));
  }

  private void add(OperationType type, List<Channel> channels, List<Place> from, List<Place> to) {
    operations.add(
        new Operation(
            lane.rank(),
            block,
            String.valueOf(operations.size()),
            type,
            channels,
            from,
            to,
            new Share(0, 1),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            List.of(),
            NO_TEXT));
  }

  private ProgramException refused(Op op, String what, String remedy) {
    return new ProgramException(
        LaneUnrolling.mistake(lane.rank(), lane.label(), op, what, "", remedy));
  }
}
