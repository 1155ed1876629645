package dev.oriel.sim.code;

/**
 * The positions of the operands of a {@link LaneOpcode#COPY} that begins at {@code at}. Only this
 * class knows them.
 */
public final class CopyLayout {
  /** The number of operands of a place, and their positions. */
  private static final int PLACE = 5;

  public static final int BUFFER = 0;
  public static final int RANKS = 1;
  public static final int OFFSET = 2;

  /** Negative for plain bytes. */
  public static final int FORMAT = 3;

  public static final int FLAG = 4;

  private CopyLayout() {}

  public static int destinations(int[] ops, int at) {
    return ops[at + 3];
  }

  /** The first operand of a destination. */
  public static int destination(int at, int number) {
    return at + 4 + PLACE * number;
  }

  public static int sources(int[] ops, int at) {
    return ops[sourceCount(ops, at)];
  }

  /** The first operand of a source. */
  public static int source(int[] ops, int at, int number) {
    return sourceCount(ops, at) + 1 + PLACE * number;
  }

  /** The number of operands of the hook. */
  public static int hookOperands(int[] ops, int at) {
    return ops[operandCount(ops, at)];
  }

  /** The position of a hook's operand. */
  public static int hookOperand(int[] ops, int at, int number) {
    return operandCount(ops, at) + 1 + number;
  }

  /** The next instruction. */
  public static int end(int[] ops, int at) {
    int count = operandCount(ops, at);
    return count + 1 + ops[count];
  }

  private static int sourceCount(int[] ops, int at) {
    return destination(at, destinations(ops, at));
  }

  private static int operandCount(int[] ops, int at) {
    return source(ops, at, sources(ops, at));
  }
}
