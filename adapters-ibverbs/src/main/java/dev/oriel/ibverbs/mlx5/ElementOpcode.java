package dev.oriel.ibverbs.mlx5;

import java.util.Optional;

/** The opcodes of send-queue elements that are used here. */
public enum ElementOpcode {
  NOP(0x00),
  WRITE(0x08),
  WRITE_IMMEDIATE(0x09),
  SEND(0x0a),
  WAIT(0x0f),
  READ(0x10),
  COMPARE_SWAP(0x11),
  FETCH_ADD(0x12);

  private static final ElementOpcode[] BY_CODE = new ElementOpcode[0x100];

  static {
    for (ElementOpcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final int code;

  ElementOpcode(int code) {
    this.code = code;
  }

  /** The byte. */
  public int code() {
    return code;
  }

  /** The operation of a byte, if it is used here. */
  public static Optional<ElementOpcode> of(int code) {
    return Optional.ofNullable(BY_CODE[code & 0xff]);
  }
}
