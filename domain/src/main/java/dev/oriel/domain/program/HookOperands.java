package dev.oriel.domain.program;

import dev.oriel.domain.hook.ContextField;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The context fields that a move or a post-condition sets for its hook, since only it knows them:
 * the peer, and where it is in a longer transfer. The hook's value and the offsets of its maps use
 * the same names for them.
 */
public record HookOperands(Map<ContextField, Expr> fields) {

  /** No field, which is all that most hooks need. */
  public static final HookOperands NOTHING = new HookOperands(Map.of());

  public HookOperands {
    Map<ContextField, Expr> inOrder = new EnumMap<>(ContextField.class);
    inOrder.putAll(fields);
    for (ContextField field : inOrder.keySet()) {
      if (!mayBe(field)) {
        throw new IllegalArgumentException(
            "no field that a move gives to a hook: field=%s; use %s"
                .formatted(field.symbol(), names("or")));
      }
    }
    fields = Collections.unmodifiableMap(inOrder);
  }

  /** Whether a move sets the field, rather than its bytes, the rank or the world. */
  public static boolean mayBe(ContextField field) {
    return !HookForm.KNOWN.contains(field);
  }

  /** The fields that a move may set. */
  public static List<ContextField> all() {
    return Arrays.stream(ContextField.values()).filter(HookOperands::mayBe).toList();
  }

  /** Their names, with that word before the last. */
  public static String names(String word) {
    List<String> names = all().stream().map(ContextField::symbol).toList();
    return String.join(", ", names.subList(0, names.size() - 1))
        + " %s ".formatted(word)
        + names.getLast();
  }

  /** The field that a name in a map's offset means. */
  public static Optional<ContextField> field(String word) {
    return all().stream().filter(field -> field.symbol().equals(word)).findFirst();
  }

  /** Whether the operand names a field that only a move knows. */
  public static boolean in(Expr operand) {
    return switch (operand) {
      case Expr.Const _ -> false;
      case Expr.Name(String name) -> field(name).isPresent();
      case Expr.NonZero32(Expr counter) -> in(counter);
      case Expr.Binary(Operator _, Expr left, Expr right) -> in(left) || in(right);
    };
  }

  /** The same fields with other operands. */
  public HookOperands with(UnaryOperator<Expr> operand) {
    Map<ContextField, Expr> changed = new EnumMap<>(ContextField.class);
    fields.forEach((field, value) -> changed.put(field, operand.apply(value)));
    return new HookOperands(changed);
  }

  /** The number of a map with the fields' operands in place of their names. */
  public Expr into(Expr number) {
    return switch (number) {
      case Expr.Const c -> c;
      case Expr.Name name -> field(name.name()).map(field -> fields.get(field)).orElse(name);
      case Expr.NonZero32(Expr counter) -> Expr.nz32(into(counter));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          new Expr.Binary(operator, into(left), into(right));
    };
  }

  /** The text form, as it follows the sources of a hook. */
  public String text() {
    return fields.entrySet().stream()
        .map(entry -> ", " + entry.getKey().symbol() + "=" + FormPrinter.print(entry.getValue()))
        .collect(Collectors.joining());
  }
}
