package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates conversions between element types, with {@link Conversion}'s results bit for bit. A
 * value is in a 64-bit register if its type has 8 bytes, else in a 32-bit one: an integer
 * sign-extended, a floating-point number as its bits.
 */
final class ConvertCode {
  private final PtxBuilder ptx;

  ConvertCode(PtxBuilder ptx) {
    this.ptx = ptx;
  }

  /** A fresh register for a value. */
  String register(DataType type) {
    return type.bytes() == Long.BYTES ? ptx.word() : ptx.half();
  }

  /** The element at an address. */
  String load(DataType type, String address) {
    String value = register(type);
    ptx.op("ld.global.%s%d %s, [%s]", type.isInteger() ? "s" : "u", type.bits(), value, address);
    return value;
  }

  /**
   * @param exact whether a NaN of FP32 must be the canonical one
   */
  String convert(DataType from, DataType to, String value, boolean exact) {
    if (from == to) {
      return value;
    }
    if (from.isInteger()) {
      return to.isInteger() ? wrapped(from, to, value) : rounded(from, to, value);
    }
    if (from == DataType.FP64) {
      return to.isInteger() ? truncated(from, to, value) : narrowed(to, value);
    }
    String single = widened(from, value, exact && to == DataType.FP32);
    return switch (to) {
      case FP32 -> single;
      case FP64 -> {
        String result = ptx.word();
        ptx.op("cvt.f64.f32 %s, %s", result, single);
        yield oneNan(DataType.FP64, result);
      }
      default -> to.isInteger() ? truncated(DataType.FP32, to, single) : cut(to, single);
    };
  }

  /** Replaces any NaN of FP32 or FP64 by the canonical one. */
  String oneNan(DataType type, String value) {
    String none = ptx.predicate();
    String result = register(type);
    int bits = type.bits();
    ptx.op("setp.nan.f%d %s, %s, %s", bits, none, value, value);
    ptx.op("selp.b%d %s, 0x%X, %s, %s", bits, result, Conversion.canonicalNan(type), value, none);
    return result;
  }

  /** The low bits of an integer, sign-extended. */
  String wrapped(DataType from, DataType to, String value) {
    boolean wide = from.bytes() == Long.BYTES;
    if (to == DataType.INT64) {
      String result = ptx.word();
      ptx.op("cvt.s64.s32 %s, %s", result, value);
      return result;
    }
    String result = ptx.half();
    if (wide) {
      ptx.op("cvt.u32.u64 %s, %s", result, value);
    } else {
      ptx.op("mov.b32 %s, %s", result, value);
    }
    if (to.bytes() < Integer.BYTES) {
      ptx.op("bfe.s32 %s, %s, 0, %d", result, result, to.bits());
    }
    return result;
  }

  /** An integer as a floating-point number, rounded once. */
  private String rounded(DataType from, DataType to, String value) {
    String wide = from == DataType.INT64 ? value : wrapped(from, DataType.INT64, value);
    if (to == DataType.FP64) {
      String result = ptx.word();
      ptx.op("cvt.rn.f64.s64 %s, %s", result, wide);
      return result;
    }
    String single = ptx.half();
    if (to == DataType.FP32) {
      ptx.op("cvt.rn.f32.s64 %s, %s", single, wide);
      return single;
    }
    String back = ptx.word();
    String lost = ptx.predicate();
    ptx.op("cvt.rz.f32.s64 %s, %s", single, wide);
    ptx.op("cvt.rzi.s64.f32 %s, %s", back, single);
    ptx.op("setp.ne.s64 %s, %s, %s", lost, back, wide);
    ptx.opIf(lost, "or.b32 %s, %s, 1", single, single);
    return cut(to, single);
  }

  /** FP64 to a narrower type, rounded once: types narrower than FP32 by way of FP32. */
  private String narrowed(DataType to, String value) {
    String single = ptx.half();
    if (to == DataType.FP32) {
      ptx.op("cvt.rn.f32.f64 %s, %s", single, value);
      return oneNan(DataType.FP32, single);
    }
    // Rounded to odd: the last bit shows the second rounding that the first was inexact.
    String back = ptx.word();
    String lost = ptx.predicate();
    ptx.op("cvt.rz.f32.f64 %s, %s", single, value);
    ptx.op("cvt.f64.f32 %s, %s", back, single);
    ptx.op("setp.ne.f64 %s, %s, %s", lost, back, value);
    ptx.opIf(lost, "or.b32 %s, %s, 1", single, single);
    return cut(to, single);
  }

  /** FP32 to FP16, BF16 or FP8. */
  private String cut(DataType to, String single) {
    String part = ptx.quarter();
    switch (to) {
      case FP16 -> ptx.op("cvt.rn.f16.f32 %s, %s", part, single);
      case BF16 -> ptx.op("cvt.rn.bf16.f32 %s, %s", part, single);
      case FP8_E4M3, FP8_E5M2 -> {
        String zero = ptx.half();
        ptx.op("mov.b32 %s, 0", zero);
        ptx.op("cvt.rn.satfinite.%sx2.f32 %s, %s, %s", to.symbol(), part, zero, single);
      }
      default -> throw new AssertionError(to);
    }
    String result = ptx.half();
    ptx.op("cvt.u32.u16 %s, %s", result, part);
    return result;
  }

