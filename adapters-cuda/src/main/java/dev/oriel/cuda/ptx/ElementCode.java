package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Generates the element number of each source for an output, as the source's map defines it. */
final class ElementCode {
  /** The most entries of a permutation that are compared one by one. */
  private static final int MAX_ORDER = 64;

  private final PtxBuilder ptx;
  private final BoundedWaitCode waits;
  private final ConvertCode convert;

  ElementCode(PtxBuilder ptx, BoundedWaitCode waits, ConvertCode convert) {
    this.ptx = ptx;
    this.waits = waits;
    this.convert = convert;
  }

  /** Loads every source's element for an output; tables before the rows that they select. */
  List<String> loaded(HookSite site, String index) {
    return loaded(site, index, k -> "");
  }

  /**
   * Loads every source's element for an output, unless a register holds it already.
   *
   * @param known names that register; empty if there is none
   */
  List<String> loaded(HookSite site, String index, IntFunction<String> known) {
    List<String> loaded =
        new ArrayList<>(IntStream.range(0, site.from().size()).mapToObj(known).toList());
    for (boolean gathered : new boolean[] {false, true}) {
      for (int k = 0; k < loaded.size(); k++) {
        boolean now = site.source(k).map() instanceof MapForm.Gather == gathered;
        if (now && loaded.get(k).isEmpty()) {
          String element = element(site, k, index, loaded);
          loaded.set(
              k, convert.load(site.type(k), address(site.from().get(k), element, site.type(k))));
        }
      }
    }
    return loaded;
  }

  /** The number of a source's element for an output. */
  String element(HookSite site, int source, String index, List<String> loaded) {
    return element(site.source(source).map(), site.numbers().get(source), index, loaded);
  }

  /** The number of the destination's element at which an output is stored. */
  String stored(HookSite site, String index) {
    return element(site.hook().target(), site.to(), index, List.of());
  }

  private String element(MapForm map, List<String> numbers, String index, List<String> loaded) {
    if (map.equals(MapForm.identity())) {
      return index;
    }
    String element = ptx.word();
    switch (map) {
      case MapForm.Affine _ ->
          ptx.op("mad.lo.s64 %s, %s, %s, %s", element, index, numbers.get(1), numbers.get(0));
      case MapForm.Blocks(Expr size) -> divide(element, index, size, numbers.get(0));
      case MapForm.Transpose _ -> turn(element, index, numbers.get(0), numbers.get(1));
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

  String address(String base, String element, DataType type) {
    String address = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", address, element, type.bytes(), base);
    return address;
  }

  private void divide(String result, String index, Expr size, String number) {
    if (size instanceof Expr.Const(long each) && each > 0 && Long.bitCount(each) == 1) {
      ptx.op("shr.u64 %s, %s, %d", result, index, Long.numberOfTrailingZeros(each));
    } else {
      ptx.op("div.u64 %s, %s, %s", result, index, number);
    }
  }

  private void turn(String element, String index, String rows, String columns) {
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

  /**
   * The row that a table names. If there is no such row, the block gives up and reads the first.
   */
  private String row(String named, String rows) {
    String row = ptx.word();
    String there = ptx.predicate();
    String known = ptx.label("row");
    ptx.op("cvt.s64.s32 %s, %s", row, named);
    ptx.op("setp.lt.u64 %s, %s, %s", there, row, rows);
    ptx.opIf(there, "bra %s", known);
    waits.endAll(LaneStatus.NO_ROW);
    ptx.op("mov.b64 %s, 0", row);
    ptx.place(known);
    return row;
  }
}
