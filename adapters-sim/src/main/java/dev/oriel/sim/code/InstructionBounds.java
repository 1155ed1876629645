package dev.oriel.sim.code;

/** The ends of instructions; {@link LaneOpcode} lists their operands. */
public final class InstructionBounds {
  private InstructionBounds() {}

  /** The place of the instruction after the one at {@code at}. */
  public static int next(int[] ops, int at) {
    return switch (ops[at]) {
      case LaneOpcode.BAR, LaneOpcode.CONSIST, LaneOpcode.AWAIT_BULK, LaneOpcode.END -> at + 1;
      case LaneOpcode.JUMP, LaneOpcode.AWAIT_LANES, LaneOpcode.PROXY -> at + 2;
      case LaneOpcode.SET, LaneOpcode.AWAIT_QUEUE -> at + 3;
      case LaneOpcode.FENCE -> at + 4;
      case LaneOpcode.UNLESS_KIND -> at + 4;
      case LaneOpcode.STORE, LaneOpcode.LOCK -> at + 5;
      case LaneOpcode.UNLESS, LaneOpcode.CHECK -> at + 3 + 3 * ops[at + 1];
      case LaneOpcode.LOAD, LaneOpcode.READ_SLOT, LaneOpcode.POLL_WORD -> at + 7;
      case LaneOpcode.WRITE_SLOT, LaneOpcode.BULK -> at + 8;
      case LaneOpcode.POLL_SLOT -> at + 9;
      case LaneOpcode.RMW -> at + 10;
      case LaneOpcode.COPY -> CopyLayout.end(ops, at);
      case LaneOpcode.POST -> at + 6 + request(ops[at + 1]);
      default -> throw new IllegalArgumentException("no instruction: opcode=" + ops[at]);
    };
  }

  private static int request(int kind) {
    return switch (kind) {
      case LaneOpcode.Request.WRITE, LaneOpcode.Request.READ -> 5;
      case LaneOpcode.Request.SLOT -> 6;
      case LaneOpcode.Request.CHANGE -> 7;
      case LaneOpcode.Request.WRITE_AND_SIGNAL -> 9;
      case LaneOpcode.Request.LOCK, LaneOpcode.Request.COUNT -> 2;
      default -> 0;
    };
  }
}
