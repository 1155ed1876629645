package dev.oriel.sim.code;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.ProgramException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The registers of a lane: their numbers, and their values as far as the binding determines them at
 * the current position of the code.
 */
final class ConstantRegisters {
  private final LaneCompiler.NameEnvironment scene;
  private final boolean unrolls;
  private final Map<String, Integer> registers = new LinkedHashMap<>();

  /** The values that each agent supplies, with the register of each. */
  private final Map<String, Integer> given = new LinkedHashMap<>();

  /** The number of steps that write each register; registers are numbered in that order. */
  private final Map<String, Integer> writers = new LinkedHashMap<>();

  private final int persistent;

  /** Registers whose value at the current position is known from the binding. */
  private Map<String, Integer> constants = new HashMap<>();

  ConstantRegisters(LaneCompiler.NameEnvironment scene, LoweredLane lowered, boolean unrolls) {
    this.scene = scene;
    this.unrolls = unrolls;
    register("epoch");
    lowered.persistent().forEach(s -> register(s.name()));
    persistent = registers.size();
    lowered.steps().forEach(step -> writes(step.micro()));
    writers.keySet().forEach(this::register);
  }

  int count() {
    return registers.size();
  }

  /** The number of registers, the first ones, that persist from launch to launch. */
  int persistent() {
    return persistent;
  }

  Map<String, Integer> given() {
    return given;
  }

  /** The code continues with these known registers. */
  void begin(Map<String, Integer> known) {
    constants = new HashMap<>(known);
  }

  /** The registers known at this position. */
  Map<String, Integer> known() {
    return Map.copyOf(constants);
  }

  /** The register has that operand's value, and the code need not set it. */
  void hold(String name, int operand) {
    constants.put(name, operand);
  }

  /** The register's value is unknown from here on. */
  void forget(String name) {
    constants.remove(name);
  }

  /** Passes the number of each known register with its operand. */
  void forEachKnown(BiConsumer<Integer, Integer> action) {
    registers.forEach((name, register) -> {
      Integer constant = constants.get(name);
      if (constant != null) {
        action.accept(register, constant);
      }
    });
  }

  private void writes(MicroOperation micro) {
    switch (micro) {
      case MicroOperation.Set(var register, var value) -> writers.merge(register, 1, Integer::sum);
      case MicroOperation.LoadWord load -> writers.merge(load.register(), 1, Integer::sum);
      case MicroOperation.ReadSlot read -> writers.merge(read.register(), 1, Integer::sum);
      case MicroOperation.Rmw m when !m.register().isEmpty() ->
          writers.merge(m.register(), 1, Integer::sum);
      default -> {}
    }
  }

  private int register(String name) {
    return registers.computeIfAbsent(name, n -> registers.size());
  }

  /** The register that the next instruction sets to an unknown value. */
  int written(String name) {
    constants.remove(name);
    return register(name);
  }

  /** Whether the register's known value is kept out of the code. */
  boolean follows(String name) {
    boolean persists = registers.containsKey(name) && registers.get(name) < persistent;
    return !persists && (unrolls || writers.getOrDefault(name, 0) == 1);
  }

  /** Whether the condition holds, as far as that is known; else null. */
  @Nullable Boolean holds(Cond condition) {
    boolean all = true;
    for (Cond.Term t : condition.terms()) {
      int left = operand(t.left());
      int right = operand(t.right());
      if (!scene.operands().isKnown(left) || !scene.operands().isKnown(right)) {
        return null;
      }
      all &=
          t.comparison()
              .test(scene.operands().constantOf(left), scene.operands().constantOf(right));
    }
    return all;
  }

  int operand(Expr expr) {
    return scene.operands().compile(expr, this::name);
  }

  /** The operand of that name at the current position; empty if no such name has a value. */
  Optional<Integer> named(String name) {
    try {
      return Optional.of(name(name));
    } catch (ProgramException unknown) {
      // A run of sources has a variable that only its own place knows.
      return Optional.empty();
    }
  }

  private int name(String name) {
    Integer constant = constants.get(name);
    if (constant != null) {
      return constant;
    }
    Integer register = registers.get(name);
    if (register != null) {
      return OperandTable.register(register);
    }
    OptionalInt known = scene.known(name);
    if (known.isPresent()) {
      return known.getAsInt();
    }
    given.put(name, register(name));
    return OperandTable.register(register(name));
  }
}
