package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Locale;

/**
 * Generates the arithmetic of a reduction on elements packed into 32-bit words, the lowest first.
 * Sums, products and quotients round to nearest and keep subnormals, as {@link Reduction} does.
 */
final class AccumulatorCode {
  private static final int WORD = 4;

  private final PtxBuilder ptx;
  private final ReduceOp op;
  private final DataType element;
  private final DataType in;

  AccumulatorCode(PtxBuilder ptx, Combine.Reduce combine) {
    this.ptx = ptx;
    op = combine.op();
    element = combine.type();
    in = combine.accumulator();
    boolean narrow = element.isFloat() && element.bytes() < WORD;
    if (narrow && in != DataType.FP32) {
      throw new ProgramException(
          "reduction has no PTX form yet: element=%s, accumulator=%s; accumulate in fp32"
              .formatted(
                  element.name().toLowerCase(Locale.ROOT), in.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** The number of data words for so many elements; at least one. */
  int words(int elements) {
    return Math.max(1, elements * element.bytes() / WORD);
  }

  /** The number of elements in so many words. */
  int elements(int words) {
    return words * WORD / element.bytes();
  }

  int bytes() {
    return element.bytes();
  }

  /** Registers for a result, not yet written. */
  String[] begin(int elements) {
    String[] registers = new String[elements];
    for (int i = 0; i < elements; i++) {
      registers[i] = register();
      ptx.op("mov.b%d %s, 0", bits(), registers[i]);
    }
    return registers;
  }

  /** Adds one more source's words; if {@code first} is true, they replace the present value. */
  void take(String[] accumulated, List<String> words, String first) {
    for (int i = 0; i < accumulated.length; i++) {
      String value = widened(words, i);
      String result = register();
      combine(result, accumulated[i], value);
      ptx.op("selp.b%d %s, %s, %s, %s", bits(), accumulated[i], value, result, first);
    }
  }

  /** Adds one more source's words to a present value. */
  void take(String[] accumulated, List<String> words) {
    for (int i = 0; i < accumulated.length; i++) {
      combine(accumulated[i], accumulated[i], widened(words, i));
    }
  }

  /** The words of the result, given the number of sources in a 64-bit register. */
  void finish(String[] accumulated, String sources, List<String> words) {
    if (op == ReduceOp.AVG) {
      divide(accumulated, sources);
    }
    switch (element) {
      case FP64, INT64 -> {
        for (int i = 0; i < accumulated.length; i++) {
          ptx.op("mov.b64 {%s, %s}, %s", words.get(2 * i), words.get(2 * i + 1), accumulated[i]);
        }
      }
      case FP16, BF16 -> halves(accumulated, words);
      case INT8, INT16 -> parts(accumulated, words);
      case FP32 -> {
        for (int i = 0; i < accumulated.length; i++) {
          ptx.op(
              in == DataType.FP64 ? "cvt.rn.f32.f64 %s, %s" : "mov.b32 %s, %s",
              words.get(i),
              accumulated[i]);
        }
      }
      case INT32 -> {
        for (int i = 0; i < accumulated.length; i++) {
          ptx.op(wide() ? "cvt.u32.u64 %s, %s" : "mov.b32 %s, %s", words.get(i), accumulated[i]);
        }
      }
      case FP8_E4M3, FP8_E5M2 -> quarters(accumulated, words);
    }
  }

  private void combine(String result, String left, String right) {
    String type = (in.isFloat() ? ".f" : ".s") + bits();
    switch (op) {
      case SUM, AVG -> ptx.op("add%s%s %s, %s, %s", rounded(), type, result, left, right);
      case PROD ->
          ptx.op("mul%s%s %s, %s, %s", in.isFloat() ? ".rn" : ".lo", type, result, left, right);
      case MIN -> ptx.op("min%s %s, %s, %s", type, result, left, right);
      case MAX -> ptx.op("max%s %s, %s, %s", type, result, left, right);
    }
    oneNan(result);
  }

  /** A GPU passes on the bits of an FP64 operand that is a NaN; of FP32 it has a single NaN. */
  private void oneNan(String value) {
    if (in == DataType.FP64) {
      String none = ptx.predicate();
      ptx.op("setp.nan.f64 %s, %s, %s", none, value, value);
      ptx.op("selp.b64 %s, 0x7FF8000000000000, %s, %s", value, value, none);
    }
  }

  private String rounded() {
    return in.isFloat() ? ".rn" : "";
  }

  /** The value of element {@code i} in the accumulator's type. */
  private String widened(List<String> words, int i) {
    String value = register();
    switch (element) {
      case FP64, INT64 ->
          ptx.op("mov.b64 %s, {%s, %s}", value, words.get(2 * i), words.get(2 * i + 1));
      case FP32 ->
          ptx.op(
              in == DataType.FP64 ? "cvt.f64.f32 %s, %s" : "mov.b32 %s, %s", value, words.get(i));
      case BF16 -> {
        String word = words.get(i / 2);
        if (i % 2 == 0) {
          ptx.op("shl.b32 %s, %s, 16", value, word);
        } else {
          ptx.op("and.b32 %s, %s, 0xFFFF0000", value, word);
        }
      }
      case FP16 -> {
        String low = ptx.quarter();
        String high = ptx.quarter();
        ptx.op("mov.b32 {%s, %s}, %s", low, high, words.get(i / 2));
        ptx.op("cvt.f32.f16 %s, %s", value, i % 2 == 0 ? low : high);
      }
      case INT8, INT16, INT32 -> {
        int each = WORD / element.bytes();
        String part = wide() ? ptx.half() : value;
        ptx.op(
            "bfe.s32 %s, %s, %d, %d",
            part, words.get(i / each), i % each * element.bits(), element.bits());
        if (wide()) {
          ptx.op("cvt.s64.s32 %s, %s", value, part);
        }
      }
      case FP8_E4M3, FP8_E5M2 -> {
        String low = ptx.quarter();
        String high = ptx.quarter();
        String pair = ptx.half();
        ptx.op("mov.b32 {%s, %s}, %s", low, high, words.get(i / WORD));
        ptx.op("cvt.rn.f16x2.%s %s, %s", pairs(), pair, i % WORD < 2 ? low : high);
        ptx.op("mov.b32 {%s, %s}, %s", low, high, pair);
        ptx.op("cvt.f32.f16 %s, %s", value, i % 2 == 0 ? low : high);
      }
    }
    return value;
  }

  private void divide(String[] accumulated, String sources) {
    String count = register();
    switch (in) {
      case FP32 -> ptx.op("cvt.rn.f32.u64 %s, %s", count, sources);
      case FP64 -> ptx.op("cvt.rn.f64.u64 %s, %s", count, sources);
      case INT64 -> ptx.op("mov.b64 %s, %s", count, sources);
      default -> ptx.op("cvt.u32.u64 %s, %s", count, sources);
    }
    for (String a : accumulated) {
      if (in == DataType.INT8 || in == DataType.INT16) {
        ptx.op("bfe.s32 %s, %s, 0, %d", a, a, in.bits());
      }
      String type = in.isFloat() ? ".rn.f" + bits() : ".s" + bits();
      ptx.op("div%s %s, %s, %s", type, a, a, count);
      oneNan(a);
    }
  }

  private void halves(String[] accumulated, List<String> words) {
    String type = element == DataType.FP16 ? "f16" : "bf16";
    for (int i = 0; i < accumulated.length; i += 2) {
      String low = ptx.quarter();
      String high = ptx.quarter();
      ptx.op("cvt.rn.%s.f32 %s, %s", type, low, accumulated[i]);
      if (i + 1 < accumulated.length) {
        ptx.op("cvt.rn.%s.f32 %s, %s", type, high, accumulated[i + 1]);
      } else {
        ptx.op("mov.b16 %s, 0", high);
      }
      ptx.op("mov.b32 %s, {%s, %s}", words.get(i / 2), low, high);
    }
  }

  private void quarters(String[] accumulated, List<String> words) {
    for (int i = 0; i < accumulated.length; i += WORD) {
      String low = narrowed(accumulated, i);
      String high = narrowed(accumulated, Math.min(i + 2, accumulated.length - 1));
      ptx.op("mov.b32 %s, {%s, %s}", words.get(i / WORD), low, high);
    }
  }

  /** Elements {@code i} and {@code i + 1}, if there is one, in 16 bits. */
  private String narrowed(String[] accumulated, int i) {
    String pair = ptx.quarter();
    String second = accumulated[Math.min(i + 1, accumulated.length - 1)];
    ptx.op("cvt.rn.satfinite.%s.f32 %s, %s, %s", pairs(), pair, second, accumulated[i]);
    return pair;
  }

  /** PTX's name for a pair of 8-bit elements. */
  private String pairs() {
    return element.symbol() + "x2";
  }

  private void parts(String[] accumulated, List<String> words) {
    int each = WORD / element.bytes();
    for (int i = 0; i < accumulated.length; i++) {
      String word = words.get(i / each);
      String part = accumulated[i];
      if (wide()) {
        part = ptx.half();
        ptx.op("cvt.u32.u64 %s, %s", part, accumulated[i]);
      }
      if (i % each == 0) {
        ptx.op("mov.b32 %s, %s", word, part);
      } else {
        ptx.op(
            "bfi.b32 %s, %s, %s, %d, %d",
            word, part, word, i % each * element.bits(), element.bits());
      }
    }
  }

  private boolean wide() {
    return in.bytes() == Long.BYTES;
  }

  private int bits() {
    return wide() ? Long.SIZE : Integer.SIZE;
  }

  private String register() {
    return wide() ? ptx.word() : ptx.half();
  }
}
