package dev.oriel.sim.machine.report;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperationValues;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.trace.StepFacts;
import dev.oriel.sim.trace.StepFacts.NamedValue;
import dev.oriel.sim.trace.TraceEventKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes steps of lanes in the words of the program, with the values of the moment. Only a
 * machine that records has one, since it resolves names anew at every step.
 */
final class StepDescriber {
  /** Calls of rank code that read data; some copy it within one rank, as a write does. */
  private static final Set<String> READS = Set.of("read", "get", "takePackets");

  @SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
  private static final int FETCH = Atomic.FETCH.ordinal();

  private final MachineModel model;

  StepDescriber(MachineModel model) {
    this.model = model;
  }

  /** The lane's step at that place, before it is taken. */
  StepFacts step(MachineState s, int lane, int at) {
    int[] ops = model.lane(lane).ops();
    TraceEventKind kind = kind(s, lane, ops, at);
    OperationValues.Resolved resolved = values(lane).at(at, s.registers, model.firstRegister[lane]);
    if (resolved == null) {
      return StepFacts.of(kind, model.lane(lane).text(at));
    }
    String text = resolved.resolved();
    if (ops[at] == LaneOpcode.POST) {
      text = "post " + request(ops[at + 1], text) + text;
    } else if (!resolved.step().isEmpty() && !resolved.step().equals(text)) {
      text += ": " + resolved.step();
    }
    return new StepFacts(
        kind, resolved.text(), text, named(resolved.loops()), named(resolved.names()), List.of());
  }

  private OperationValues values(int lane) {
    return model.code.values(lane);
  }

  /** The operation at that place as the program spells it; the micro-operation if it has none. */
  String words(int lane, int at) {
    String words = values(lane).text(at);
    return words.isEmpty() ? model.lane(lane).text(at) : words;
  }

  private static List<NamedValue> named(Map<String, Long> values) {
    return values.entrySet().stream().map(e -> new NamedValue(e.getKey(), e.getValue())).toList();
  }

  /** The kind of a request, unless the operation begins with it. */
  private static String request(int kind, String operation) {
    String word =
        switch (kind) {
          case Request.WRITE, Request.WRITE_AND_SIGNAL -> "";
          case Request.READ -> "read";
          case Request.SLOT -> "signal";
          case Request.READ_BACK -> "read-back";
          case Request.CHANGE -> "atomic";
          case Request.LOCK -> "lock";
          case Request.ARRANGE -> "fence";
          default -> "count";
        };
    return word.isEmpty() || operation.startsWith(word) ? "" : word + " for ";
  }

  /** A call of rank code. */
  StepFacts call(MachineState s, int lane, int at, String text) {
    int end = text.indexOf('(');
    String name = end < 0 ? "" : text.substring(0, end);
    TraceEventKind kind = kind(s, lane, model.lane(lane).ops(), at);
    boolean reads = kind == TraceEventKind.WRITE && READS.contains(name);
    return StepFacts.of(reads ? TraceEventKind.READ : kind, text);
  }

  private TraceEventKind kind(MachineState s, int lane, int[] ops, int at) {
    return switch (ops[at]) {
      case LaneOpcode.COPY -> copy(s, lane, ops, at);
      case LaneOpcode.BULK -> reads(away(s, lane, ops[at + 3]), away(s, lane, ops[at + 6]));
      case LaneOpcode.WRITE_SLOT -> TraceEventKind.SIGNAL;
      case LaneOpcode.POLL_SLOT,
          LaneOpcode.POLL_WORD,
          LaneOpcode.AWAIT_LANES,
          LaneOpcode.AWAIT_QUEUE,
          LaneOpcode.LOCK ->
          TraceEventKind.OBSERVE;
      case LaneOpcode.LOAD, LaneOpcode.READ_SLOT -> TraceEventKind.READ;
      case LaneOpcode.RMW -> ops[at + 5] == FETCH ? TraceEventKind.READ : TraceEventKind.WRITE;
      case LaneOpcode.STORE -> TraceEventKind.WRITE;
      case LaneOpcode.POST -> TraceEventKind.POST;
      case LaneOpcode.END -> TraceEventKind.END;
      default -> TraceEventKind.STEP;
    };
  }

  /** A copy that only fetches from other ranks reads; any other writes. */
  private TraceEventKind copy(MachineState s, int lane, int[] ops, int at) {
    boolean to = false;
    boolean from = false;
    for (int i = 0; i < CopyLayout.destinations(ops, at); i++) {
      to |= away(s, lane, ops[CopyLayout.destination(at, i) + CopyLayout.RANKS]);
    }
    for (int i = 0; i < CopyLayout.sources(ops, at); i++) {
      from |= away(s, lane, ops[CopyLayout.source(ops, at, i) + CopyLayout.RANKS]);
    }
    return reads(to, from);
  }

  private static TraceEventKind reads(boolean to, boolean from) {
    return from && !to ? TraceEventKind.READ : TraceEventKind.WRITE;
  }

  /** Whether the operand names another rank than the lane's. */
  private boolean away(MachineState s, int lane, int ranks) {
    if (ranks < 0) {
      long rank = model.code.operands().value(~ranks, s.registers, model.firstRegister[lane]);
      return rank != model.rank(lane);
    }
    int[] members = model.code.members(ranks);
    return members.length != 1 || members[0] != model.rank(lane);
  }

  /** The word as a lane of that rank writes it: a slot with its source, or a place in a buffer. */
  String word(int word, int rank) {
    WordLayout table = model.words;
    int kind = table.kindOf[word];
    int owner = table.owner[word];
    if (kind < table.signals) {
      int slots = Math.max(1, table.slots(owner, kind));
      return "%s[%d]@%d"
          .formatted(model.signal(kind), table.offset[word] % slots, table.offset[word] / slots);
    }
    String buffer = model.buffer((kind - table.signals) % model.buffers);
    return "%s%s[%d]".formatted(buffer, owner == rank ? "" : "@" + owner, table.offset[word]);
  }
}
