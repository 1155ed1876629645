package dev.oriel.ibverbs.mlx5;

/**
 * The earlier elements for which an element waits before it starts: bits 7 to 5 of its control
 * byte.
 */
public enum ElementFence {
  NONE(0),
  /** Earlier changes of keys, but no read or atomic. */
  SMALL(1),
  /** Earlier reads and atomics of the queue. */
  READS(2),
  /** Everything earlier of the queue. */
  STRONG(3),
  /** {@link #SMALL} and {@link #READS}: the meaning of the fence flag of verbs. */
  SMALL_AND_READS(4);

  private static final ElementFence[] BY_CODE = values();

  private final int code;

  ElementFence(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether it waits for reads and atomics. */
  public boolean ordersReads() {
    return code >= 2;
  }

  static ElementFence of(int code) {
    if (code >= BY_CODE.length) {
      throw DecodingErrors.field("element", "fence", code, "use 0 to 4");
    }
    return BY_CODE[code];
  }
}
