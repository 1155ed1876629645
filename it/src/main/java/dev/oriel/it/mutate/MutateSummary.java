package dev.oriel.it.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.it.words.WorldWords;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.TrialSetting;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;

/** Trials for a person: for each mistake its place and what was found, one line each. */
final class MutateSummary implements MutateReport {
  private static final String ROW = "%-18s %5s  %s";

  /** A world in which all ranks are on a network, and one in which none is. */
  private static final List<String> OTHERS = List.of("2x1", "1x2");

  private final CommandSpec spec;
  private final PrintWriter out;
  private final String world;
  private final Optional<SourceText> source;
  private boolean mapped;

  /** Inputs of which words decide what lanes do; few values are tried. */
  private final Set<String> words = new TreeSet<>();

  MutateSummary(CommandSpec spec, String world, Optional<SourceText> source) {
    this.spec = spec;
    this.out = spec.commandLine().getOut();
    this.world = world;
    this.source = source;
  }

  @Override
  public void begin(Form form, TrialSetting setting) {
    mapped = !setting.topology().kinds().contains(PeerKind.RDMA);
    words.addAll(setting.wordsOf(form));
    StringBuilder values = new StringBuilder(form.name());
    setting.params().forEach((name, value) -> values.append(", %s=%d".formatted(name, value)));
    new LabelledFacts()
        .add("program", values.toString())
        .add("world", WorldWords.world(world, setting.topology()))
        .add(
            "each mistake",
            "%d launches, memory rules %s, %d executions of each strategy that draws them"
                .formatted(
                    setting.launches(), setting.profile().name(), setting.budget().executions()))
        .print(out);
    out.println();
    out.println(ROW.formatted("result", "line", "mistake"));
  }

  @Override
  public void row(MutantTrial trial) {
    Mutant mutant = trial.mutant();
    String line =
        source
            .flatMap(text -> text.line(mutant.place().lane(), mutant.place().number() - 1))
            .map(at -> Integer.toString(at.number()))
            .orElse("");
    String place =
        line.isEmpty()
            ? "%s, %s".formatted(mutant.mutation(), mutant.place())
            : "%s, '%s'".formatted(mutant.mutation(), mutant.place().text());
    out.println(ROW.formatted(result(trial), line, place));
    trial
        .survivor()
        .filter(survivor -> !survivor.equivalent())
        .ifPresent(survivor -> out.println(" ".repeat(26) + survivor));
  }

  /** What is found in a program with the mistake. */
  private static String result(MutantTrial trial) {
    if (!trial.refusal().isEmpty()) {
      return "refused";
    }
    String found = trial.finding().isEmpty() ? "wrong result" : trial.finding();
    if (trial.wraps()) {
      return found + ", at a wrap";
    }
    return trial.killed() ? found : trial.killer();
  }

  @Override
  public void end(MutateTally tally) {
    int left = tally.mutants() - tally.killed() - tally.equivalent();
    out.println();
    new LabelledFacts()
        .add(
            "mistakes",
            List.of(
                "%d".formatted(tally.mutants()),
                "%d found when the program is bound".formatted(tally.refused()),
                "%d by its executions, %d of them only where a counter wraps"
                    .formatted(tally.killed() - tally.refused(), tally.wraps()),
                "%d change nothing in this world and size".formatted(tally.equivalent())),
            2)
        .add(
            "not looked at",
            words.isEmpty()
                ? "other worlds, other sizes, and the other kind of link"
                : "other worlds, other sizes, the other kind of link, and other words of "
                    + String.join(", ", words))
        .add(
            "verdict",
            left == 0
                ? "every mistake that changes the program in this world and size is found"
                    + (words.isEmpty() ? "" : " (few inputs)")
                : "%d not found in this world and size, and not shown to change nothing"
                    .formatted(left))
        .next(
            left == 0
                ? NextCommand.same(spec).with("--verbose").toString()
                : NextCommand.same(spec, "--world")
                    .with("--world", OTHERS.get(mapped ? 0 : 1))
                    .toString())
        .print(out);
  }
}
