package dev.oriel.domain.program;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One mistake in a program: what is wrong, where, the facts and the remedy.
 *
 * @param position the place in the text; empty if the program has no text, or none was consulted
 * @param agent the rank and the lane, as {@code key=value} pairs; may be empty
 * @param otherwise names the place if there is no position, such as the operation
 * @param remedy empty if {@code what} is a whole message
 * @param parts the parts of the form that the mistake is about, the smallest first; {@link
 *     SourcePositions} may know their positions
 */
public record Mistake(
    String what,
    Optional<TextPosition> position,
    String agent,
    String otherwise,
    String facts,
    String remedy,
    List<Object> parts) {

  /** In the order of the text; those without a position last. */
  public static final Comparator<Mistake> IN_TEXT =
      Comparator.comparing(
          m -> m.position().orElse(new TextPosition(Integer.MAX_VALUE, 0)),
          Comparator.comparingInt(TextPosition::line).thenComparingInt(TextPosition::column));

  public Mistake {
    parts = List.copyOf(parts);
  }

  /** A mistake at a position of a text. */
  public static Mistake at(TextPosition position, String what, String facts, String remedy) {
    return new Mistake(what, Optional.of(position), "", "", facts, remedy, List.of());
  }

  /** A mistake in a part of a form. */
  public static Mistake of(Object part, String what, String facts, String remedy) {
    return new Mistake(what, Optional.empty(), "", "", facts, remedy, List.of(part));
  }

  /** A mistake that a whole message describes. */
  public static Mistake of(String message) {
    return new Mistake(message, Optional.empty(), "", "", "", "", List.of());
  }

  /** The same at the position of its first part that has one. */
  public Mistake located(SourcePositions source) {
    return position.isPresent()
        ? this
        : parts.stream()
            .flatMap(part -> source.position(part).stream())
            .findFirst()
            .map(found -> at(Optional.of(found)))
            .orElse(this);
  }

  /** The same about a part of the form, if it has no part yet. */
  public Mistake within(Object part) {
    return parts.isEmpty()
        ? new Mistake(what, position, agent, otherwise, facts, remedy, List.of(part))
        : this;
  }

  /** The whole message on one line. */
  public String message() {
    if (remedy.isEmpty()) {
      return what + position.map(place -> " (" + place + ")").orElse("");
    }
    return sentence(position.map(TextPosition::toString).orElse(""));
  }

  /** The message without its position, for a report that shows the place in the text itself. */
  public String statement() {
    return remedy.isEmpty() ? what : sentence("");
  }

  private String sentence(String place) {
    String details =
        Stream.of(place, agent, position.isPresent() ? "" : otherwise, facts)
            .filter(detail -> !detail.isEmpty())
            .collect(Collectors.joining(", "));
    return what + (details.isEmpty() ? "; " : ": " + details + "; ") + remedy;
  }

  private Mistake at(Optional<TextPosition> place) {
    return new Mistake(what, place, agent, otherwise, facts, remedy, parts);
  }
}
