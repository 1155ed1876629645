package dev.oriel.sim.ranks;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A window as a form: data, slots, and for each rank a lane that executes one {@link LaneOperation}
 * at a time. Operands are known only when a call is made, so binding the form proves nothing about
 * them. Instead, the window that rank code uses checks every call, and the machine every access.
 */
final class WindowForm {
  /** The index of the staging buffer in the form. */
  static final int STAGE = 1;

  /** The buffer of registrations, in an arena that has room for any. */
  static final String KEYS = "keys";

  /** The longest wait of a rank for the others in a collective call. */
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  private WindowForm() {}

  /** The buffers of every rank, bound to the world; the name is part of the digest. */
  static Program program(String name, RankArena arena, MemberCode code, int world) {
    return Program.bind(without(form(name, arena, code, world)), world, Map.of());
  }

  /** The operations of every lane, lowered. */
  static LoweredForm lowered(String name, RankArena arena, MemberCode code, Topology topology) {
    LoweredForm all =
        FormLowering.lower(form(name, arena, code, topology.world()), topology.kinds());
    return new LoweredForm(
        all.form(), all.kinds(), all.lanes().stream().map(WindowForm::unfinished).toList());
  }

  /**
   * Removes the barrier before the last step. It ends a launch; after a call it would order
   * accesses that only a flush must order.
   */
  private static LoweredLane unfinished(LoweredLane lane) {
    List<LoweredStep> steps = new ArrayList<>(lane.steps());
    LoweredStep last = steps.removeLast();
    if (!(steps.removeLast().micro() instanceof MicroOperation.Bar)) {
      throw new AssertionError("a lane ends otherwise: " + lane.steps());
    }
    steps.add(last);
    return new LoweredLane(lane.lane(), lane.extras(), steps);
  }

  private static Form form(String name, RankArena arena, MemberCode code, int world) {
    // The form does not show sizes that differ per rank, but they distinguish one window from
    // another.
    boolean given = code instanceof SingleWindowCode;
    String sizes = code instanceof SingleWindowCode(var spec, var _) ? spec.data().toString() : "";
    long bytes = arena.stage();
    Form form =
        FormParser.parse(
            """
            form ranks
            let sizes = %d
            window data[%d]
            scratch stage[%d]
            %s
            %s
            %s
            signal S[%d]
            signal MEET[%d]
            %s
            %s
            """
                .formatted(
                    Integer.toUnsignedLong(sizes.hashCode()),
                    bytes,
                    bytes * arena.lanes(),
                    arena.lanes() > 1 ? "scratch turns[%d]".formatted(16L * arena.lanes()) : "",
                    arena.counters() > 0
                        ? "scratch sent[%d]".formatted(8L * world * arena.counters())
                        : "",
                    arena.keys() > 0
                        ? "scratch %s[%d]".formatted(KEYS, MemoryKeyFormat.RECORD * arena.keys())
                        : "",
                    Math.max(1, arena.signals()),
                    Math.max(1, arena.barriers()),
                    given ? "" : "signal SETUP[1]",
                    LaneOperation.lane(arena, given)));
    return FormEdits.withName(form, name);
  }

  /** The form with empty lanes, so that binding has nothing to prove. */
  private static Form without(Form form) {
    List<LaneFamily> idle =
        form.lanes().stream()
            .map(l -> new LaneFamily(l.name(), l.indices(), l.engine(), l.states(), List.of()))
            .toList();
    return FormEdits.withLanes(form, idle);
  }
}
