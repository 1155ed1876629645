package dev.oriel.domain.program.parse;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.HookSyntaxException;
import dev.oriel.domain.hook.LibraryHooks;
import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads the hooks that a form declares: {@code hook NAME(in0: type at map, ...) -> type = value},
 * or {@code hook NAME = LIBRARY_HOOK(...)} for one of {@link LibraryHooks}.
 */
final class HookFormParser {
  /** The words that declarations begin with. */
  static final List<String> DECLARATIONS =
      List.of(
          "param", "let", "require", "input", "uniform", "output", "inout", "window", "scratch",
          "shared", "alias", "signal", "barrier", "team", "hook", "ensure", "lane");

  /**
   * The places of outputs must be known before anything is read, since a table might name a row
   * twice.
   */
  private static final List<String> TARGET_MAPS =
      List.of("affine", "blocks", "transpose", "permutation");

  private static final List<String> SOURCE_MAPS =
      Stream.concat(TARGET_MAPS.stream(), Stream.of("gather")).toList();

  private final TokenCursor tokens;
  private final ExprParser exprs;
  private final Map<String, HookForm> declared = new LinkedHashMap<>();
  private final Map<String, TextPosition> idle = new LinkedHashMap<>();

  /** The mistakes of declarations; a use of such a hook is the same mistake. */
  private final Map<String, ProgramException> broken = new LinkedHashMap<>();

  HookFormParser(TokenCursor tokens, ExprParser exprs) {
    this.tokens = tokens;
    this.exprs = exprs;
  }

  /** Parses a declaration whose first word has been read. */
  HookForm declaration() {
    TextPosition at = tokens.peek().position();
    String name = tokens.name("a hook name");
    HookForm hook;
    try {
      hook = tokens.accept("=") ? shipped(name) : written(name, at);
    } catch (ProgramException refused) {
      broken.put(name, refused);
      throw refused;
    }
    if (declared.putIfAbsent(name, hook) != null) {
      throw new ProgramException(
          Mistake.at(at, "duplicated hook", "name=" + name, "give every hook its own name"));
    }
    idle.put(name, at);
    return hook;
  }

  /** The hook that a move or a post-condition names. */
  HookForm applied() {
    FormToken name = tokens.word("a hook name");
    HookForm hook = declared.get(name.text());
    ProgramException refused = broken.get(name.text());
    if (hook == null && refused != null) {
      throw refused;
    }
    if (hook == null) {
      throw new ProgramException(
          Mistake.at(
              name.position(),
              "unknown hook",
              "found=" + name.shown(),
              NearestName.question(name.text(), declared.keySet())
                  + "declare it in front of here, known: "
                  + (declared.isEmpty() ? "none" : String.join(", ", declared.keySet()))));
    }
    idle.remove(name.text());
    return hook;
  }

  /** Reports each declared hook that no operation uses, since it would be lost. */
  void requireApplied() {
    idle.forEach((name, at) ->
        tokens.report(
            Mistake.at(at, "hook without use", "name=" + name, "apply it, or leave it out")));
  }

  private HookForm written(String name, TextPosition declared) {
    List<HookForm.Source> sources = new ArrayList<>();
    tokens.expect("(", "'=' or '('");
    if (tokens.accept(")")) {
      throw new ProgramException(
          Mistake.at(
              declared, "hook without sources", "name=" + name, "declare at least one, in0"));
    }
    do {
      tokens.expect("in" + sources.size());
      tokens.expect(":");
      DataType type = type();
      sources.add(
          new HookForm.Source(type, tokens.accept("at") ? map(SOURCE_MAPS) : MapForm.identity()));
    } while (tokens.accept(","));
    boolean mapped = !sources.getLast().map().equals(MapForm.identity());
    tokens.expect(")", mapped ? "',' or ')'" : "at, ',' or ')'");
    tokens.expect("->");
    DataType result = type();
    MapForm target = tokens.accept("to") ? map(TARGET_MAPS) : MapForm.identity();
    TextPosition at = tokens.peek().position();
    tokens.expect("=", target.equals(MapForm.identity()) ? "to or '='" : "'='");
    List<DataType> types = sources.stream().map(HookForm.Source::type).toList();
    HookExpr value = meant(at, () -> HookExpr.parse(rest(), types));
    return new HookForm(name, sources, result, target, value);
  }

  /** The text up to the next declaration, with every word at its line and column. */
  private String rest() {
    StringBuilder text = new StringBuilder();
    int line = 1;
    int column = 1;
    while (tokens.peek().kind() != FormToken.Kind.END
        && !DECLARATIONS.contains(tokens.peek().text())) {
      FormToken token = tokens.next();
      for (; line < token.position().line(); line++) {
        text.append('\n');
        column = 1;
      }
      text.append(" ".repeat(token.position().column() - column)).append(token.text());
      column = token.position().column() + token.text().length();
    }
    return text.toString();
  }

