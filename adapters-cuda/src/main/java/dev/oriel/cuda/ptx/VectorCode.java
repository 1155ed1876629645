package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.BinaryOp;
import dev.oriel.domain.hook.HookExpr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Generates several neighbouring outputs of a hook at once: loads and stores of up to 16 bytes,
 * conversions of whole words, and one preparation of divisors that the outputs share.
 */
final class VectorCode {
  private final PtxBuilder ptx;
  private final ConvertCode convert;
  private final ValueCode values;
  private final HookSite site;

  VectorCode(PtxBuilder ptx, ConvertCode convert, ValueCode values, HookSite site) {
    this.ptx = ptx;
    this.convert = convert;
    this.values = values;
    this.site = site;
  }

  /** So many bytes at an address that is a multiple of as many, as words. */
  List<String> load(String address, int bytes) {
    List<String> words = registers(bytes);
    ptx.op("ld.global%s %s, [%s]", kind(bytes), listed(words), address);
    return words;
  }

  void store(String address, List<String> words, int bytes) {
    ptx.op("st.global%s [%s], %s", kind(bytes), address, listed(words));
  }

  /**
   * The words of so many outputs from {@code index} on.
   *
   * @param words of each source the words of its elements for these, or its one element for all
   * @param shared the sources that have one element for all
   */
  List<String> make(String index, int outputs, List<List<String>> words, Set<Integer> shared) {
    HookExpr value = site.hook().value();
    boolean whole =
        value instanceof HookExpr.Cvt cvt
            && cvt.value().type() == DataType.FP32
            && ConvertCode.inWords(cvt.type());
    HookExpr made = whole ? value.operands().getFirst() : value;
    Map<HookExpr, List<String>> widened = new HashMap<>();
    Map<HookExpr, ValueCode.Divisor> divisors = new HashMap<>();
    List<String> results = new ArrayList<>();
    for (int j = 0; j < outputs; j++) {
      int at = j;
      Supplier<String> own = () -> shifted(index, at);
      IntFunction<String> loaded =
          k ->
              shared.contains(k)
                  ? words.get(k).getFirst()
                  : element(site.type(k), words.get(k), at);
      if (j == 0) {
        widen(made, outputs, words, shared, widened);
        divisors(made, shared, new ValueCode.Output(own, loaded, Map.of(), Map.of()), divisors);
      }
      Map<HookExpr, String> known = new HashMap<>();
      widened.forEach((part, all) -> known.put(part, all.get(at)));
      results.add(values.of(made, new ValueCode.Output(own, loaded, known, divisors), !whole));
    }
    return whole ? convert.packed(value.type(), results) : packed(value.type(), results);
  }

  private String shifted(String index, int outputs) {
    String shifted = ptx.word();
    ptx.op("add.s64 %s, %s, %d", shifted, index, outputs);
    return shifted;
  }

  /** Converts words of narrow elements to FP32 as a whole. */
  private void widen(
      HookExpr value,
      int outputs,
      List<List<String>> words,
      Set<Integer> shared,
      Map<HookExpr, List<String>> into) {
    if (value instanceof HookExpr.Cvt(DataType to, HookExpr.In in)
        && to == DataType.FP32
        && ConvertCode.inWords(in.type())
        && !shared.contains(in.source())) {
      into.computeIfAbsent(value, _ -> convert.widened(in.type(), words.get(in.source()), outputs));
    } else {
      value.operands().forEach(operand -> widen(operand, outputs, words, shared, into));
    }
  }

  /** Prepares the FP32 divisors that all outputs share. */
  private void divisors(
      HookExpr value,
      Set<Integer> shared,
      ValueCode.Output output,
      Map<HookExpr, ValueCode.Divisor> into) {
    value.operands().forEach(operand -> divisors(operand, shared, output, into));
    if (value instanceof HookExpr.Binary(DataType _, BinaryOp op, HookExpr _, HookExpr right)
        && op == BinaryOp.DIV
        && right.type() == DataType.FP32
        && common(right, shared)) {
      into.computeIfAbsent(right, _ -> values.divisor(values.of(right, output, false)));
    }
  }

  private static boolean common(HookExpr value, Set<Integer> shared) {
    return switch (value) {
      case HookExpr.In in -> shared.contains(in.source());
      case HookExpr.Index _ -> false;
      default -> value.operands().stream().allMatch(operand -> common(operand, shared));
    };
  }

  /** The element at that index of words. */
  String element(DataType type, List<String> words, int j) {
    String value = convert.register(type);
    switch (type.bytes()) {
      case 8 -> ptx.op("mov.b64 %s, {%s, %s}", value, words.get(2 * j), words.get(2 * j + 1));
      case 4 -> ptx.op("mov.b32 %s, %s", value, words.get(j));
      default -> {
        int each = Integer.BYTES / type.bytes();
        ptx.op(
            "bfe.%s32 %s, %s, %d, %d",
            type.isInteger() ? "s" : "u",
            value,
            words.get(j / each),
            j % each * type.bits(),
            type.bits());
      }
    }
    return value;
  }

  /** Values as words of elements. */
  List<String> packed(DataType type, List<String> made) {
    List<String> words = registers(made.size() * type.bytes());
    for (int j = 0; j < made.size(); j++) {
      switch (type.bytes()) {
        case 8 ->
            ptx.op("mov.b64 {%s, %s}, %s", words.get(2 * j), words.get(2 * j + 1), made.get(j));
        case 4 -> ptx.op("mov.b32 %s, %s", words.get(j), made.get(j));
        default -> {
          int each = Integer.BYTES / type.bytes();
          String word = words.get(j / each);
          if (j % each == 0) {
            ptx.op("mov.b32 %s, %s", word, made.get(j));
          } else {
            ptx.op(
                "bfi.b32 %s, %s, %s, %d, %d",
                word, made.get(j), word, j % each * type.bits(), type.bits());
          }
        }
      }
    }
    return words;
  }

  private List<String> registers(int bytes) {
    List<String> words = new ArrayList<>();
    for (int b = 0; b < bytes; b += Integer.BYTES) {
      words.add(ptx.half());
    }
    return words;
  }

  /** PTX's type for an access of so many bytes. */
  private static String kind(int bytes) {
    return switch (bytes) {
      case 16 -> ".v4.u32";
      case 8 -> ".v2.u32";
      default -> ".u" + 8 * bytes;
    };
  }

  private static String listed(List<String> words) {
    return words.size() == 1 ? words.getFirst() : "{" + String.join(", ", words) + "}";
  }
}
