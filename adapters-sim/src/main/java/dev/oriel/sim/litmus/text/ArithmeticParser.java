package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction.Compute;
import org.jspecify.annotations.Nullable;

/**
 * Reads arithmetic on registers. An instruction without an operation of its own becomes several
 * operations.
 */
final class ArithmeticParser {
  /** Holds intermediate values; no text has a register of that name. */
  private static final String STEP = "&&";

  private final LexemeCursor lexemes;
  private final OperandParser operands;
  private final ValueTypes types;

  ArithmeticParser(LexemeCursor lexemes, OperandParser operands, ValueTypes types) {
    this.lexemes = lexemes;
    this.operands = operands;
    this.types = types;
  }

  /**
   * Reads the operands of an arithmetic instruction; returns false and consumes nothing for any
   * other.
   */
  boolean parse(ThreadBuilder thread, Mnemonic mnemonic) {
    boolean typed = mnemonic.typedOnly();
    boolean low = mnemonic.rest().equals("lo");
    return switch (mnemonic.head()) {
      case "setp" -> two(thread, op(mnemonic.comparison(), mnemonic));
      case "mul" -> (typed || low) && two(thread, op(ArithmeticOp.MUL, mnemonic));
      case "not" -> typed && not(thread);
      case "neg" -> typed && negative(thread, mnemonic);
      case "shl" -> typed && lexemes.peek(4).kind() == Lexeme.Kind.NUMBER && left(thread, mnemonic);
      case "mad" -> low && sumOfProduct(thread, mnemonic);
      case "selp" -> typed && selected(thread, mnemonic);
      default -> typed && two(thread, op(Mnemonic.operation(mnemonic.head()), mnemonic));
    };
  }

  private @Nullable ArithmeticOp op(@Nullable ArithmeticOp op, Mnemonic mnemonic) {
    return op == null ? null : types.typed(op, mnemonic.type());
  }

  private ArithmeticOp known(ArithmeticOp op, Mnemonic mnemonic) {
    return types.typed(op, mnemonic.type());
  }

  private InstructionOperand next(ThreadBuilder thread) {
    operands.comma();
    return operands.operand(thread);
  }

  /** A comparison sets a predicate: a register that holds 1 or 0. */
  private boolean two(ThreadBuilder thread, @Nullable ArithmeticOp op) {
    if (op == null) {
      return false;
    }
    String to = operands.destination(thread);
    thread.add(new Compute(to, op, next(thread), next(thread)));
    return true;
  }

  private boolean not(ThreadBuilder thread) {
    String to = operands.destination(thread);
    thread.add(
        new Compute(to, ArithmeticOp.XOR, next(thread), new InstructionOperand.Constant(-1)));
    return true;
  }

  private boolean negative(ThreadBuilder thread, Mnemonic mnemonic) {
    String to = operands.destination(thread);
    ArithmeticOp less = known(ArithmeticOp.SUB, mnemonic);
    thread.add(new Compute(to, less, new InstructionOperand.Constant(0), next(thread)));
    return true;
  }

  /** A shift by the width or more gives 0. */
  private boolean left(ThreadBuilder thread, Mnemonic mnemonic) {
    String to = operands.destination(thread);
    InstructionOperand value = next(thread);
    operands.comma();
    int by = lexemes.smallNumber("how far to shift");
    int width = mnemonic.type().endsWith("32") ? Integer.SIZE : Long.SIZE;
    InstructionOperand factor = new InstructionOperand.Constant(by < width ? 1L << by : 0);
    thread.add(new Compute(to, known(ArithmeticOp.MUL, mnemonic), value, factor));
    return true;
  }

  private boolean sumOfProduct(ThreadBuilder thread, Mnemonic mnemonic) {
    String to = operands.destination(thread);
    InstructionOperand product =
        step(thread, known(ArithmeticOp.MUL, mnemonic), next(thread), next(thread));
    thread.add(new Compute(to, known(ArithmeticOp.ADD, mnemonic), product, next(thread)));
    return true;
  }

  /** The second value plus the predicate times the difference to the first. */
  private boolean selected(ThreadBuilder thread, Mnemonic mnemonic) {
    String to = operands.destination(thread);
    InstructionOperand first = next(thread);
    InstructionOperand second = next(thread);
    InstructionOperand predicate = next(thread);
    InstructionOperand difference = step(thread, known(ArithmeticOp.SUB, mnemonic), first, second);
    InstructionOperand more =
        step(thread, known(ArithmeticOp.MUL, mnemonic), difference, predicate);
    thread.add(new Compute(to, known(ArithmeticOp.ADD, mnemonic), second, more));
    return true;
  }

  private static InstructionOperand step(
      ThreadBuilder thread, ArithmeticOp op, InstructionOperand a, InstructionOperand b) {
    thread.add(new Compute(STEP, op, a, b));
    return new InstructionOperand.Register(STEP);
  }
}
