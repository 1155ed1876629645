package dev.oriel.sim.code;

/** The ends of instructions; {@link Opcode} lists their operands. */
public final class Instruction {
  private Instruction() {}

  /** The place of the instruction after the one at {@code at}. */
  public static int next(int[] ops, int at) {
    return switch (ops[at]) {
      case Opcode.BAR, Opcode.CONSIST, Opcode.AWAIT_BULK, Opcode.END -> at + 1;
      case Opcode.JUMP, Opcode.AWAIT_LANES, Opcode.PROXY -> at + 2;
      case Opcode.SET, Opcode.FENCE, Opcode.AWAIT_QUEUE -> at + 3;
      case Opcode.UNLESS_KIND -> at + 4;
      case Opcode.STORE, Opcode.LOCK -> at + 5;
      case Opcode.UNLESS, Opcode.CHECK -> at + 3 + 3 * ops[at + 1];
      case Opcode.LOAD, Opcode.READ_SLOT, Opcode.POLL_WORD -> at + 7;
      case Opcode.WRITE_SLOT, Opcode.BULK -> at + 8;
      case Opcode.POLL_SLOT -> at + 9;
      case Opcode.RMW -> at + 10;
      case Opcode.COPY -> CopyLayout.end(ops, at);
      case Opcode.POST -> at + 6 + request(ops[at + 1]);
      default -> throw new IllegalArgumentException("no instruction: opcode=" + ops[at]);
    };
  }

  private static int request(int kind) {
    return switch (kind) {
      case Opcode.Request.WRITE, Opcode.Request.READ -> 5;
      case Opcode.Request.SLOT -> 6;
      case Opcode.Request.CHANGE -> 7;
      case Opcode.Request.WRITE_AND_SIGNAL -> 9;
      case Opcode.Request.LOCK, Opcode.Request.COUNT -> 2;
      default -> 0;
    };
  }
}
