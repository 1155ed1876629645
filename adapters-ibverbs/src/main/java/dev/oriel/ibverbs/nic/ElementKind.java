package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.ElementOpcode;

/** The kinds of elements that the ordering rules distinguish. */
public enum ElementKind {
  /** Sends and writes: they change the peer's memory. */
  WRITE,
  READ,
  ATOMIC,
  /** Touches no memory. */
  LOCAL;

  static ElementKind of(ElementOpcode opcode) {
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
