package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates units of 16 bytes of the widest array. A unit's outputs are made of adjacent elements,
 * of a part of one gathered row, or of one element for all, for example a scale. The kernel checks
 * once for each move whether the numbers of the maps and the addresses allow this.
 */
final class HookUnits {
  /** Bytes of the widest array's unit. */
  private static final int UNIT = 16;

  /** Units that are loaded before the first one's outputs are made. */
  private static final int UNROLL = 4;

  private final HookTools tools;
  private final PtxBuilder ptx;
  private final VectorCode vectors;
  private final HookSite site;

  /** The number of outputs of a unit. */
  private final int outputs;

  /** Sources with one element for a whole unit. */
  private final Set<Integer> shared;

  private HookUnits(HookTools tools) {
    this.tools = tools;
    this.ptx = tools.ptx();
    this.vectors = tools.vectors();
    this.site = tools.site();
    this.outputs = outputs(site.hook());
    this.shared =
        IntStream.range(0, site.from().size())
            .filter(k -> oneForAll(site.source(k).map(), outputs))
            .boxed()
            .collect(Collectors.toSet());
  }

  /** Units of that hook; empty if its maps allow none, whatever their numbers are. */
  static Optional<HookUnits> of(HookTools tools) {
    HookForm hook = tools.site().hook();
    int outputs = outputs(hook);
    boolean fit =
        outputs > 1
            && isContiguous(hook.target())
            && hook.sources().stream().allMatch(s -> fits(s.map(), hook, outputs));
    return fit ? Optional.of(new HookUnits(tools)) : Optional.empty();
  }

  private static int outputs(HookForm hook) {
    int widest =
        hook.sources().stream()
            .filter(s -> isContiguous(s.map()) || s.map() instanceof MapForm.Gather)
            .mapToInt(s -> s.type().bytes())
            .max()
            .orElse(1);
    return UNIT / Math.max(widest, hook.result().bytes());
  }

  private static boolean fits(MapForm map, HookForm hook, int outputs) {
    return isContiguous(map)
        || oneForAll(map, outputs)
        || (map instanceof MapForm.Gather(int table, Expr _, Expr width)
            && whole(width, outputs)
            && oneForAll(hook.sources().get(table).map(), outputs));
  }

  private static boolean isContiguous(MapForm map) {
    return map instanceof MapForm.Affine(Expr _, Expr stride) && stride.equals(Expr.of(1));
  }

  private static boolean oneForAll(MapForm map, int outputs) {
    return (map instanceof MapForm.Affine(Expr _, Expr stride) && stride.equals(Expr.of(0)))
        || (map instanceof MapForm.Blocks(Expr size) && whole(size, outputs));
  }

  /** Whether so many outputs may be a whole number of units. */
  private static boolean whole(Expr size, int outputs) {
    return !(size instanceof Expr.Const(long known)) || known % outputs == 0;
  }

  /**
   * Makes whole units; leaves in {@code index} the first output that a thread then makes element by
   * element.
   */
  void make(WorkSharingCode threads, String index) {
    String unfit = ptx.predicate();
    String whole = ptx.word();
    String unit = ptx.word();
    String last = ptx.word();
    String past = ptx.predicate();
    String many = ptx.label("units");
    String one = ptx.label("unit");
    String rest = ptx.label("rest");
    String scalar = ptx.label("scalar");
    ptx.op("setp.ne.u64 %s, %s, 0", unfit, unfit());
    ptx.opIf(unfit, "bra %s", scalar);
    ptx.op("shr.u64 %s, %s, %d", whole, site.count(), Integer.numberOfTrailingZeros(outputs));
    ptx.op("mov.b64 %s, %s", unit, threads.self());
    ptx.place(many);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", last, threads.count(), UNROLL - 1, unit);
    ptx.op("setp.ge.u64 %s, %s, %s", past, last, whole);
    ptx.opIf(past, "bra %s", one);
    units(threads, unit, UNROLL);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", unit, threads.count(), UNROLL, unit);
    ptx.op("bra %s", many);
    ptx.place(one);
    ptx.op("setp.ge.u64 %s, %s, %s", past, unit, whole);
    ptx.opIf(past, "bra %s", rest);
    units(threads, unit, 1);
    ptx.op("add.s64 %s, %s, %s", unit, unit, threads.count());
    ptx.op("bra %s", one);
    ptx.place(rest);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", index, whole, outputs, threads.self());
    ptx.place(scalar);
  }

  private void units(WorkSharingCode threads, String first, int many) {
    List<String> units = new ArrayList<>();
    List<List<List<String>>> loaded = new ArrayList<>();
    for (int u = 0; u < many; u++) {
      String unit = ptx.word();
      ptx.op("mad.lo.s64 %s, %s, %d, %s", unit, threads.count(), u, first);
      units.add(unit);
      loaded.add(load(index(unit)));
    }
    for (int u = 0; u < many; u++) {
      List<String> made = vectors.make(index(units.get(u)), outputs, loaded.get(u), shared);
      int bytes = outputs * site.hook().result().bytes();
      String unit = units.get(u);
      tools
          .places()
          .destinations(to -> {
            String address = ptx.word();
            ptx.op("mad.lo.s64 %s, %s, %d, %s", address, unit, bytes, first(to));
            vectors.store(address, made, bytes);
          });
    }
  }

  /** The address of the first output's element. */
  private String first(String to) {
    return site.hook().scatters()
        ? tools.elements().address(to, site.to().getFirst(), site.hook().result())
        : to;
  }

  private String index(String unit) {
    String index = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %d", index, unit, outputs);
    return index;
  }

  /**
   * For each source the words of a unit's elements, or its one element; tables before the rows that
   * they select.
   */
  private List<List<String>> load(String index) {
    List<String> tables = new ArrayList<>(Collections.nCopies(site.from().size(), ""));
    List<List<String>> words = new ArrayList<>(Collections.nCopies(site.from().size(), List.of()));
    for (boolean one : new boolean[] {true, false}) {
      for (int k = 0; k < words.size(); k++) {
        if (shared.contains(k) != one) {
          continue;
        }
        String element = tools.elements().element(site, k, index, tables);
        if (one) {
          tables.set(k, tools.load(k, element));
          words.set(k, List.of(tables.get(k)));
        } else {
          int bytes = outputs * site.type(k).bytes();
          words.set(k, vectors.load(tools.address(k, element), bytes));
        }
      }
    }
    return words;
  }

  /**
   * 0 if every array is aligned to units, and every number of the maps is a whole number of units.
   */
  private String unfit() {
    String mixed = tools.obstacles();
    for (int k = 0; k < site.from().size(); k++) {
      mix(mixed, k);
    }
    tools
        .places()
        .destinations(
            to -> tools.obstacle(mixed, first(to), outputs * site.hook().result().bytes()));
    return mixed;
  }

  private void mix(String mixed, int source) {
    int unit = outputs * site.type(source).bytes();
    switch (site.source(source).map()) {
      case MapForm.Affine _ when !shared.contains(source) -> {
        String first = tools.address(source, site.number(source, 0));
        tools.obstacle(mixed, first, unit);
      }
      case MapForm.Blocks(Expr size) when !(size instanceof Expr.Const) ->
          tools.obstacle(mixed, site.number(source, 0), outputs);
      case MapForm.Gather(int _, Expr _, Expr width) -> {
        tools.obstacle(mixed, site.from().get(source), unit);
        if (!(width instanceof Expr.Const)) {
          tools.obstacle(mixed, site.number(source, 1), outputs);
        }
      }
      default -> {}
    }
  }
}
