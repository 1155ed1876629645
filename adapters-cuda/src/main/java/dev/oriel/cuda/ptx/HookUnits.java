package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Several outputs of a hook at once, in as few loads and stores as there are arrays: where output i
 * is made of element i of each source, or of one element for a whole unit, such as its scale.
 */
final class HookUnits {
  /** Bytes of the widest array's unit. */
  private static final int UNIT = 16;

  private final Ptx ptx;
  private final ConvertCode convert;
  private final ReduceCode.Places places;
  private final HookForm hook;
  private final ValueCode values;

  /** How many outputs a unit has. */
  private final int outputs;

  private HookUnits(
      Ptx ptx, ConvertCode convert, ReduceCode.Places places, HookForm hook, ValueCode values) {
    this.ptx = ptx;
    this.convert = convert;
    this.places = places;
    this.hook = hook;
    this.values = values;
    this.outputs = outputs(hook);
  }

  /** Units of that hook; empty where an element of a source is not at hand so. */
  static Optional<HookUnits> of(
      Ptx ptx, ConvertCode convert, ReduceCode.Places places, HookForm hook, ValueCode values) {
    int outputs = outputs(hook);
    return hook.sources().stream().allMatch(s -> lies(s.map()) || shared(s.map(), outputs))
        ? Optional.of(new HookUnits(ptx, convert, places, hook, values))
        : Optional.empty();
  }

  private static int outputs(HookForm hook) {
    int widest =
        hook.sources().stream()
            .filter(s -> lies(s.map()))
            .mapToInt(s -> s.type().bytes())
            .max()
            .orElse(1);
    return UNIT / Math.max(widest, hook.result().bytes());
  }

  private static boolean lies(MapForm map) {
    return map.equals(MapForm.identity());
  }

  /** Whether a unit has one element of the source. */
  private static boolean shared(MapForm map, int outputs) {
    return map instanceof MapForm.Blocks(Expr.Const(long size)) && size > 0 && size % outputs == 0;
  }

  int outputs() {
    return outputs;
  }

  /** Bits of addresses that must be 0, collected from every array that lies in units. */
  String misaligned(Micro.Copy c, List<String> from) {
    String mixed = ptx.word();
    ptx.op("mov.b64 %s, 0", mixed);
    for (int k = 0; k < from.size(); k++) {
      if (lies(hook.sources().get(k).map())) {
        mix(mixed, from.get(k), hook.sources().get(k).type());
      }
    }
    places.destinations(to -> mix(mixed, to, hook.result()));
    return mixed;
  }

  private void mix(String mixed, String address, DataType type) {
    String low = ptx.word();
    ptx.op("and.b64 %s, %s, %d", low, address, outputs * type.bytes() - 1);
    ptx.op("or.b64 %s, %s, %s", mixed, mixed, low);
  }

  /**
   * What was loaded for one unit: for each source the words of its elements, or its one element.
   */
  record Loaded(String index, List<List<String>> words) {}

  Loaded load(String unit, List<String> from) {
    String index = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %d", index, unit, outputs);
    List<List<String>> words = new ArrayList<>();
    for (int k = 0; k < from.size(); k++) {
      HookForm.Source source = hook.sources().get(k);
      String address = ptx.word();
      if (source.map() instanceof MapForm.Blocks(Expr.Const(long size))) {
        String block = ptx.word();
        ptx.op("div.u64 %s, %s, %d", block, index, size);
        ptx.op("mad.lo.s64 %s, %s, %d, %s", address, block, source.type().bytes(), from.get(k));
        words.add(List.of(convert.load(source.type(), address)));
        continue;
      }
      int bytes = outputs * source.type().bytes();
      ptx.op("mad.lo.s64 %s, %s, %d, %s", address, unit, bytes, from.get(k));
      List<String> loaded = registers(bytes);
      ptx.op("ld.global%s %s, [%s]", kind(bytes), listed(loaded), address);
      words.add(loaded);
    }
    return new Loaded(index, words);
  }

  /** The words of a unit's outputs. */
  List<String> make(Loaded loaded) {
    List<String> made = new ArrayList<>();
    for (int j = 0; j < outputs; j++) {
      String index = ptx.word();
      ptx.op("add.s64 %s, %s, %d", index, loaded.index(), j);
      List<String> elements = new ArrayList<>();
      for (int k = 0; k < loaded.words().size(); k++) {
        HookForm.Source source = hook.sources().get(k);
        List<String> words = loaded.words().get(k);
        elements.add(lies(source.map()) ? element(source.type(), words, j) : words.getFirst());
      }
      made.add(values.of(hook.value(), index, elements));
    }
    return packed(made);
  }

  void store(String unit, List<String> words) {
    int bytes = outputs * hook.result().bytes();
    places.destinations(to -> {
      String address = ptx.word();
      ptx.op("mad.lo.s64 %s, %s, %d, %s", address, unit, bytes, to);
      ptx.op("st.global%s [%s], %s", kind(bytes), address, listed(words));
    });
  }

  private String element(DataType type, List<String> words, int j) {
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

  private List<String> packed(List<String> made) {
    DataType type = hook.result();
    List<String> words = registers(outputs * type.bytes());
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

  /** How an access of so many bytes is spelled. */
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