  /**
   * @param maps the maps allowed here
   */
  private MapForm map(List<String> maps) {
    FormToken kind = tokens.word("an index map");
    if (!maps.contains(kind.text())) {
      throw tokens.unexpected(kind, maps);
    }
    tokens.expect("(");
    MapForm map =
        switch (kind.text()) {
          case "affine" -> new MapForm.Affine(first("offset"), next("stride"));
          case "blocks" -> new MapForm.Blocks(first("size"));
          case "transpose" -> new MapForm.Transpose(first("rows"), next("columns"));
          case "permutation" -> new MapForm.Permutation(order());
          case "gather" -> {
            FormToken table = tokens.word("a source such as in1");
            if (!table.text().matches("in[0-9]")) {
              throw tokens.unexpected(table, "a source such as in1");
            }
            yield new MapForm.Gather(table.text().charAt(2) - '0', next("rows"), next("width"));
          }
          default -> throw new AssertionError(kind);
        };
    tokens.expect(")");
    return map;
  }

  private List<Integer> order() {
    List<Integer> order = new ArrayList<>();
    do {
      order.add(tokens.smallNumber());
    } while (tokens.accept(","));
    return order;
  }

  private Expr first(String name) {
    tokens.expect(name);
    tokens.expect("=");
    return exprs.expr();
  }

  private Expr next(String name) {
    tokens.expect(",");
    return first(name);
  }

  private HookForm shipped(String name) {
    FormToken which = tokens.word("a shipped hook");
    tokens.expect("(");
    HookForm hook =
        switch (which.text()) {
          case "copy" -> of(name, which, LibraryHooks.copy(type()));
          case "scale" -> {
            DataType type = type();
            double factor = factor();
            yield meant(which.position(), () -> of(name, which, LibraryHooks.scale(type, factor)));
          }
          case "transpose" -> {
            Hook one = LibraryHooks.transpose(type(), 1, 1);
            yield of(name, which, one, new MapForm.Transpose(argument(), argument()));
          }
          case "gather" -> {
            Hook one = LibraryHooks.gather(type(), 1, 1);
            Expr rows = argument();
            Expr width = argument();
            MapForm table = new MapForm.Blocks(width);
            yield of(name, which, one, new MapForm.Gather(1, rows, width), table);
          }
          case "accumulate" -> {
            ReduceOp op = operator();
            tokens.expect(",");
            DataType type = type();
            yield meant(which.position(), () -> of(name, which, LibraryHooks.accumulate(op, type)));
          }
          case "quantise", "dequantise" -> {
            DataType from = type();
            tokens.expect(",");
            DataType to = type();
            Hook one =
                meant(
                    which.position(),
                    () ->
                        which.is("quantise")
                            ? LibraryHooks.quantise(from, to, 1)
                            : LibraryHooks.dequantise(from, to, 1));
            yield of(name, which, one, MapForm.identity(), new MapForm.Blocks(argument()));
          }
          case "experts" -> {
            int experts = tokens.smallNumber();
            yield meant(which.position(), () -> of(name, which, LibraryHooks.experts(experts)));
          }
          default ->
              throw tokens.unexpected(
                  which,
                  List.of(
                      "copy",
                      "scale",
                      "transpose",
                      "gather",
                      "accumulate",
                      "quantise",
                      "dequantise",
                      "experts"));
        };
    tokens.expect(")");
    return hook;
  }

  private static HookForm of(String name, FormToken at, Hook hook, MapForm... maps) {
    List<MapForm> given =
        maps.length > 0
            ? List.of(maps)
            : hook.sources().stream().map(s -> MapForm.of(s.map())).toList();
    return meant(at.position(), () -> HookForm.of(name, hook, given));
  }

  private Expr argument() {
    tokens.expect(",");
    return exprs.expr();
  }

  private double factor() {
    tokens.expect(",");
    String sign = tokens.accept("-") ? "-" : "";
    FormToken number = tokens.next();
    try {
      return Double.parseDouble(sign + number.text());
    } catch (NumberFormatException none) {
      throw tokens.unexpected(number, "a number such as 0.5");
    }
  }

  private ReduceOp operator() {
    FormToken word = tokens.word("an operator");
    for (ReduceOp op : ReduceOp.values()) {
      if (op.name().toLowerCase(Locale.ROOT).equals(word.text())) {
        return op;
      }
    }
    throw tokens.unexpected(word, List.of("sum", "min", "max", "prod"));
  }

  private DataType type() {
    FormToken word = tokens.word("a type such as bf16");
    return DataType.ofSymbol(word.text())
        .orElseThrow(() ->
            tokens.unexpected(
                word,
                List.of("i8", "i16", "i32", "i64", "e4m3", "e5m2", "f16", "bf16", "f32", "f64")));
  }

  /** Adds the position in the text to an error of a hook's rules. */
  private static <T> T meant(TextPosition at, Supplier<T> build) {
    try {
      return build.get();
    } catch (ProgramException refused) {
      throw refused;
    } catch (HookSyntaxException refused) {
      throw new ProgramException(
          Mistake.at(
              new TextPosition(refused.line(), refused.column()),
              refused.what(),
              refused.facts(),
              refused.repair()));
    } catch (IllegalArgumentException refused) {
      throw new ProgramException(Mistake.at(at, String.valueOf(refused.getMessage()), "", ""));
    }
  }
}
