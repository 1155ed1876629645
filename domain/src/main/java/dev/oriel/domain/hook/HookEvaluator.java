package dev.oriel.domain.hook;

import dev.oriel.domain.data.Arithmetic;
import dev.oriel.domain.data.Conversion;
import java.util.List;

/**
 * The reference meaning of a hook: its compiled forms must give the same bits, except for NaN
 * payloads.
 *
 * <p>Outputs are computed in increasing index, each from loads that all precede its store. The
 * output may share memory with a source only in place: same start, element size and map. An index
 * outside an array, or a gather row outside its bound, stops the evaluation before it is used;
 * earlier outputs are then already stored.
 */
public final class HookEvaluator {

  private static final Hook NONE = Hook.of("none", List.of(), HookExpr.index());

  private final Hook hook;
  private final HookContext context;
  private final List<HookArray> sources;
  private final long[] loaded;
  private long index;

  private HookEvaluator(Hook hook, HookContext context, List<HookArray> sources) {
    this.hook = hook;
    this.context = context;
    this.sources = sources;
    this.loaded = new long[sources.size()];
  }

  /** Computes outputs {@code first} to {@code first + count - 1}. */
  public static void apply(
      Hook hook,
      HookContext context,
      List<HookArray> sources,
      HookArray output,
      long first,
      long count) {
    HookArrayChecks.require(hook, sources, output);
    HookArrayChecks.requireRange(first, count);
    HookEvaluator evaluator = new HookEvaluator(hook, context, List.copyOf(sources));
    for (long i = first; i < first + count; i++) {
      evaluator.step(i, output);
    }
  }

  /** The value for output {@code i} of a part that reads no source. */
  public static long known(HookExpr part, HookContext context, long i) {
    HookEvaluator evaluator = new HookEvaluator(NONE, context, List.of());
    evaluator.index = i;
    return evaluator.value(part);
  }

  private void step(long i, HookArray output) {
    index = i;
    for (int k = 0; k < loaded.length; k++) {
      loaded[k] = load(k);
    }
    long value = value(hook.value());
    long to = hook.target().at(i);
    if (!output.holds(to)) {
      throw HookArrayChecks.outside("output", "out", hook, i, to, output);
    }
    output.set(to, value);
  }

  private long load(int source) {
    long from =
        switch (hook.sources().get(source).map()) {
          case IndexMap.Fixed fixed -> fixed.at(index);
          case IndexMap.Gather gather -> gather.at(index, row(source, gather));
        };
    HookArray array = sources.get(source);
    if (!array.holds(from)) {
      throw HookArrayChecks.outside("source", "in" + source, hook, index, from, array);
    }
    return array.get(from);
  }

  private long row(int source, IndexMap.Gather gather) {
    long row = load(gather.table());
    if (row < 0 || row >= gather.rows()) {
      throw new IllegalArgumentException(
          "gather row out of range: hook=%s, source=in%d, table=in%d, i=%d, row=%d, rows=%d; %s"
              .formatted(
                  hook.name(),
                  source,
                  gather.table(),
                  index,
                  row,
                  gather.rows(),
                  "mend the table"));
    }
    return row;
  }

  private long value(HookExpr expr) {
    return switch (expr) {
      case HookExpr.Const constant -> constant.pattern();
      case HookExpr.In in -> loaded[in.source()];
      case HookExpr.Index _ -> index;
      case HookExpr.Field field -> context.get(field.field());
      case HookExpr.Unary unary -> unary.op().apply(unary.type(), value(unary.value()));
      case HookExpr.Binary binary ->
          binary.op().apply(binary.type(), value(binary.left()), value(binary.right()));
      case HookExpr.Fma fma -> fma(fma);
      case HookExpr.Select select -> select(select);
      case HookExpr.Cvt cvt ->
          Conversion.convert(cvt.value().type(), cvt.type(), value(cvt.value()));
    };
  }

  private long fma(HookExpr.Fma fma) {
    return Arithmetic.fma(fma.type(), value(fma.a()), value(fma.b()), value(fma.c()));
  }

  private long select(HookExpr.Select select) {
    boolean holds =
        select.relation().test(select.left().type(), value(select.left()), value(select.right()));
    return value(holds ? select.then() : select.otherwise());
  }
}
