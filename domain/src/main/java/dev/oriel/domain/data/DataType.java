package dev.oriel.domain.data;

import java.util.Optional;

/**
 * An element type that a program may move, reduce or convert.
 *
 * <p>One element travels as a <em>pattern</em>, a {@code long}: an integer sign-extended, a
 * floating-point number as its bits, zero-extended. FP8_E4M3 is the OCP form without infinities
 * (S.1111.111 is NaN, largest 448); FP8_E5M2 has them (largest 57344).
 */
public enum DataType {
  INT8("i8", 1),
  INT16("i16", 2),
  INT32("i32", 4),
  INT64("i64", 8),
  FP8_E4M3("e4m3", 1),
  FP8_E5M2("e5m2", 1),
  FP16("f16", 2),
  BF16("bf16", 2),
  FP32("f32", 4),
  FP64("f64", 8);

  private final String symbol;
  private final int bytes;

  DataType(String symbol, int bytes) {
    this.symbol = symbol;
    this.bytes = bytes;
  }

  /** The type with this name, if any. */
  public static Optional<DataType> ofSymbol(String symbol) {
    for (DataType type : values()) {
      if (type.symbol.equals(symbol)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The name of this type in text forms, such as {@code bf16}. */
  public String symbol() {
    return symbol;
  }

  /** Size of one element in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Size of one element in bits. */
  public int bits() {
    return 8 * bytes;
  }

  /** Whether elements are signed integers, which wrap. */
  public boolean isInteger() {
    return this == INT8 || this == INT16 || this == INT32 || this == INT64;
  }

  /** Whether elements are floating-point numbers. */
  public boolean isFloat() {
    return !isInteger();
  }

  /**
   * Whether a hook computes in this type: 32 and 64 bits wide, where every GPU rounds the same way.
   */
  public boolean isArithmetic() {
    return bytes >= 4;
  }

  /** The type in which elements of this one are accumulated unless the caller asks for another. */
  public DataType accumulator() {
    if (isArithmetic()) {
      return this;
    }
    return isInteger() ? INT32 : FP32;
  }

  /** The pattern of this type made of the low bits of {@code value}. */
  public long wrap(long value) {
    int unused = Long.SIZE - bits();
    return isInteger() ? value << unused >> unused : value << unused >>> unused;
  }
}
