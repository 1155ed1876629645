package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collects one column of the table; jumps find their labels when the column is complete. */
final class ThreadBuilder {
  /** A jump and its target: the end of the code if there is no label. */
  private record Pending(int instruction, @Nullable Lexeme label) {}

  private final int number;
  private final Lexeme place;
  private final Map<String, Long> registers;
  private final Map<String, Lexeme> addresses;

  /** Registers that hold an address with an added offset. */
  private final Set<String> shifted = new HashSet<>();

  /** Registers through whose address, without an offset, an access was made. */
  private final Set<String> accessed = new HashSet<>();

  /** Registers that are wider than the values of the test. */
  private final Set<String> wide = new HashSet<>();

  private final Set<String> assigned = new HashSet<>();
  private final List<LitmusInstruction> code = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<Pending> pending = new ArrayList<>();
  private @Nullable ThreadPlacement placement;

  ThreadBuilder(
      int number,
      Lexeme place,
      @Nullable ThreadPlacement placement,
      Map<String, Long> registers,
      Map<String, Lexeme> addresses) {
    this.number = number;
    this.place = place;
    this.placement = placement;
    this.registers = registers;
    this.addresses = new TreeMap<>(addresses);
  }

  int number() {
    return number;
  }

  void place(ThreadPlacement found) {
    placement = found;
  }

  void assign(String register) {
    assigned.add(register);
  }

  /** Whether the name is a register here: declared or assigned as one. */
  boolean knows(String name) {
    return registers.containsKey(name) || assigned.contains(name) || addresses.containsKey(name);
  }

  /** The location whose address a register holds, if it holds one. */
  @Nullable Lexeme address(String register) {
    return addresses.get(register);
  }

  /**
   * Records that a register holds that address from here on. False if that is not certain: it holds
   * another address elsewhere, or a jump may skip this instruction.
   */
  boolean point(String register, Lexeme location) {
    Lexeme before = addresses.putIfAbsent(register, location);
    return before == null
        ? code.stream().noneMatch(ThreadBuilder::jumps)
        : before.text().equals(location.text());
  }

  private static boolean jumps(LitmusInstruction instruction) {
    return instruction instanceof LitmusInstruction.Jump
        || instruction instanceof LitmusInstruction.Branch;
  }

  /** The register that holds the offset to the address in another; null if it has none so far. */
  @Nullable String offset(String register) {
    return shifted.contains(register) ? "&" + register : null;
  }

  /** As {@link #offset}, for an access. */
  @Nullable String accessed(String register) {
    accessed.add(register);
    return offset(register);
  }

  /**
   * Records that an offset is added to the address in a register; returns the offset's register.
   */
  String shift(String register) {
    if (shifted.add(register) && accessed.contains(register) && !labels.isEmpty()) {
      // In a loop, an access parsed without the offset may follow the addition.
      assigned.add(register);
    }
    return "&" + register;
  }

  /** The registers that hold offsets of addresses, in order. */
  Set<String> offsets() {
    Set<String> names = new TreeSet<>();
    shifted.forEach(register -> names.add("&" + register));
    return names;
  }

  /** Records that a register is wider than the values of the test. */
  void widen(String register) {
    wide.add(register);
  }

  /** The number of wide registers that are used as more than an offset. */
  int wideValues(Set<LitmusCondition.Variable> observed) {
    int values = 0;
    for (String name : wide) {
      values += observed.contains(new LitmusCondition.Variable.Register(number, name)) ? 1 : 0;
      for (LitmusInstruction instruction : code) {
        String to = LiveRegisters.assigned(instruction);
        boolean offset = to != null && (to.startsWith("&") || wide.contains(to));
        values += LiveRegisters.uses(instruction, name) && !offset ? 1 : 0;
      }
    }
    return values;
  }

  /**
   * The number of registers with an address that are used as more than another name of the
   * location: in arithmetic, as the target of an assignment, or in the condition.
   */
  int addressesAsValues(Set<LitmusCondition.Variable> observed) {
    int values = 0;
    for (String name : addresses.keySet()) {
      boolean taken =
          assigned.contains(name)
              || observed.contains(new LitmusCondition.Variable.Register(number, name))
              || code.stream().anyMatch(instruction -> LiveRegisters.uses(instruction, name));
      values += taken ? 1 : 0;
    }
    return values;
  }

  /** Makes the branch at {@code at} skip everything added since. */
  void endSkip(int at) {
    if (code.get(at) instanceof LitmusInstruction.Branch b) {
      code.set(at, new LitmusInstruction.Branch(b.comparison(), b.a(), b.b(), code.size()));
    }
  }

  int size() {
    return code.size();
  }

  void add(LitmusInstruction instruction) {
    code.add(instruction);
  }

  /** Adds a jump whose target is not known yet. */
  void addJump(LitmusInstruction instruction, Lexeme label) {
    pending.add(new Pending(code.size(), label));
    code.add(instruction);
  }

  /** Adds a jump to the end of the thread. */
  void addReturn() {
    pending.add(new Pending(code.size(), null));
    code.add(new LitmusInstruction.Jump(0));
  }

  void label(Lexeme label) {
    if (labels.putIfAbsent(label.text(), code.size()) != null) {
      throw new LitmusException(
          "label defined twice", label.position(), label.shown(), "each label once a thread");
    }
  }

  /** The thread, with its values in the representation of those types. */
  LitmusThread build(ValueTypes types) {
    for (Pending jump : pending) {
      Lexeme label = jump.label();
      int target = label == null ? code.size() : target(label);
      code.set(
          jump.instruction(),
          switch (code.get(jump.instruction())) {
            case LitmusInstruction.Branch b ->
                new LitmusInstruction.Branch(b.comparison(), b.a(), b.b(), target);
            default -> new LitmusInstruction.Jump(target);
          });
    }
    if (placement == null) {
      throw new LitmusException(
          "thread has no place",
          place.position(),
          place.shown(),
          "P%d@cta 0,gpu 0 or a scopes tree".formatted(number));
    }
    Map<String, Long> first = new HashMap<>();
    registers.forEach((name, value) -> first.put(name, types.held(value)));
    return new LitmusThread(
        number, placement, Map.copyOf(first), code.stream().map(types::held).toList());
  }

  private int target(Lexeme label) {
    Integer target = labels.get(label.text());
    if (target == null) {
      throw new LitmusException(
          "unknown label", label.position(), label.shown(), "a label of this thread");
    }
    return target;
  }
}
