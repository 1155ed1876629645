package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.LitmusVerdict.Answer;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** All verdicts as one JSON object, written incrementally. */
final class LitmusJson implements LitmusReport {
  private final PrintWriter out;
  private boolean first = true;

  LitmusJson(PrintWriter out, MemoryModel model) {
    this.out = out;
    out.print("{\"model\":%s,\"tests\":[".formatted(text(model.toString())));
  }

  @Override
  public void verdict(Path file, LitmusTest test, LitmusVerdict verdict) {
    StringJoiner bounds = new StringJoiner(",", "[", "]");
    verdict.bounds().forEach(bound -> bounds.add(text(bound)));
    entry(
        "{\"path\":%s,\"verdict\":%s,\"name\":%s,\"quantifier\":%s,\"executions\":%d,\"states\":%d,"
                .formatted(
                    text(file.toString()),
                    text(verdict.answer().toString()),
                    text(test.name()),
                    text(test.quantifier().name().toLowerCase(Locale.ROOT).replace('_', '-')),
                    verdict.executions(),
                    verdict.states())
            + "\"termination\":%s,\"bounds\":%s,\"unsupported\":%s,\"crossCheck\":%s}"
                .formatted(
                    text(verdict.termination().toString()),
                    bounds,
                    counts(verdict.unsupported()),
                    check(verdict.crossCheck())));
  }

  @Override
  public void malformed(Path file, int line, int column, String message) {
    entry(
        "{\"path\":%s,\"verdict\":\"malformed\",\"line\":%d,\"column\":%d,\"message\":%s}"
            .formatted(text(file.toString()), line, column, text(message)));
  }

  @Override
  public void skipped(Path file, String reason) {
    entry(
        "{\"path\":%s,\"verdict\":\"skipped\",\"message\":%s}"
            .formatted(text(file.toString()), text(reason)));
  }

  private void entry(String entry) {
    out.print(first ? "\n" : ",\n");
    out.print(entry);
    first = false;
  }

  @Override
  public void end(LitmusTally tally) {
    StringJoiner summary = new StringJoiner(",", "{", "}");
    summary.add("\"files\":" + tally.files());
    for (Answer answer : Answer.values()) {
      summary.add(text(answer.toString()) + ":" + tally.of(answer));
    }
    summary.add("\"malformed\":" + tally.malformed());
    summary.add("\"skipped\":" + tally.skipped());
    summary.add("\"crossChecked\":" + tally.crossChecked());
    summary.add("\"enginesDiffer\":" + tally.differing());
    out.println(
        "\n],\"summary\":%s,\"instructions\":%s}".formatted(summary, counts(tally.unsupported())));
  }

  private static String check(CrossCheck check) {
    return "{\"result\":%s,\"states\":%d,\"detail\":%s}"
        .formatted(text(check.result().toString()), check.states(), text(check.detail()));
  }

  private static String counts(Map<String, Integer> counts) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    counts.forEach((name, times) -> object.add(text(name) + ":" + times));
    return object.toString();
  }

  private static String text(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
