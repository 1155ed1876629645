package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Moves that apply a hook: every thread makes outputs of its own, in {@link HookUnits} where arrays
 * lie so, else one element at a time, four of them under way. The expression stands in the code;
 * the numbers of the maps are operands, so that one kernel serves all shapes.
 */
final class HookCode {
  private static final int UNROLL = 4;

  /** Entries of a permutation that are compared one by one. */
  private static final int MAX_ORDER = 64;

  private final Ptx ptx;
  private final Threads threads;
  private final Patience patience;
  private final ReduceCode.Places places;
  private final ConvertCode convert;

  HookCode(Ptx ptx, Threads threads, Patience patience, ReduceCode.Places places) {
    this.ptx = ptx;
    this.threads = threads;
    this.patience = patience;
    this.places = places;
    this.convert = new ConvertCode(ptx);
  }

  /** All sources and destinations are plain. */
  void plain(Micro.Copy c, HookForm hook, String bytes) {
    String count = ptx.word();
    ptx.op("shr.u64 %s, %s, %d", count, bytes, shift(hook.result()));
    List<String> from = c.sources().stream().map(places::source).toList();
    List<List<String>> numbers =
        hook.sources().stream()
            .map(s -> s.map().numbers().stream().map(places::value).toList())
            .toList();
    ValueCode values = new ValueCode(ptx, convert, field -> told(field, count));
    Outputs outputs = new Outputs(hook, from, numbers, values);
    String index = ptx.word();
    ptx.op("mov.b64 %s, %s", index, threads.self());
    HookUnits.of(ptx, convert, places, hook, values)
        .ifPresent(units -> units(units, c, from, count, index));
    String last = ptx.word();
    String past = ptx.predicate();
    String many = ptx.label("outputs");
    String one = ptx.label("output");
    String end = ptx.label("made");
    ptx.place(many);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", last, threads.count(), UNROLL - 1, index);
    ptx.op("setp.ge.u64 %s, %s, %s", past, last, count);
    ptx.opIf(past, "bra %s", one);
    outputs.make(index, UNROLL);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", index, threads.count(), UNROLL, index);
    ptx.op("bra %s", many);
    ptx.place(one);
    ptx.op("setp.ge.u64 %s, %s, %s", past, index, count);
    ptx.opIf(past, "bra %s", end);
    outputs.make(index, 1);
    ptx.op("add.s64 %s, %s, %s", index, index, threads.count());
    ptx.op("bra %s", one);
    ptx.place(end);
  }

  /** Makes whole units; leaves in {@code index} where a thread goes on element by element. */
  private void units(HookUnits units, Micro.Copy c, List<String> from, String count, String index) {
    String unaligned = ptx.predicate();
    String whole = ptx.word();
    String unit = ptx.word();
    String second = ptx.word();
    String past = ptx.predicate();
    String two = ptx.label("pairs");
    String one = ptx.label("unit");
    String rest = ptx.label("rest");
    String scalar = ptx.label("scalar");
    ptx.op("setp.ne.u64 %s, %s, 0", unaligned, units.misaligned(c, from));
    ptx.opIf(unaligned, "bra %s", scalar);
    ptx.op("shr.u64 %s, %s, %d", whole, count, Integer.numberOfTrailingZeros(units.outputs()));
    ptx.op("mov.b64 %s, %s", unit, threads.self());
    ptx.place(two);
    ptx.op("add.s64 %s, %s, %s", second, unit, threads.count());
    ptx.op("setp.ge.u64 %s, %s, %s", past, second, whole);
    ptx.opIf(past, "bra %s", one);
    HookUnits.Loaded left = units.load(unit, from);
    HookUnits.Loaded right = units.load(second, from);
    units.store(unit, units.make(left));
    units.store(second, units.make(right));
    ptx.op("add.s64 %s, %s, %s", unit, second, threads.count());
    ptx.op("bra %s", two);
    ptx.place(one);
    ptx.op("setp.ge.u64 %s, %s, %s", past, unit, whole);
    ptx.opIf(past, "bra %s", rest);
    units.store(unit, units.make(units.load(unit, from)));
    ptx.place(rest);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", index, whole, units.outputs(), threads.self());
    ptx.place(scalar);
  }

  /** What outputs are made of: addresses of the sources, and the numbers of their maps. */
  private final class Outputs {
    private final HookForm hook;
    private final List<String> from;
    private final List<List<String>> numbers;
    private final ValueCode values;

    Outputs(HookForm hook, List<String> from, List<List<String>> numbers, ValueCode values) {
      this.hook = hook;
      this.from = from;
      this.numbers = numbers;
      this.values = values;
    }

    /** Outputs from {@code index} on, as many threads apart: all are loaded before any is made. */
    void make(String index, int many) {
      List<String> indices = new ArrayList<>();
      List<List<String>> loaded = new ArrayList<>();
      for (int u = 0; u < many; u++) {
        String at = ptx.word();
        ptx.op("mad.lo.s64 %s, %s, %d, %s", at, threads.count(), u, index);
        indices.add(at);
        loaded.add(elements(at));
      }
      List<String> made = new ArrayList<>();
      for (int u = 0; u < many; u++) {
        made.add(values.of(hook.value(), indices.get(u), loaded.get(u)));
      }
      places.destinations(to -> {
        for (int u = 0; u < many; u++) {
          String address = address(to, indices.get(u), hook.result());
          ptx.op("st.global.u%d [%s], %s", hook.result().bits(), address, made.get(u));
        }
      });
    }

