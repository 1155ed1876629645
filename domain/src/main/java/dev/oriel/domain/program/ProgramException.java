package dev.oriel.domain.program;

import java.util.List;

/**
 * A form or program is invalid. Each mistake has the problem, the place and the remedy; the message
 * is that of the first one.
 */
public final class ProgramException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Mistake> mistakes;
  private final int more;

  /** One mistake that a whole message describes. */
  public ProgramException(String message) {
    this(Mistake.of(message));
  }

  /** One mistake. */
  public ProgramException(Mistake mistake) {
    this(List.of(mistake), 0);
  }

  /** Several mistakes, of which {@code more} are only counted. */
  ProgramException(List<Mistake> mistakes, int more) {
    super(message(mistakes, more));
    this.mistakes = List.copyOf(mistakes);
    this.more = more;
  }

  private static String message(List<Mistake> mistakes, int more) {
    int others = mistakes.size() - 1 + more;
    return mistakes.getFirst().message()
        + switch (others) {
          case 0 -> "";
          case 1 -> " (and 1 more mistake)";
          default -> " (and " + others + " more mistakes)";
        };
  }

  /** The first mistakes, at least one, in the order of the text where they are of the same kind. */
  public List<Mistake> mistakes() {
    return mistakes;
  }

  /** The number of mistakes that were only counted. */
  public int more() {
    return more;
  }
}
