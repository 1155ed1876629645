package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Termination;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.StringJoiner;

/** One line a litmus test, for people and for grep. */
final class LitmusLines implements LitmusReport {
  private final PrintWriter out;
  private final PrintWriter err;

  LitmusLines(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void verdict(Path file, LitmusTest test, LitmusVerdict verdict) {
    StringJoiner line = new StringJoiner("  ");
    line.add(file.toString()).add(verdict.answer().toString()).add(printable(test.name()));
    if (verdict.answer() == Answer.UNSUPPORTED) {
      StringJoiner names = new StringJoiner(", ");
      verdict.unsupported().forEach((name, times) -> names.add(name + " x" + times));
      line.add(names.toString());
    } else {
      line.add("executions=%d states=%d".formatted(verdict.executions(), verdict.states()));
    }
    if (verdict.termination() == Termination.NEVER_FINISHES
        || verdict.termination() == Termination.NEEDS_PROGRESS) {
      line.add(verdict.termination().toString());
    }
    verdict.bounds().forEach(bound -> line.add("(" + bound + ")"));
    if (verdict.answer() != Answer.UNSUPPORTED) {
      line.add(said(verdict.crossCheck(), verdict.states()));
    }
    out.println(line);
    if (verdict.crossCheck().result() == CrossCheck.Result.DIFFERS) {
      err.println(
          "oriel: THE ENGINES DIFFER: path=%s, model=%s, %s; one of them is wrong, report it"
              .formatted(file, verdict.model(), verdict.crossCheck().detail()));
    }
  }

  private static String said(CrossCheck check, long states) {
    return switch (check.result()) {
      case AGREES -> "cross-checked";
      case REACHED_FEWER ->
          "cross-checked: reached %d of %d states, the others by load buffering"
              .formatted(check.states(), states);
      case NOT_REACHED -> "operational: not reached (load buffering shape)";
      case DIFFERS -> "ENGINES DIFFER: " + check.detail();
      case NONE -> "not cross-checked: " + check.detail();
    };
  }

  @Override
  public void malformed(Path file, int line, int column, String message) {
    out.println(file + "  malformed");
    err.println("oriel: malformed test: path=%s; %s".formatted(file, message));
  }

  @Override
  public void skipped(Path file, String reason) {
    out.println(file + "  skipped  " + reason);
  }

  @Override
  public void end(LitmusTally tally) {
    StringJoiner line = new StringJoiner(" ", "total  ", "");
    line.add("files=" + tally.files());
    for (Answer answer : Answer.values()) {
      if (tally.of(answer) > 0) {
        line.add(answer + "=" + tally.of(answer));
      }
    }
    if (tally.malformed() > 0) {
      line.add("malformed=" + tally.malformed());
    }
    if (tally.skipped() > 0) {
      line.add("skipped=" + tally.skipped());
    }
    if (tally.crossChecked() > 0) {
      line.add("cross-checked=" + tally.crossChecked());
    }
    if (tally.differing() > 0) {
      line.add("ENGINES-DIFFER=" + tally.differing());
    }
    out.println(line);
    tally
        .unsupported()
        .forEach((name, times) -> out.println("unsupported  " + name + "  " + times));
  }

  /** A name may contain any character; control characters must not reach a terminal. */
  private static String printable(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }
}