    /** Every source's element for an output; tables before what they choose. */
    private List<String> elements(String index) {
      List<String> loaded = new ArrayList<>(Collections.nCopies(hook.sources().size(), ""));
      for (boolean gathered : new boolean[] {false, true}) {
        for (int k = 0; k < loaded.size(); k++) {
          HookForm.Source source = hook.sources().get(k);
          if (source.map() instanceof MapForm.Gather == gathered) {
            String element = element(source.map(), numbers.get(k), index, loaded);
            loaded.set(
                k, convert.load(source.type(), address(from.get(k), element, source.type())));
          }
        }
      }
      return loaded;
    }
  }

  private String told(ContextField field, String count) {
    return switch (field) {
      case RANK -> places.name("r");
      case WORLD -> places.name("n");
      case COUNT -> count;
      default -> throw new AssertionError(field);
    };
  }

  /** The number of the element that belongs to an output. */
  private String element(MapForm map, List<String> numbers, String index, List<String> loaded) {
    if (map.equals(MapForm.identity())) {
      return index;
    }
    String element = ptx.word();
    switch (map) {
      case MapForm.Affine _ ->
          ptx.op("mad.lo.s64 %s, %s, %s, %s", element, index, numbers.get(1), numbers.get(0));
      case MapForm.Blocks(Expr size) -> divide(element, index, size, numbers.get(0));
      case MapForm.Transpose _ -> {
        String rows = numbers.get(0);
        String columns = numbers.get(1);
        String size = ptx.word();
        String within = ptx.word();
        String row = ptx.word();
        String column = ptx.word();
        String inFirst = ptx.predicate();
        String first = ptx.label("matrix");
        ptx.op("mul.lo.s64 %s, %s, %s", size, rows, columns);
        ptx.op("mov.b64 %s, %s", within, index);
        ptx.op("setp.lt.u64 %s, %s, %s", inFirst, index, size);
        ptx.opIf(inFirst, "bra %s", first);
        ptx.op("rem.u64 %s, %s, %s", within, index, size);
        ptx.place(first);
        ptx.op("sub.s64 %s, %s, %s", element, index, within);
        ptx.op("div.u64 %s, %s, %s", column, within, rows);
        ptx.op("mul.lo.s64 %s, %s, %s", row, column, rows);
        ptx.op("sub.s64 %s, %s, %s", row, within, row);
        ptx.op("mad.lo.s64 %s, %s, %s, %s", element, row, columns, element);
        ptx.op("add.s64 %s, %s, %s", element, element, column);
      }
      case MapForm.Permutation(List<Integer> order) -> permute(element, index, order);
      case MapForm.Gather(int table, Expr _, Expr _) -> {
        String row = row(loaded.get(table), numbers.get(0));
        String within = ptx.word();
        ptx.op("rem.u64 %s, %s, %s", within, index, numbers.get(1));
        ptx.op("mad.lo.s64 %s, %s, %s, %s", element, row, numbers.get(1), within);
      }
    }
    return element;
  }

  private void divide(String result, String index, Expr size, String number) {
    if (size instanceof Expr.Const(long each) && each > 0 && Long.bitCount(each) == 1) {
      ptx.op("shr.u64 %s, %s, %d", result, index, Long.numberOfTrailingZeros(each));
    } else {
      ptx.op("div.u64 %s, %s, %s", result, index, number);
    }
  }

  private void permute(String element, String index, List<Integer> order) {
    if (order.size() > MAX_ORDER) {
      throw new ProgramException(
          "permutation has no PTX form: entries=%d, most=%d; gather by a table"
              .formatted(order.size(), MAX_ORDER));
    }
    String within = ptx.word();
    String to = ptx.word();
    String here = ptx.predicate();
    ptx.op("rem.u64 %s, %s, %d", within, index, order.size());
    ptx.op("sub.s64 %s, %s, %s", element, index, within);
    ptx.op("mov.b64 %s, %d", to, order.getFirst());
    for (int i = 1; i < order.size(); i++) {
      ptx.op("setp.eq.u64 %s, %s, %d", here, within, i);
      ptx.opIf(here, "mov.b64 %s, %d", to, order.get(i));
    }
    ptx.op("add.s64 %s, %s, %s", element, element, to);
  }

  /** The row that a table names. Where there is none the block gives up and reads the first. */
  private String row(String named, String rows) {
    String row = ptx.word();
    String there = ptx.predicate();
    String known = ptx.label("row");
    ptx.op("cvt.s64.s32 %s, %s", row, named);
    ptx.op("setp.lt.u64 %s, %s, %s", there, row, rows);
    ptx.opIf(there, "bra %s", known);
    patience.endAll(Status.NO_ROW);
    ptx.op("mov.b64 %s, 0", row);
    ptx.place(known);
    return row;
  }

  private String address(String base, String element, DataType type) {
    String address = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", address, element, type.bytes(), base);
    return address;
  }

  private static int shift(DataType type) {
    return Integer.numberOfTrailingZeros(type.bytes());
  }
}
