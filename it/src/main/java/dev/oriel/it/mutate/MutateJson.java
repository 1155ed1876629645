package dev.oriel.it.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.SurvivorAnalysis;
import dev.oriel.sim.trial.TrialSetting;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Trials as one JSON object, written as they end. */
final class MutateJson implements MutateReport {
  private final PrintWriter out;
  private boolean first = true;

  MutateJson(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(Form form, TrialSetting setting) {
    out.print(
        "{\"program\":%s,\"ranks\":%d,\"profile\":%s,\"launches\":%d,\"words\":[%s],\"mutants\":["
            .formatted(
                text(form.name()),
                setting.topology().world(),
                text(setting.profile().name()),
                setting.launches(),
                setting.wordsOf(form).stream()
                    .map(MutateJson::text)
                    .collect(Collectors.joining(","))));
  }

  @Override
  public void row(MutantTrial t) {
    out.print(first ? "" : ",");
    first = false;
    out.print(
        "{\"mutant\":%s,\"killer\":%s,\"refusal\":%s,\"finding\":%s,\"checked\":%s,\"valued\":%s,\"micros\":%d%s}"
            .formatted(
                text(t.mutant().name()),
                text(t.killer()),
                text(t.refusal()),
                text(t.finding()),
                counts(t.checked()),
                counts(t.valued()),
                t.nanos() / 1000,
                t.survivor().map(MutateJson::survivor).orElse("")));
  }

  private static String survivor(SurvivorAnalysis s) {
    return ",\"likeness\":%s,\"states\":%d,\"edge\":%s"
        .formatted(
            text(s.likeness().name().toLowerCase(Locale.ROOT)),
            s.states().orElse(0),
            text(s.reason().map(Object::toString).orElse("")));
  }

  private static String counts(Map<Strategy, Long> counts) {
    StringJoiner members = new StringJoiner(",", "{", "}");
    counts.forEach((s, count) -> members.add(text(s.spelling()) + ":" + count));
    return members.toString();
  }

  @Override
  public void end(MutateTally tally) {
    out.println(
        "],\"total\":%d,\"killed\":%d,\"equivalent\":%d,\"percentage\":%s}"
            .formatted(
                tally.mutants(),
                tally.killed(),
                tally.equivalent(),
                String.format(Locale.ROOT, "%.1f", tally.percentage())));
  }

  private static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
