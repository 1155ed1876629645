package dev.oriel.domain.program;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A {@link Hook} as a form declares it: the numbers of its maps are operands that the binding and
 * the rank determine, so one form transposes matrices of any shape. Offsets may also name fields
 * that a move sets, see {@link HookOperands}. Its value is no larger than that of a hook.
 *
 * @param target the element of the destination at which output i is stored
 */
public record HookForm(
    String name, List<Source> sources, DataType result, MapForm target, HookExpr value) {

  /** The fields that every hook knows. A move sets others; the rest would silently be 0. */
  static final Set<ContextField> KNOWN =
      Set.of(ContextField.RANK, ContextField.WORLD, ContextField.COUNT);

  /** An array that the hook reads. */
  public record Source(DataType type, MapForm map) {}

  public HookForm {
    sources = List.copyOf(sources);
    value = value.bounded();
  }

  /**
   * The hook under another name, with other maps for its sources.
   *
   * @throws IllegalArgumentException if the number of maps differs from that of sources
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
    return new HookForm(name, sources, hook.result(), MapForm.of(hook.target()), hook.value());
  }

  /** The hook unchanged. */
  public static HookForm of(Hook hook) {
    return of(hook.name(), hook, hook.sources().stream().map(s -> MapForm.of(s.map())).toList());
  }

  /**
   * The hook with those numbers.
   *
   * @throws IllegalArgumentException if the hook is invalid, or a number is out of bounds
   */
  public Hook with(ToLongFunction<Expr> value) {
    return new Hook(
        name,
        sources.stream().map(s -> new HookSource(s.type(), s.map().map(value))).toList(),
        result,
        fixed(target.map(value)),
        this.value);
  }

  private static IndexMap.Fixed fixed(IndexMap target) {
    if (target instanceof IndexMap.Fixed fixed) {
      return fixed;
    }
    throw new IllegalArgumentException(
        "target map names rows by a table: map=%s; two rows may be named alike, so gather where it is read"
            .formatted(MapForm.of(target).text()));
  }

  /**
   * The hook of one rank, with all numbers known, and rank and world replaced. Only the fields that
   * a move sets are still symbolic.
   */
  public HookForm bound(ToLongFunction<Expr> number, int rank, int world) {
    return with(
        e -> known(e, number),
        part ->
            switch (part) {
              case HookExpr.Field(ContextField f) when f == ContextField.RANK ->
                  new HookExpr.Const(DataType.INT64, rank);
              case HookExpr.Field(ContextField f) when f == ContextField.WORLD ->
                  new HookExpr.Const(DataType.INT64, world);
              default -> part;
            });
  }

  private static Expr known(Expr operand, ToLongFunction<Expr> number) {
    if (!HookOperands.in(operand)) {
      return Expr.of(number.applyAsLong(operand));
    }
    return switch (operand) {
      case Expr.NonZero32(Expr counter) -> Expr.nz32(known(counter, number));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          new Expr.Binary(operator, known(left, number), known(right, number));
      default -> operand;
    };
  }

  /**
   * The hook with the operands of {@code operands} in its maps; in its value only constants replace
   * fields.
   */
  HookForm with(HookOperands operands) {
    return with(
        operands::into,
        part ->
            part instanceof HookExpr.Field(ContextField f)
                    && operands.fields().get(f) instanceof Expr.Const(long known)
                ? new HookExpr.Const(DataType.INT64, known)
                : part);
  }

  private HookForm with(UnaryOperator<Expr> number, UnaryOperator<HookExpr> part) {
    return new HookForm(
        name,
        sources.stream().map(s -> new Source(s.type(), s.map().with(number))).toList(),
        result,
        target.with(number),
        value.replace(part));
  }

  /**
   * The fields that the hook reads, in its value or in its maps, and that it does not know on its
   * own.
   */
  public Set<ContextField> asked() {
    Set<ContextField> asked = EnumSet.noneOf(ContextField.class);
    fields(value, asked);
    asked.removeAll(KNOWN);
    maps().flatMap(map -> map.numbers().stream()).forEach(number -> words(number, asked));
    return asked;
  }

  /** The maps of its sources and of its target. */
  public Stream<MapForm> maps() {
    return Stream.concat(sources.stream().map(Source::map), Stream.of(target));
  }

  /** Whether some output i is stored elsewhere than at element i. */
  public boolean scatters() {
    return !target.equals(MapForm.identity());
  }

  private static void fields(HookExpr value, Set<ContextField> into) {
    if (value instanceof HookExpr.Field(ContextField field)) {
      into.add(field);
    }
    value.operands().forEach(operand -> fields(operand, into));
  }

  private static void words(Expr number, Set<ContextField> into) {
    switch (number) {
      case Expr.Const _ -> {}
      case Expr.Name(String name) -> HookOperands.field(name).ifPresent(into::add);
      case Expr.NonZero32(Expr counter) -> words(counter, into);
      case Expr.Binary(Operator _, Expr left, Expr right) -> {
        words(left, into);
        words(right, into);
      }
    }
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

  /** The canonical text, as it may occur in a form's text. */
  public String text() {
    String parameters =
        IntStream.range(0, sources.size())
            .mapToObj(k -> "in" + k + ": " + sources.get(k).type().symbol() + at(k))
            .collect(Collectors.joining(", "));
    String to = scatters() ? " to " + target.text() : "";
    return "hook %s(%s) -> %s%s = %s"
        .formatted(name, parameters, result.symbol(), to, value.text());
  }

  private String at(int source) {
    MapForm map = sources.get(source).map();
    return map.equals(MapForm.identity()) ? "" : " at " + map.text();
  }
}
