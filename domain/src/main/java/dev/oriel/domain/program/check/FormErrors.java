package dev.oriel.domain.program.check;

import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourcePositions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Words the errors of a form: the finding, the place, the facts and the remedy. */
final class FormErrors {
  private static final int MAX_SHOWN = 120;

  private final Form form;
  private final SourcePositions source;

  /** A name that is wrong at several places is one mistake. */
  private final MistakeList found = new MistakeList(m -> identity(m.what(), m.facts()));

  private String lane = "";
  private int operation;
  private Optional<Op> current = Optional.empty();

  FormErrors(Form form, SourcePositions source) {
    this.form = form;
    this.source = source;
  }

  /** Places later errors in that lane, before its first operation. */
  void enter(LaneFamily entered) {
    lane = entered.name();
    operation = 0;
    current = Optional.empty();
  }

  /** Places later errors at the lane's next operation, counted through all its blocks. */
  void next(Op op) {
    at(operation + 1, op);
  }

  /** Counts an operation that may be too large to print. */
  int count() {
    return ++operation;
  }

  /** Places errors at an operation that was counted before. */
  void at(int number, Op op) {
    operation = number;
    current = Optional.of(op);
  }

  /** Does a part of the check; a mistake in it does not end the check of the other parts. */
  void attempt(Runnable part) {
    found.attempt(part);
  }

  /** Whether no mistake was found so far. */
  boolean isEmpty() {
    return found.isEmpty();
  }

  /**
   * Returns if no mistake was found.
   *
   * @throws ProgramException with all mistakes
   */
  void refuse() {
    found.refuse();
  }

  private static Object identity(String what, String facts) {
    return List.of(what, facts);
  }

  /** A name that nothing has; {@code known} are the names that it could have been. */
  ProgramException unknown(
      Object part, String what, String name, String label, Collection<String> known) {
    String facts = "name=" + shown(name);
    // A form may have very many wrong names, and each is compared with all known ones.
    return fail(
        part,
        what,
        facts,
        found.wants(identity(what, facts))
            ? NearestName.question(name, known)
                + label
                + ": "
                + (known.isEmpty() ? "none" : String.join(", ", known))
            : "choose another");
  }

  ProgramException fail(Object part, String what, String facts, String fix) {
    String agent = lane.isEmpty() ? "" : "lane=" + shown(lane);
    String otherwise = agent.isEmpty() ? "form=" + shown(form.name()) : "operation=" + step();
    // A part that a check derives, such as a peer's view of a slot, has the position of its
    // operation.
    List<Object> parts = current.<List<Object>>map(op -> List.of(part, op)).orElse(List.of(part));
    return new ProgramException(
        new Mistake(what, Optional.empty(), agent, otherwise, facts, fix, parts).located(source));
  }

  private String step() {
    return operation + current.map(op -> " (" + shown(FormPrinter.head(op)) + ")").orElse("");
  }

  /** A name or operation, cut if a message would become too long to read. */
  static String shown(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
  }
}
