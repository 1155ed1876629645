package dev.oriel.sim.code;

/**
 * Where a {@link Opcode#COPY} that begins at {@code at} keeps its operands. Nobody else knows how
 * many lie in front of which.
 */
public final class CopyLayout {
  /** Operands of a place, and which is which. */
  private static final int PLACE = 5;

  public static final int BUFFER = 0;
  public static final int RANKS = 1;
  public static final int OFFSET = 2;

  /** Less than nothing for plain bytes. */
  public static final int FORMAT = 3;

  public static final int FLAG = 4;

  private CopyLayout() {}

  public static int destinations(int[] ops, int at) {
    return ops[at + 3];
  }

  /** Where a destination begins. */
  public static int destination(int at, int number) {
    return at + 4 + PLACE * number;
  }

  public static int sources(int[] ops, int at) {
    return ops[sourceCount(ops, at)];
  }

  /** Where a source begins. */
  public static int source(int[] ops, int at, int number) {
    return sourceCount(ops, at) + 1 + PLACE * number;
  }

  /** How many operands a hook is told. */
  public static int told(int[] ops, int at) {
    return ops[toldCount(ops, at)];
  }

  /** Where an operand is that a hook is told. */
  public static int told(int[] ops, int at, int number) {
    return toldCount(ops, at) + 1 + number;
  }

  /** Where the next instruction begins. */
  public static int end(int[] ops, int at) {
    int told = toldCount(ops, at);
    return told + 1 + ops[told];
  }

  private static int sourceCount(int[] ops, int at) {
    return destination(at, destinations(ops, at));
  }

  private static int toldCount(int[] ops, int at) {
    return source(ops, at, sources(ops, at));
  }
}
