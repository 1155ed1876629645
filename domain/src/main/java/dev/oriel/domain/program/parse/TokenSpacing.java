package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.check.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Decides which neighbours in one declaration or operation of a formatted text have a space between
 * them. The rules are those of {@link dev.oriel.domain.program.FormPrinter}.
 */
final class TokenSpacing {
  /** Words whose operand in parentheses follows without a space. */
  private static final Set<String> CALLS =
      Set.of("min", "max", "ceil", "nz32", "sm", "nic", "cluster", "pkt8", "pkt16", "line128");

  /** Declarations in which a parenthesis follows every word without a space. */
  private static final Set<String> CALLING = Set.of("hook", "lane");

  /** Words of the language that are values: a minus after one subtracts. */
  private static final Set<String> VALUES = Set.of("r", "n", "epoch");

  private static final FormToken NONE =
      new FormToken(FormToken.Kind.END, "", new TextPosition(1, 1));

  /** The tokens of the declaration or operation so far. */
  private final List<FormToken> tokens = new ArrayList<>();

  /** The number of open parentheses. */
  private int open;

  /** Whether the last token is the minus of a number, not one between two operands. */
  private boolean sign;

  /** A declaration or operation begins here. */
  void begin() {
    tokens.clear();
    open = 0;
    sign = false;
  }

  /** Whether a space belongs between the last token and this one, which are on one line. */
  boolean separates(FormToken next) {
    FormToken left = back(1);
    if (left.is("(") || left.is("[") || left.is("@")) {
      return false;
    }
    if (first().is("form")) {
      return tokens.size() == 1;
    }
    if (sign) {
      // Two minus signs without a space would begin a comment.
      return next.is("-");
    }
    return switch (next.text()) {
      case ",", ")", "]", ":", "[" -> false;
      case "(" -> left.kind() == FormToken.Kind.WORD ? !called(left) : !joined(next);
      case "@" -> !owner(left);
      default -> !joined(next);
    };
  }

  /** The token is now the last one. */
  void take(FormToken token) {
    sign = token.is("-") && (sign || !operand(back(1)));
    open += token.is("(") ? 1 : token.is(")") ? -1 : 0;
    tokens.add(token);
  }

  private FormToken first() {
    return tokens.isEmpty() ? NONE : tokens.getFirst();
  }

  private FormToken back(int steps) {
    return tokens.size() < steps ? NONE : tokens.get(tokens.size() - steps);
  }

  private boolean called(FormToken word) {
    return CALLS.contains(word.text()) || CALLING.contains(first().text());
  }

  /** Whether a rank after that token is the owner of its memory, and not one of a set of ranks. */
  private boolean owner(FormToken left) {
    boolean set = left.is("flush") || (left.is("in") && back(3).is("each"));
    return !set && (left.kind() == FormToken.Kind.WORD || left.is("]"));
  }

  /** Whether the last token and this one belong to a named operand, or to a number with a type. */
  private boolean joined(FormToken next) {
    boolean named = open > 0 && (next.is("=") || back(1).is("="));
    boolean typed =
        first().is("hook") && back(1).is(":") && back(2).kind() == FormToken.Kind.NUMBER;
    return named || typed;
  }

  /** Whether an operand may end with that token. */
  private boolean operand(FormToken token) {
    return switch (token.kind()) {
      case NUMBER -> true;
      case WORD ->
          first().is("hook") || VALUES.contains(token.text()) || !NameRules.reserved(token.text());
      case SIGN -> token.is(")") || token.is("]");
      case COMMENT, END -> false;
    };
  }
}
