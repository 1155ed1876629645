package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads instructions that compute addresses. The text determines the location to which a register
 * points. An offset added to it is a value like others, held in a register with a name that no text
 * can have. The offset must be 0 in every execution, so its only effect is a dependency on reads.
 * The access then stores the sum with the offset, or returns that sum, which orders the same events
 * as a dependent address.
 */
final class AddressParser {
  /** The name of the register that holds a sum with an offset until it is stored. */
  private static final String SUM = "&";

  private static final Map<String, Set<String>> WIDER =
      Map.of("u32", Set.of("u64", "s64"), "s32", Set.of("u64", "s64"));

  private final LexemeCursor lexemes;
  private final LocationTable locations;
  private final OperandParser operands;
  private final SortedMap<String, Integer> unsupported;
  private final ValueTypes types;

  AddressParser(
      LexemeCursor lexemes,
      LocationTable locations,
      OperandParser operands,
      SortedMap<String, Integer> unsupported,
      ValueTypes types) {
    this.lexemes = lexemes;
    this.locations = locations;
    this.operands = operands;
    this.unsupported = unsupported;
    this.types = types;
  }

  /** Reads an instruction on addresses; returns false and consumes nothing for any other. */
  boolean parse(ThreadBuilder thread, Mnemonic mnemonic) {
    return switch (mnemonic.head()) {
      case "mov" -> mnemonic.typedOnly() && copy(thread);
      case "cvta" -> Set.of("to.global", "global").contains(mnemonic.rest()) && copy(thread);
      case "add" -> mnemonic.typedOnly() && sum(thread);
      case "cvt" -> convert(thread, mnemonic);
      default -> false;
    };
  }

  /** The location to which a register points, or which the name itself is. */
  private @Nullable Lexeme pointed(ThreadBuilder thread, Lexeme name) {
    Lexeme address = thread.address(name.text());
    boolean location = locations.declared(name.text()) && !operands.isRegister(thread, name);
    return address == null && location ? name : address;
  }

  private boolean copy(ThreadBuilder thread) {
    Lexeme from = lexemes.peek(2);
    Lexeme location = pointed(thread, from);
    if (location == null) {
      return false;
    }
    String to = lexemes.word("a register");
    operands.comma();
    lexemes.next();
    point(thread, to, location);
    String offset = thread.offset(from.text());
    if (offset != null) {
      thread.add(
          new LitmusInstruction.Move(thread.shift(to), new InstructionOperand.Register(offset)));
    } else if (thread.offset(to) != null) {
      thread.add(new LitmusInstruction.Move(thread.shift(to), new InstructionOperand.Constant(0)));
    }
    return true;
  }

  private boolean sum(ThreadBuilder thread) {
    boolean first = thread.address(lexemes.peek(2).text()) != null;
    Lexeme from = lexemes.peek(first ? 2 : 4);
    Lexeme location = thread.address(from.text());
    if (location == null) {
      return false;
    }
    String to = lexemes.word("a register");
    operands.comma();
    if (first) {
      lexemes.next();
      operands.comma();
    }
    InstructionOperand more = operands.operand(thread);
    if (!first) {
      operands.comma();
      lexemes.next();
    }
    String before = thread.offset(from.text());
    InstructionOperand offset =
        before == null
            ? new InstructionOperand.Constant(0)
            : new InstructionOperand.Register(before);
    point(thread, to, location);
    thread.add(new LitmusInstruction.Compute(thread.shift(to), ArithmeticOp.ADD, offset, more));
    return true;
  }

  private void point(ThreadBuilder thread, String register, Lexeme location) {
    if (!thread.point(register, location)) {
      unsupported.merge("address in a register", 1, Integer::sum);
    }
  }

  /** Converts a value to another type; a wider value can only become part of an address. */
  private boolean convert(ThreadBuilder thread, Mnemonic mnemonic) {
    String[] both = mnemonic.rest().split("\\.", -1);
    if (both.length != 2 || !Mnemonic.isType(both[0]) || !Mnemonic.isType(both[1])) {
      return false;
    }
    boolean wider = WIDER.getOrDefault(both[1], Set.of()).contains(both[0]);
    if (!wider && !both[0].substring(1).equals(both[1].substring(1))) {
      return false;
    }
    types.named(both[1]);
    String to = operands.destination(thread);
    operands.comma();
    thread.add(new LitmusInstruction.Move(to, operands.operand(thread)));
    if (wider) {
      thread.widen(to);
    } else {
      types.named(both[0]);
    }
    return true;
  }

  /** The value that an access stores through a pointer with that offset. */
  static InstructionOperand stored(
      ThreadBuilder thread, InstructionOperand value, @Nullable String offset) {
    if (offset == null) {
      return value;
    }
    thread.add(
        new LitmusInstruction.Compute(
            SUM, ArithmeticOp.ADD, value, new InstructionOperand.Register(offset)));
    return new InstructionOperand.Register(SUM);
  }

  /** Makes the result of an access through a pointer with that offset depend on the offset. */
  static void returned(ThreadBuilder thread, @Nullable String to, @Nullable String offset) {
    if (to != null && offset != null) {
      InstructionOperand sum = new InstructionOperand.Register(to);
      thread.add(
          new LitmusInstruction.Compute(
              to, ArithmeticOp.ADD, sum, new InstructionOperand.Register(offset)));
    }
  }
}
