package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lays out a program text: the same words, numbers, signs and comments in the same order.
 *
 * <p>Each declaration, operation and closing brace begins a line, indented by the depth of its
 * block. A line that the author broke inside an operation stays broken. Blank lines remain, at most
 * one in a row. A comment after code stays in its column unless the code needs it. Formatting a
 * formatted text changes nothing.
 */
public final class FormFormatter {
  private static final String INDENT = "  ";

  /** More than one level, so that a continued line does not look like a block. */
  private static final String CONTINUED = INDENT.repeat(2);

  private final List<FormToken> tokens;

  /** The positions of all operations. */
  private final Set<TextPosition> operations = new HashSet<>();

  /** The first token, and the last one of the form's name, which may contain any word. */
  private final int form;

  private final int name;

  private final TokenSpacing spacing = new TokenSpacing();
  private final StringBuilder out = new StringBuilder();
  private int depth;

  /** Where the current line begins. */
  private int lineStart;

  /** The source and output columns of a comment after code, while comments continue it below. */
  private int commentFrom;

  private int commentTo;

  private FormFormatter(String text) {
    FormParser.read(text).operations().values().forEach(operations::addAll);
    tokens = tokens(text);
    form = code(-1);
    int last = code(form);
    while (tokens.get(code(last)).is("-")) {
      last = code(code(last));
    }
    name = last;
  }

  /** The first token after that one which is no comment. */
  private int code(int after) {
    int at = after + 1;
    while (tokens.get(at).kind() == FormToken.Kind.COMMENT) {
      at++;
    }
    return at;
  }

  /**
   * The text in its usual layout.
   *
   * @throws ProgramException if it is no form, with its mistakes
   */
  public static String format(String text) {
    FormFormatter formatter = new FormFormatter(text);
    String formatted = formatter.run();
    if (formatted.length() > FormParser.MAX_TEXT) {
      throw new ProgramException(
          "formatted text too long: characters=%d, max=%d; split it into several forms"
              .formatted(formatted.length(), FormParser.MAX_TEXT));
    }
    if (!words(tokens(formatted)).equals(words(formatter.tokens))) {
      throw new IllegalStateException("the layout would change the program");
    }
    return formatted;
  }

  private static List<FormToken> tokens(String text) {
    return FormLexer.commented(text, new MistakeList(_ -> 0));
  }

  private static List<String> words(List<FormToken> tokens) {
    return tokens.stream().map(FormToken::text).toList();
  }

  private String run() {
    for (int at = 0; at < tokens.size() - 1; at++) {
      FormToken token = tokens.get(at);
      if (token.is("}")) {
        depth--;
      }
      boolean first = starts(at);
      if (first) {
        spacing.begin();
      }
      if (at > 0 && breaks(at, first)) {
        newLine(at);
      }
      place(at, first);
      if (token.is("{")) {
        depth++;
      }
    }
    return out.append('\n').toString();
  }

  /** Whether a declaration, an operation or the end of a block begins here. */
  private boolean starts(int at) {
    FormToken token = tokens.get(at);
    if (token.kind() == FormToken.Kind.COMMENT) {
      return false;
    }
    return token.is("}")
        || operations.contains(token.position())
        || (depth == 0
            && (at == form || (at > name && HookFormParser.DECLARATIONS.contains(token.text()))))
        || (token.is("state") && depth == 1);
  }

  /** Whether this is the word between the two blocks of an {@code if}. */
  private boolean otherwise(int at) {
    if (!tokens.get(at).is("else")) {
      return false;
    }
    int before = at - 1;
    while (tokens.get(before).kind() == FormToken.Kind.COMMENT) {
      before--;
    }
    return tokens.get(before).is("}");
  }

  private boolean breaks(int at, boolean first) {
    FormToken token = tokens.get(at);
    FormToken before = tokens.get(at - 1);
    if (first || before.kind() == FormToken.Kind.COMMENT) {
      return true;
    }
    boolean below = before.position().line() < token.position().line();
    if (token.kind() == FormToken.Kind.COMMENT) {
      return below;
    }
    // A brace, and what follows a block, stays beside its head.
    return below && !token.is("{") && !otherwise(at);
  }

  private void newLine(int at) {
    FormToken token = tokens.get(at);
    FormToken before = tokens.get(at - 1);
    boolean apart = token.position().line() - before.position().line() > 1;
    out.append(apart && !before.is("{") && !token.is("}") ? "\n\n" : "\n");
    lineStart = out.length();
  }

  private void place(int at, boolean first) {
    FormToken token = tokens.get(at);
    boolean begins = out.length() == lineStart;
    if (token.kind() == FormToken.Kind.COMMENT) {
      comment(at, begins);
      return;
    }
    if (begins) {
      out.append(INDENT.repeat(depth)).append(first || otherwise(at) ? "" : CONTINUED);
    } else if (spacing.separates(token)) {
      out.append(' ');
    }
    out.append(token.text());
    spacing.take(token);
    commentFrom = 0;
  }

  private void comment(int at, boolean begins) {
    FormToken comment = tokens.get(at);
    int column = comment.position().column();
    if (!begins) {
      int end = out.length() - lineStart;
      commentFrom = column;
      commentTo = Math.max(column, end + 2);
      out.append(" ".repeat(commentTo - 1 - end));
    } else if (column == commentFrom) {
      out.append(" ".repeat(commentTo - 1));
    } else {
      commentFrom = 0;
      out.append(INDENT.repeat(depth)).append(continued(at) ? CONTINUED : "");
    }
    out.append(comment.text());
  }

  /** Whether the next word, number or sign belongs to an operation that has begun. */
  private boolean continued(int at) {
    int next = code(at);
    FormToken token = tokens.get(next);
    return token.kind() != FormToken.Kind.END && !otherwise(next) && !starts(next);
  }
}
