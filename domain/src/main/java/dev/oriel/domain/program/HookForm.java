package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A {@link Hook} as a form declares it: the numbers of its maps are operands that the binding and
 * the rank determine, so one form transposes matrices of any shape. Output i is stored at element i
 * of the destination.
 */
public record HookForm(String name, List<Source> sources, DataType result, HookExpr value) {

  /** What a move tells a hook of itself; the rest would be 0 without anybody noticing. */
  static final Set<ContextField> TOLD =
      Set.of(ContextField.RANK, ContextField.WORLD, ContextField.COUNT);

  /** An array that the hook reads. */
  public record Source(DataType type, MapForm map) {}

  public HookForm {
    sources = List.copyOf(sources);
  }

  /**
   * The hook under another name, with those maps in place of its sources'.
   *
   * @throws IllegalArgumentException if there is not one for each source
   */
  public static HookForm of(String name, Hook hook, List<MapForm> maps) {
    if (maps.size() != hook.sources().size()) {
      throw new IllegalArgumentException(
          "not a map for each source: hook=%s, sources=%d, maps=%d; give as many"
              .formatted(name, hook.sources().size(), maps.size()));
    }
    List<Source> sources =
        IntStream.range(0, maps.size())
            .mapToObj(k -> new Source(hook.sources().get(k).type(), maps.get(k)))
            .toList();
    return new HookForm(name, sources, hook.result(), hook.value());
  }

  /** The hook as it is. */
  public static HookForm of(Hook hook) {
    return of(hook.name(), hook, hook.sources().stream().map(s -> MapForm.of(s.map())).toList());
  }

  /**
   * The hook of those numbers.
   *
   * @throws IllegalArgumentException if the hook cannot be meant, or a number is out of bounds
   */
  public Hook with(ToLongFunction<Expr> value) {
    return new Hook(
        name,
        sources.stream().map(s -> new HookSource(s.type(), s.map().map(value))).toList(),
        result,
        IndexMap.IDENTITY,
        this.value);
  }

  /** The hook of one rank: its numbers are known, and so is what it reads of rank and world. */
  public HookForm bound(ToLongFunction<Expr> number, int rank, int world) {
    return new HookForm(
        name,
        sources.stream()
            .map(s -> new Source(s.type(), s.map().with(e -> Expr.of(number.applyAsLong(e)))))
            .toList(),
        result,
        value.replace(part ->
            switch (part) {
              case HookExpr.Field(ContextField f) when f == ContextField.RANK ->
                  new HookExpr.Const(DataType.INT64, rank);
              case HookExpr.Field(ContextField f) when f == ContextField.WORLD ->
                  new HookExpr.Const(DataType.INT64, world);
              default -> part;
            }));
  }

  /** Whether elements of that type are converted from or to. */
  public boolean converts(DataType type) {
    return converts(value, type);
  }

  private static boolean converts(HookExpr value, DataType type) {
    boolean here =
        value instanceof HookExpr.Cvt(DataType to, HookExpr from)
            && to != from.type()
            && (to == type || from.type() == type);
    return here || value.operands().stream().anyMatch(operand -> converts(operand, type));
  }

  /** The canonical text, which a form's text may hold. */
  public String text() {
    String parameters =
        IntStream.range(0, sources.size())
            .mapToObj(k -> "in" + k + ": " + sources.get(k).type().symbol() + at(k))
            .collect(Collectors.joining(", "));
    return "hook %s(%s) -> %s = %s".formatted(name, parameters, result.symbol(), value.text());
  }

  private String at(int source) {
    MapForm map = sources.get(source).map();
    return map.equals(MapForm.identity()) ? "" : " at " + map.text();
  }
}
