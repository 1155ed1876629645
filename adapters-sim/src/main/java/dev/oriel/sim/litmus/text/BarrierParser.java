package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;

/**
 * Reads barriers of a thread block. The instruction set's names have a number and a count of
 * threads; Dartagnan's dialect has a number, a resource and a quorum.
 */
final class BarrierParser {
  private final LexemeCursor lexemes;
  private final OperandParser operands;
  private final BarrierUses uses;

  BarrierParser(LexemeCursor lexemes, OperandParser operands, BarrierUses uses) {
    this.lexemes = lexemes;
    this.operands = operands;
    this.uses = uses;
  }

  boolean parse(ThreadBuilder thread, Mnemonic mnemonic) {
    return switch (mnemonic.head() + "." + mnemonic.rest()) {
      case "bar.cta.sync" -> dialect(thread, true);
      case "bar.cta.arrive" -> dialect(thread, false);
      case "bar.sync", "barrier.sync", "barrier.sync.aligned" -> counted(thread, true);
      case "barrier.cta.sync", "barrier.cta.sync.aligned" -> counted(thread, true);
      case "bar.arrive", "barrier.arrive", "barrier.arrive.aligned" -> counted(thread, false);
      case "barrier.cta.arrive", "barrier.cta.arrive.aligned" -> counted(thread, false);
      default -> false;
    };
  }

  private boolean dialect(ThreadBuilder thread, boolean waits) {
    if (!lexemes.isNumber()) {
      return inRegister(thread, waits);
    }
    int instance = number();
    InstructionOperand resource = new InstructionOperand.Constant(0);
    InstructionOperand quorum = null;
    boolean named = lexemes.accept(",");
    if (named) {
      resource = operands.operand(thread);
      if (lexemes.accept(",")) {
        quorum = operands.operand(thread);
      }
    }
    uses.add(named ? BarrierUses.Form.RESOURCE : BarrierUses.Form.NUMBER);
    thread.add(new LitmusInstruction.Barrier(waits, instance, resource, quorum));
    return true;
  }

  /** An arrival without waiting must state the number of threads. */
  private boolean counted(ThreadBuilder thread, boolean waits) {
    if (!lexemes.isNumber()) {
      return inRegister(thread, waits);
    }
    int instance = number();
    InstructionOperand count = null;
    if (lexemes.accept(",")) {
      if (!lexemes.isNumber()) {
        return false;
      }
      count = new InstructionOperand.Constant(lexemes.smallNumber("how many threads meet"));
    }
    uses.add(count == null ? BarrierUses.Form.NUMBER : BarrierUses.Form.COUNT);
    thread.add(
        new LitmusInstruction.Barrier(waits, instance, new InstructionOperand.Constant(0), count));
    return count != null || waits;
  }

  private boolean inRegister(ThreadBuilder thread, boolean waits) {
    uses.add(BarrierUses.Form.REGISTER);
    thread.add(new LitmusInstruction.Barrier(waits, 0, operands.operand(thread), null));
    return TableParser.endsCell(lexemes.peek());
  }

  private int number() {
    return lexemes.smallNumber("the barrier's number");
  }
}
