package dev.oriel.domain.program.parse;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourceSeries;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the combination of a move's or a post-condition's sources. */
final class ReductionParser {
  private final TokenCursor tokens;
  private final ExprParser exprs;
  private final PlaceParser places;
  private final HookFormParser hooks;

  ReductionParser(TokenCursor tokens, ExprParser exprs, PlaceParser places, HookFormParser hooks) {
    this.tokens = tokens;
    this.exprs = exprs;
    this.places = places;
    this.hooks = hooks;
  }

  /** An operator with its types, a hook, or a copy if neither is given. */
  Combine combine() {
    if (tokens.peek().kind() == FormToken.Kind.WORD && tokens.peek(1).is("(")) {
      return new Combine.Apply(hooks.applied());
    }
    if (!isOperator(tokens.peek().text())) {
      return Combine.COPY;
    }
    ReduceOp op = ReduceOp.valueOf(tokens.next().text().toUpperCase(Locale.ROOT));
    DataType type = dataType();
    tokens.expect("in");
    return new Combine.Reduce(op, type, dataType());
  }

  Grouping grouping() {
    for (Grouping grouping : List.of(Grouping.STEPWISE, Grouping.FOLDED, Grouping.ANY)) {
      if (tokens.accept(Grouping.spelling(grouping))) {
        return grouping;
      }
    }
    return tokens.accept("by") ? new Grouping.By(exprs.expr()) : Grouping.AT_ONCE;
  }

  /** The combination, and its sources. */
  record ParsedCombine(Combine combine, List<SourceSeries> sources) {}

  /** The sources of a reduction or a hook, in their order; a hook's fields follow its sources. */
  ParsedCombine sources(Combine combine) {
    tokens.expect("(");
    List<SourceSeries> sources = new ArrayList<>();
    do {
      sources.add(source());
    } while (tokens.accept(",") && !(combine instanceof Combine.Apply && hookOperandNext()));
    Combine made =
        combine instanceof Combine.Apply(HookForm hook, HookOperands _) && hookOperandNext()
            ? new Combine.Apply(hook, hookOperands())
            : combine;
    tokens.expect(")");
    return new ParsedCombine(made, sources);
  }

  private boolean hookOperandNext() {
    return HookOperands.field(tokens.peek().text()).isPresent() && tokens.peek(1).is("=");
  }

  private HookOperands hookOperands() {
    Map<ContextField, Expr> fields = new EnumMap<>(ContextField.class);
    do {
      FormToken word = tokens.word(HookOperands.names("or"));
      ContextField field =
          HookOperands.field(word.text())
              .orElseThrow(() ->
                  tokens.unexpected(
                      word, HookOperands.all().stream().map(ContextField::symbol).toList()));
      tokens.expect("=");
      if (fields.putIfAbsent(field, exprs.expr()) != null) {
        throw new ProgramException(
            Mistake.at(
                word.position(), "field given twice", "field=" + word.text(), "leave one out"));
      }
    } while (tokens.accept(","));
    return new HookOperands(fields);
  }

  private SourceSeries source() {
    if (!tokens.accept("for")) {
      return SourceSeries.of(places.region());
    }
    String variable = tokens.name("a variable name");
    tokens.expect("<");
    Expr count = exprs.expr();
    tokens.expect(":");
    return new SourceSeries(variable, count, places.region());
  }

  private static boolean isOperator(String word) {
    return switch (word) {
      case "sum", "min", "max", "prod", "avg" -> true;
      default -> false;
    };
  }

  private DataType dataType() {
    FormToken word = tokens.word("a data type");
    for (DataType type : DataType.values()) {
      if (type.name().toLowerCase(Locale.ROOT).equals(word.text())) {
        return type;
      }
    }
    throw tokens.unexpected(
        word,
        List.of(
            "int8",
            "int16",
            "int32",
            "int64",
            "fp8_e4m3",
            "fp8_e5m2",
            "fp16",
            "bf16",
            "fp32",
            "fp64"));
  }
}
