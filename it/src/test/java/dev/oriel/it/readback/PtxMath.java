package dev.oriel.it.readback;

import dev.oriel.it.readback.PtxText.Instruction;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Arithmetic of instructions on integers of that many bits, which are unsigned in registers. */
final class PtxMath {
  private PtxMath() {}

  static LongBinaryOperator binary(Instruction i, List<String> parts, int bits, boolean signed) {
    return switch (parts.getFirst()) {
      case "add" -> Long::sum;
      case "sub" -> (a, b) -> a - b;
      case "mul" -> parts.contains("hi") ? Math::unsignedMultiplyHigh : (a, b) -> a * b;
      case "div" ->
          signed
              ? (a, b) -> b == 0 ? -1 : a / b
              : (a, b) -> b == 0 ? -1 : Long.divideUnsigned(a, b);
      case "rem" ->
          signed
              ? (a, b) -> b == 0 ? a : a % b
              : (a, b) -> b == 0 ? a : Long.remainderUnsigned(a, b);
      case "min" -> signed ? Math::min : (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b;
      case "max" -> signed ? Math::max : (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b;
      case "and" -> (a, b) -> a & b;
      case "or" -> (a, b) -> a | b;
      case "xor" -> (a, b) -> a ^ b;
      case "shl" -> (a, b) -> Long.compareUnsigned(b, bits) >= 0 ? 0 : a << b;
      case "shr" ->
          signed
              ? (a, b) -> a >> Math.min(b, 63)
              : (a, b) -> Long.compareUnsigned(b, bits) >= 0 ? 0 : a >>> b;
      default ->
          throw new Mismatch("unknown instruction: line=%d, %s".formatted(i.line(), i.text()));
    };
  }

  static boolean holds(Instruction i, String how, long left, long right, boolean signed) {
    int order = signed ? Long.compare(left, right) : Long.compareUnsigned(left, right);
    return switch (how) {
      case "eq" -> order == 0;
      case "ne" -> order != 0;
      case "lt" -> order < 0;
      case "le" -> order <= 0;
      case "gt" -> order > 0;
      case "ge" -> order >= 0;
      default -> throw new Mismatch("unknown comparison: " + i.text());
    };
  }

  static long mask(long value, int bits) {
    return bits == Long.SIZE ? value : value & (1L << bits) - 1;
  }

  static long extended(long value, int bits) {
    return value << (Long.SIZE - bits) >> (Long.SIZE - bits);
  }
}
