package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Opcode;

/** The kinds of elements that the ordering rules distinguish. */
public enum Kind {
  /** Sends and writes: they change the peer's memory. */
  WRITE,
  READ,
  ATOMIC,
  /** Touches no memory. */
  LOCAL;

  static Kind of(Opcode opcode) {
    return switch (opcode) {
      case WRITE, WRITE_IMMEDIATE, SEND -> WRITE;
      case READ -> READ;
      case FETCH_ADD, COMPARE_SWAP -> ATOMIC;
      case NOP, WAIT -> LOCAL;
    };
  }

  /** Whether it returns bytes of the peer. */
  boolean answers() {
    return this == READ || this == ATOMIC;
  }
}
