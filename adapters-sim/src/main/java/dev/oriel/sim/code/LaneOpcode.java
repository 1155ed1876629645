package dev.oriel.sim.code;

/**
 * The instructions of a {@link LaneInstructions} and the operands that follow each in its array.
 *
 * <pre>
 * operand   see {@link OperandTable}          ranks     a set's number, or ~operand for one rank
 * place     buffer ranks offset format flag         format -1 for plain bytes
 * conds     n, then comparison left right of each
 * </pre>
 */
public final class LaneOpcode {
  /** target. */
  public static final int JUMP = 0;

  /** conds, target. */
  public static final int UNLESS = 1;

  /** peer, kind, target. */
  public static final int UNLESS_KIND = 2;

  /** register, value. */
  public static final int SET = 3;

  /** conds, code. */
  public static final int CHECK = 4;

  /** Nothing. */
  public static final int BAR = 5;

  /** scope, strict, alone. */
  public static final int FENCE = 6;

  /** Nothing. */
  public static final int CONSIST = 7;

  /**
   * bytes, combine, number of destinations, places, number of sources, places, number of operands
   * of the hook, operands.
   */
  public static final int COPY = 8;

  /** signal, index, ranks, change, value, order, scope. */
  public static final int WRITE_SLOT = 9;

  /** signal, index, ranks, sum, comparison, value, order, scope. */
  public static final int POLL_SLOT = 10;

  /** set of lanes. */
  public static final int AWAIT_LANES = 11;

  /** register, buffer, offset, width, max, code. */
  public static final int LOAD = 12;

  /** buffer, offset, width, value. */
  public static final int STORE = 13;

  /** register, signal, index, ranks, order, scope. */
  public static final int READ_SLOT = 14;

  /** register or -1, buffer, ranks, offset, change, operand, comparand, order, scope. */
  public static final int RMW = 15;

  /** buffer, offset, comparison, value, order, scope. */
  public static final int POLL_WORD = 16;

  /** buffer, ranks, offset, scope. */
  public static final int LOCK = 17;

  /** request, peer, queue, fenced, unordered; then the request's operands, see {@link Request}. */
  public static final int POST = 18;

  /** peer, queue. */
  public static final int AWAIT_QUEUE = 19;

  /** Nothing. */
  public static final int END = 20;

  /** bytes; buffer, ranks, offset of the destination; the same of the source. */
  public static final int BULK = 21;

  /** Nothing. */
  public static final int AWAIT_BULK = 22;

  /** proxy. */
  public static final int PROXY = 23;

  private LaneOpcode() {}

  /** Kinds of requests, and the operands that follow {@code unordered}. */
  public static final class Request {
    /** local buffer, offset, remote buffer, offset, bytes. */
    public static final int WRITE = 0;

    /** local buffer, offset, remote buffer, offset, bytes. */
    public static final int READ = 1;

    /** signal, index, change, value, order, scope. */
    public static final int SLOT = 2;

    /** Nothing. */
    public static final int READ_BACK = 3;

    /** result buffer or -1, offset, buffer, offset, change, operand, comparand. */
    public static final int CHANGE = 4;

    /** As WRITE, then as SLOT as far as the value. */
    public static final int WRITE_AND_SIGNAL = 5;

    /** buffer, offset. */
    public static final int LOCK = 6;

    /** Nothing. */
    public static final int ARRANGE = 7;

    /** buffer, offset. */
    public static final int COUNT = 8;

    private Request() {}
  }
}