  /** Any floating-point type but FP64, as the same value of FP32. */
  private String widened(DataType from, String value, boolean exact) {
    if (from == DataType.FP32) {
      return value;
    }
    String single = ptx.half();
    if (from == DataType.BF16) {
      ptx.op("shl.b32 %s, %s, 16", single, value);
      return exact ? oneNan(DataType.FP32, single) : single;
    }
    String part = ptx.quarter();
    ptx.op("cvt.u16.u32 %s, %s", part, value);
    if (from != DataType.FP16) {
      String pair = ptx.half();
      String other = ptx.quarter();
      ptx.op("cvt.rn.f16x2.%sx2 %s, %s", from.symbol(), pair, part);
      ptx.op("mov.b32 {%s, %s}, %s", part, other, pair);
    }
    ptx.op("cvt.f32.f16 %s, %s", single, part);
    return exact ? oneNan(DataType.FP32, single) : single;
  }

  /** Whether elements of that type are converted from and to FP32 in whole words. */
  static boolean inWords(DataType type) {
    return type.isFloat() && type.bytes() < DataType.FP32.bytes();
  }

  /** So many elements in words, as values of FP32 whose NaNs may be any. */
  List<String> widened(DataType from, List<String> words, int count) {
    List<String> singles = new ArrayList<>();
    for (String word : words) {
      if (from == DataType.BF16) {
        singles.addAll(List.of(ptx.half(), ptx.half()));
        ptx.op("shl.b32 %s, %s, 16", singles.get(singles.size() - 2), word);
        ptx.op("and.b32 %s, %s, 0xFFFF0000", singles.getLast(), word);
        continue;
      }
      List<String> parts = parts(word);
      for (String part : from == DataType.FP16 ? parts : halves(from, parts, count)) {
        String single = ptx.half();
        ptx.op("cvt.f32.f16 %s, %s", single, part);
        singles.add(single);
      }
    }
    return singles.subList(0, count);
  }

  /** Pairs of FP8, as elements of FP16. */
  private List<String> halves(DataType from, List<String> pairs, int count) {
    List<String> halves = new ArrayList<>();
    for (String pair : pairs.subList(0, Math.min(pairs.size(), (count + 1) / 2))) {
      String both = ptx.half();
      ptx.op("cvt.rn.f16x2.%sx2 %s, %s", from.symbol(), both, pair);
      halves.addAll(parts(both));
    }
    return halves;
  }

  private List<String> parts(String word) {
    List<String> parts = List.of(ptx.quarter(), ptx.quarter());
    ptx.op("mov.b32 {%s, %s}, %s", parts.getFirst(), parts.getLast(), word);
    return parts;
  }

  /** An even number of FP32 values, as words of elements. */
  List<String> packed(DataType to, List<String> singles) {
    List<String> words = new ArrayList<>();
    List<String> pairs = new ArrayList<>();
    for (int j = 0; j < singles.size(); j += 2) {
      // The first operand goes into the upper half.
      String both = singles.get(j + 1) + ", " + singles.get(j);
      if (to.bytes() == 2) {
        String word = ptx.half();
        ptx.op("cvt.rn.%sx2.f32 %s, %s", to.symbol(), word, both);
        words.add(word);
      } else {
        String pair = ptx.quarter();
        ptx.op("cvt.rn.satfinite.%sx2.f32 %s, %s", to.symbol(), pair, both);
        pairs.add(pair);
      }
    }
    for (int j = 0; j < pairs.size(); j += 2) {
      String word = ptx.half();
      if (j + 1 < pairs.size()) {
        ptx.op("mov.b32 %s, {%s, %s}", word, pairs.get(j), pairs.get(j + 1));
      } else {
        ptx.op("cvt.u32.u16 %s, %s", word, pairs.get(j));
      }
      words.add(word);
    }
    return words;
  }

  /** FP32 or FP64 to an integer: rounded toward zero, clamped, a NaN to 0. */
  private String truncated(DataType from, DataType to, String value) {
    boolean wide = to == DataType.INT64;
    String result = register(to);
    String number = ptx.predicate();
    ptx.op("cvt.rzi.s%d.f%d %s, %s", wide ? 64 : 32, from.bits(), result, value);
    ptx.op("setp.num.f%d %s, %s, %s", from.bits(), number, value, value);
    ptx.op("selp.b%d %s, %s, 0, %s", wide ? 64 : 32, result, result, number);
    if (to.bytes() < Integer.BYTES) {
      int bound = (1 << (to.bits() - 1)) - 1;
      ptx.op("min.s32 %s, %s, %d", result, result, bound);
      ptx.op("max.s32 %s, %s, %d", result, result, -bound - 1);
    }
    return result;
  }
}
