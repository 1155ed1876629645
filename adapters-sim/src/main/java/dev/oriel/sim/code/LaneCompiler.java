package dev.oriel.sim.code;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the steps of one lane instance. It tracks the known values of registers through the
 * steps. It compiles the same step once for each set of values with which it may be reached. Loops
 * of known length, and conditions that a binding decides, therefore disappear from the code. A lane
 * that would become too long is compiled with loops; then only constant registers are known.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class LaneCompiler {
  /** The most words of unrolled code; longer code costs more to read than loops cost to run. */
  private static final int MAX_WORDS = 1 << 12;

  /** The most steps that are tracked; the steps of a long loop may emit no words at all. */
  private static final int MAX_STEPS = 1 << 17;

  private final NameEnvironment scene;
  private final LaneInstance instance;
  private final LoweredLane lowered;
  private final boolean unrolls;
  private final CodeWriter code = new CodeWriter();
  private final ConstantRegisters registers;
  private final StepWriter steps;
  private final Map<Integer, Integer> labels = new HashMap<>();

  /** A position of the code: a step, with the known registers there. */
  private record Entry(int step, Map<String, Integer> known) {}

  private int followed;
  private final @Nullable NameListener names;

  private final Map<Entry, Integer> places = new HashMap<>();
  private final Deque<Entry> open = new ArrayDeque<>();

  /** Words that hold a target, patched once every entry's place is known. */
  private final Map<Integer, Entry> jumps = new LinkedHashMap<>();

  /** The meaning of the names and sets in a lane's steps. */
  interface NameEnvironment {
    OperandTable operands();

    Form form();

    /** The rank of the code; -1 for all ranks. */
    int rank();

    /** The operand of a name that no step sets; empty if each agent supplies its own value. */
    OptionalInt known(String name);

    /** See {@link LaneOpcode}. */
    int ranks(Peers peers, ToIntFunction<Expr> operand);

    int combine(Combine combine);

    /** The set of lanes with that name. */
    int lanes(String name);
  }

  private LaneCompiler(
      NameEnvironment scene,
      LaneInstance instance,
      LoweredLane lowered,
      boolean unrolls,
      @Nullable NameListener names) {
    this.names = names;
    this.scene = scene;
    this.instance = instance;
    this.lowered = lowered;
    this.unrolls = unrolls;
    registers = new ConstantRegisters(scene, lowered, unrolls);
    steps = new StepWriter(scene, registers, code);
    for (int i = 0; i < lowered.steps().size(); i++) {
      if (lowered.steps().get(i).micro() instanceof MicroOperation.Label(int id)) {
        labels.put(id, i);
      }
    }
  }

  /** Code for one agent: loops of known length are unrolled as long as the code stays short. */
  static LaneInstructions unrolled(
      NameEnvironment scene, LaneInstance instance, LoweredLane lowered) {
    return new LaneCompiler(scene, instance, lowered, true, null)
        .compile()
        .orElseGet(() -> looped(scene, instance, lowered).code());
  }

  /** Code whose length does not depend on the binding, with the values that agents must supply. */
  static Looped looped(NameEnvironment scene, LaneInstance instance, LoweredLane lowered) {
    LaneCompiler compiler = new LaneCompiler(scene, instance, lowered, false, null);
    return new Looped(compiler.compile().orElseThrow(), compiler.registers.given());
  }

  /** The operands of names at the instruction that is being written. */
  interface NamedOperands {
    /** The operand of the name; empty if it has none there. */
    Optional<Integer> of(String name);
  }

  /** Receives each instruction that belongs to a step, before it is written. */
  interface NameListener {
    void at(int place, LoweredStep step, NamedOperands operands);
  }

  /**
   * Compiles as the lane was compiled, only to report its names.
   *
   * @return whether the code was short enough; loops that are kept never fail
   */
  static boolean named(
      NameEnvironment scene,
      LaneInstance instance,
      LoweredLane lowered,
      boolean unrolls,
      NameListener names) {
    return new LaneCompiler(scene, instance, lowered, unrolls, names).compile().isPresent();
  }

  /** Code, and the registers for the values that each agent supplies. */
  record Looped(LaneInstructions code, Map<String, Integer> given) {}

  /** The code; empty if it becomes too long. */
  private Optional<LaneInstructions> compile() {
    open.add(new Entry(0, Map.of()));
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      if (!places.containsKey(entry) && !from(entry)) {
        return Optional.empty();
      }
    }
    jumps.forEach(
        (at, target) -> code.set(at, Objects.requireNonNull(places.get(target), "compiled")));
    code.silent();
    return Optional.of(
        new LaneInstructions(
            scene.rank(),
            instance,
            code.ops(),
            code.texts(),
            code.operations(),
            registers.count(),
            registers.persistent(),
            instance.lane().engine() instanceof LaneFamily.Engine.Sm sm && sm.threads() > 1));
  }

  /** Compiles from there to an end or to code already compiled; false if it becomes too long. */
  private boolean from(Entry entry) {
    registers.begin(entry.known());
    int step = entry.step();
    boolean first = true;
    places.put(entry, code.count());
    while (!unrolls || (code.count() < MAX_WORDS && followed++ < MAX_STEPS)) {
      MicroOperation micro = lowered.steps().get(step).micro();
      boolean begins = first;
      first = false;
      switch (micro) {
        case MicroOperation.Label l -> {
          Entry here = new Entry(step, registers.known());
          if (places.putIfAbsent(here, code.count()) != null && !begins) {
            jump(here);
            return true;
          }
          step++;
        }
        case MicroOperation.Jump(int label) -> step = place(label);
        case MicroOperation.Unless(var condition, int label) -> {
          Boolean holds = registers.holds(condition);
          if (holds == null) {
            text(lowered.steps().get(step));
            code.emit(LaneOpcode.UNLESS);
            steps.conditions(condition);
            target(label);
          }
          step = holds == null || holds ? step + 1 : place(label);
        }
        case MicroOperation.UnlessKind(var peer, var kind, int label) -> {
          text(lowered.steps().get(step));
          code.emit(LaneOpcode.UNLESS_KIND, registers.operand(peer), kind.ordinal());
          target(label);
          step++;
        }
        case MicroOperation.End e -> {
          settle();
          text(lowered.steps().get(step));
          code.emit(LaneOpcode.END);
          return true;
        }
        default -> {
          text(lowered.steps().get(step));
          steps.write(micro);
          step++;
        }
      }
    }
    return false;
  }

  private void text(LoweredStep step) {
    code.text(reportedText(step), step.operation());
    if (names != null) {
      names.at(code.count(), step, registers::named);
    }
  }

  /** A step at a word may be a whole operation; reports then show the program's own text. */
  private static String reportedText(LoweredStep step) {
    return switch (step.micro()) {
      case MicroOperation.PollWord p when step.operation() >= 0 -> step.why();
      case MicroOperation.Rmw m when step.operation() >= 0 -> step.why();
      case MicroOperation.ReadSlot r when step.operation() >= 0 -> step.why();
      default -> StepPrinter.print(step.micro());
    };
  }

  /** At the end, registers hold the lane's values, for readers of outcomes. */
  private void settle() {
    code.silent();
    registers.forEachKnown((register, operand) -> code.emit(LaneOpcode.SET, register, operand));
  }

  private int place(int label) {
    Integer step = labels.get(label);
    if (step == null) {
      throw new IllegalArgumentException("unknown label: label=" + label + "; lower again");
    }
    return step;
  }

  private void target(int label) {
    Entry there = new Entry(place(label), registers.known());
    jumps.put(code.count(), there);
    open.add(there);
    code.emit(-1);
  }

  private void jump(Entry there) {
    code.silent();
    code.emit(LaneOpcode.JUMP);
    jumps.put(code.count(), there);
    code.emit(-1);
  }
}
