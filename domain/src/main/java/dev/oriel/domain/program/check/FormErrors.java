package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import java.util.Optional;

/** Words the errors of a form: the finding, the place, the facts and the remedy. */
final class FormErrors {
  private static final int MAX_SHOWN = 120;

  private final Form form;
  private final SourcePositions source;
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

  ProgramException fail(Object part, String what, String facts, String fix) {
    String detail = facts.isEmpty() ? "" : ", " + facts;
    return new ProgramException(what + ": " + place(part) + detail + "; " + fix);
  }

  private String place(Object part) {
    String agent = lane.isEmpty() ? "" : "lane=" + shown(lane);
    // A part that a check derives, such as a peer's view of a slot, has the position of its
    // operation.
    return source
        .position(part)
        .or(() -> current.flatMap(source::position))
        .map(position -> agent.isEmpty() ? position.toString() : position + ", " + agent)
        .orElseGet(
            () -> agent.isEmpty() ? "form=" + shown(form.name()) : agent + ", operation=" + step());
  }

  private String step() {
    return operation + current.map(op -> " (" + shown(FormPrinter.head(op)) + ")").orElse("");
  }

  /** A name or operation, cut if a message would become too long to read. */
  static String shown(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
  }
}
