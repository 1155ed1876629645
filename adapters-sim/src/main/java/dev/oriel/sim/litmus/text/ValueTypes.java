package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * The width and the signedness of a test's values, from its types. All values of a test have one
 * width, because memory has no known layout; untyped values have it, too. Types of declarations
 * count where no instruction names one.
 *
 * <p>A value of 32 bits is held sign-extended, however it was written.
 */
final class ValueTypes {
  private final SortedMap<String, Integer> unsupported;
  private final Set<String> declared = new TreeSet<>();
  private final Set<Character> signs = new TreeSet<>();
  private String bits = "";
  private int orders;

  ValueTypes(SortedMap<String, Integer> unsupported) {
    this.unsupported = unsupported;
  }

  /** Records the type of an instruction, such as {@code u32}, if it names one. */
  void named(String type) {
    if (!type.isEmpty()) {
      String width = type.substring(1);
      if (!bits.isEmpty() && !bits.equals(width)) {
        unsupported.merge("types of different widths", 1, Integer::sum);
      }
      bits = width;
      signs.add(type.charAt(0));
    }
  }

  /** Records the type of a location or a register, in the names of C or PTX. */
  void declared(String type) {
    switch (type) {
      case "int", "int32_t", ".s32" -> declared.add("s32");
      case "uint32_t", ".u32" -> declared.add("u32");
      case ".b32" -> declared.add("b32");
      case "long", "int64_t", ".s64" -> declared.add("s64");
      case "uint64_t", ".u64" -> declared.add("u64");
      case ".b64" -> declared.add("b64");
      default -> {}
    }
  }

  /** Records that an instruction without a type orders values. */
  void orders() {
    orders++;
  }

  /** An operation of an instruction's type, or else of the test's common type. */
  ArithmeticOp typed(ArithmeticOp op, String type) {
    if (type.isEmpty() && op.of(false, true) != op) {
      orders();
    }
    return op.of(type.endsWith("32"), type.startsWith("u"));
  }

  /** Determines the common type, once all types are recorded. */
  void settle() {
    if (bits.isEmpty()
        && declared.stream().map(type -> type.substring(1)).distinct().count() == 1) {
      declared.forEach(this::named);
    }
    if (orders > 0 && mixed()) {
      unsupported.merge("order of values with and without a sign", orders, Integer::sum);
    }
  }

  private boolean narrow() {
    return bits.equals("32");
  }

  private boolean unsigned() {
    return signs.contains('u') && !signs.contains('s');
  }

  private boolean mixed() {
    return signs.contains('u') && signs.contains('s');
  }

  /** The representation of a value. */
  long held(long value) {
    if (!narrow()) {
      return value;
    }
    if (value < Integer.MIN_VALUE || value > 0xFFFF_FFFFL) {
      unsupported.merge("value " + value + " of 32 bits", 1, Integer::sum);
    }
    return (int) value;
  }

  /** A comparison of final values. */
  ValueComparison compared(ValueComparison comparison) {
    if (comparison.orders() && mixed()) {
      unsupported.merge("order of values with and without a sign", 1, Integer::sum);
    }
    return unsigned() ? comparison.unsigned() : comparison;
  }

  /** An instruction with values in their representation. */
  LitmusInstruction held(LitmusInstruction instruction) {
    return switch (instruction) {
      case LitmusInstruction.Store s ->
          new LitmusInstruction.Store(
              s.location(), held(s.value()), s.proxy(), s.order(), s.scope());
      case LitmusInstruction.Atomic a ->
          new LitmusInstruction.Atomic(
              a.to(),
              a.location(),
              a.op() == null ? null : held(a.op()),
              a.expected() == null ? null : held(a.expected()),
              held(a.value()),
              a.order(),
              a.scope());
      case LitmusInstruction.Move m -> new LitmusInstruction.Move(m.to(), held(m.value()));
      case LitmusInstruction.Compute c ->
          new LitmusInstruction.Compute(c.to(), held(c.op()), held(c.a()), held(c.b()));
      case LitmusInstruction.Branch b ->
          new LitmusInstruction.Branch(
              unsigned() ? b.comparison().unsigned() : b.comparison(),
              held(b.a()),
              held(b.b()),
              b.target());
      default -> instruction;
    };
  }

  private ArithmeticOp held(ArithmeticOp op) {
    return op.of(narrow(), unsigned());
  }

  private InstructionOperand held(InstructionOperand operand) {
    return operand instanceof InstructionOperand.Constant constant
        ? new InstructionOperand.Constant(held(constant.value()))
        : operand;
  }
}
