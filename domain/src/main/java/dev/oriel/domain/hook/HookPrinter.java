package dev.oriel.domain.hook;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes hooks in their canonical text form: one line, no needless parentheses. */
final class HookPrinter {

  private static final int BRIEF_DEPTH = 3;

  private HookPrinter() {}

  static String print(Hook hook) {
    List<HookSource> sources = hook.sources();
    String parameters =
        IntStream.range(0, sources.size())
            .mapToObj(k -> "in" + k + ": " + print(sources.get(k)))
            .collect(Collectors.joining(", "));
    String target = hook.target().equals(IndexMap.IDENTITY) ? "" : " to " + print(hook.target());
    return "hook %s(%s) -> %s%s = %s"
        .formatted(hook.name(), parameters, hook.result().symbol(), target, print(hook.value()));
  }

  private static String print(HookSource source) {
    return source.map().equals(IndexMap.IDENTITY)
        ? source.type().symbol()
        : source.type().symbol() + " at " + print(source.map());
  }

  static String print(IndexMap map) {
    return switch (map) {
      case IndexMap.Affine affine ->
          "affine(offset=%s, stride=%s)".formatted(affine.offset(), affine.stride());
      case IndexMap.Blocks blocks -> "blocks(size=%s)".formatted(blocks.size());
      case IndexMap.Transpose transpose ->
          "transpose(rows=%s, columns=%s)".formatted(transpose.rows(), transpose.columns());
      case IndexMap.Permutation permutation ->
          permutation.order().stream()
              .map(String::valueOf)
              .collect(Collectors.joining(", ", "permutation(", ")"));
      case IndexMap.Gather gather ->
          "gather(in%s, rows=%s, width=%s)"
              .formatted(gather.table(), gather.rows(), gather.width());
    };
  }

  static String print(HookExpr expr) {
    return print(expr, Hook.MAX_DEPTH);
  }

  /** The outermost operations, for messages about expressions of any size. */
  static String brief(HookExpr expr) {
    return print(expr, BRIEF_DEPTH);
  }

  private static String print(HookExpr expr, int depth) {
    if (depth == 0) {
      return "...";
    }
    return switch (expr) {
      case HookExpr.Const constant -> literal(constant) + ":" + constant.type().symbol();
      case HookExpr.In in -> "in" + in.source();
      case HookExpr.Index _ -> "i";
      case HookExpr.Field field -> field.field().symbol();
      case HookExpr.Unary unary -> call(unary.op().symbol(), expr, depth);
      case HookExpr.Cvt cvt -> call(cvt.type().symbol(), expr, depth);
      case HookExpr.Fma _ -> call("fma", expr, depth);
      case HookExpr.Binary binary ->
          binary.op().isInfix() ? infix(binary, depth) : call(binary.op().symbol(), expr, depth);
      case HookExpr.Select select ->
          "select(%s %s %s, %s, %s)"
              .formatted(
                  print(select.left(), depth - 1),
                  select.relation().symbol(),
                  print(select.right(), depth - 1),
                  print(select.then(), depth - 1),
                  print(select.otherwise(), depth - 1));
    };
  }

  private static String call(String name, HookExpr expr, int depth) {
    return expr.operands().stream()
        .map(operand -> print(operand, depth - 1))
        .collect(Collectors.joining(", ", name + "(", ")"));
  }

  private static String infix(HookExpr.Binary binary, int depth) {
    int own = binary.op().precedence();
    return "%s %s %s"
        .formatted(
            operand(binary.left(), own, depth - 1),
            binary.op().symbol(),
            operand(binary.right(), own + 1, depth - 1));
  }

  /** An operand, in parentheses if it binds less tightly than its place requires. */
  private static String operand(HookExpr expr, int least, int depth) {
    boolean parenthesised =
        depth > 0
            && expr instanceof HookExpr.Binary binary
            && binary.op().isInfix()
            && binary.op().precedence() < least;
    return parenthesised ? "(" + print(expr, depth) + ")" : print(expr, depth);
  }

  private static String literal(HookExpr.Const constant) {
    DataType type = constant.type();
    if (type.isInteger()) {
      return Long.toString(constant.pattern());
    }
    double value = Conversion.toDouble(type, constant.pattern());
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (Double.isNaN(value)) {
      return "nan";
    }
    return type == DataType.FP32 ? Float.toString((float) value) : Double.toString(value);
  }
}
