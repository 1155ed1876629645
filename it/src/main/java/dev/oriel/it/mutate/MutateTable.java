package dev.oriel.it.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import dev.oriel.sim.trial.TrialRunner;
import dev.oriel.sim.trial.TrialSetting;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Trials as a table: executions to the first failure, by strategy, with and without detectors. */
final class MutateTable implements MutateReport {
  private static final List<Strategy> SAMPLING =
      TrialRunner.STRATEGIES.stream().filter(s -> s != Strategy.SYNCHRONISATION).toList();

  private final PrintWriter out;

  MutateTable(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(Form form, TrialSetting setting) {
    out.printf(
        "program  %s, %d ranks, profile=%s, launches=%d, executions=%d%n",
        form.name(),
        setting.topology().world(),
        setting.profile().name(),
        setting.launches(),
        setting.budget().executions());
    Set<String> words = setting.wordsOf(form);
    if (!words.isEmpty()) {
      out.println("inputs   not all words are tried of " + String.join(", ", words));
    }
    out.println(
        "columns  executions to the first failure (- none): every detector on | by results alone; time until dead");
    out.printf(
        "%-18s %-9s | %s | %s | %8s  %s%n",
        "killed by", "finding", heads(TrialRunner.STRATEGIES), heads(SAMPLING), "ms", "mutant");
  }

  @Override
  public void row(MutantTrial t) {
    String cells = cells(t, TrialRunner.STRATEGIES, MutantTrial::checked);
    String values = cells(t, SAMPLING, MutantTrial::valued);
    out.println(
        "%-18s %-9s | %s | %s | %8.1f  %s"
            .formatted(t.killer(), t.finding(), cells, values, t.nanos() / 1e6, t.mutant().name()));
    t.survivor().ifPresent(s -> out.println("                   " + s));
  }

  private static String heads(List<Strategy> strategies) {
    return strategies.stream()
        .map(s -> padded(s, s == Strategy.SYNCHRONISATION ? "sync" : s.spelling()))
        .collect(Collectors.joining(" "));
  }

  /** As wide as the head of the column. */
  private static String padded(Strategy strategy, String text) {
    return switch (strategy) {
      case RANDOM, WINDOW -> "%6s".formatted(text);
      default -> "%4s".formatted(text);
    };
  }

  private static String cells(
      MutantTrial t, List<Strategy> strategies, Function<MutantTrial, Map<Strategy, Long>> column) {
    return strategies.stream()
        .map(s -> {
          Long count = column.apply(t).get(s);
          return padded(s, count == null ? "-" : Long.toString(count));
        })
        .collect(Collectors.joining(" "));
  }

  @Override
  public void end(MutateTally tally) {
    StringBuilder line = new StringBuilder();
    for (Strategy s : TrialRunner.STRATEGIES) {
      line.append(", %s=%d".formatted(s.spelling(), tally.by(s, MutantTrial::checked)));
      if (s != Strategy.SYNCHRONISATION) {
        line.append(" (by results %d)".formatted(tally.by(s, MutantTrial::valued)));
      }
    }
    out.printf("kills    binding=%d%s, wrap=%d%n", tally.refused(), line, tally.wraps());
    out.printf(
        "total    mutants=%d, killed=%d, equivalent=%d, unexplained=%d, bounded=%d, survivors=%d%n",
        tally.mutants(),
        tally.killed(),
        tally.equivalent(),
        tally.unexplained(),
        tally.bounded(),
        tally.survivors(Likeness.DIFFERENT));
    out.println(
        "verdict  %s %% of those not shown equivalent are killed, ms=%d"
            .formatted(
                String.format(Locale.ROOT, "%.1f", tally.percentage()), tally.micros() / 1000));
  }
}
