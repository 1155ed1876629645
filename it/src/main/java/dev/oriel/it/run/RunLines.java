package dev.oriel.it.run;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.it.words.WorldWords;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** The output of {@code oriel run}: the launches, the comparisons, and the unpromised bytes. */
final class RunLines {
  private final CommandSpec spec;
  private final PrintWriter out;
  private final Program program;
  private final ProgramOptions options;
  private final MachineOptions machine;
  private final OutputCoverage outputs;

  RunLines(
      CommandSpec spec,
      PrintWriter out,
      Program program,
      ProgramOptions options,
      MachineOptions machine) {
    this.spec = spec;
    this.out = out;
    this.program = program;
    this.options = options;
    this.machine = machine;
    outputs = OutputCoverage.of(program);
  }

  void begin(int launches) {
    new LabelledFacts()
        .add("program", WorldWords.program(program))
        .add("world", WorldWords.world(options.world(), options.topology()))
        .add(
            "machine",
            "%s; %s, each on fresh random inputs"
                .formatted(machine.words(), launches == 1 ? "1 launch" : launches + " launches"))
        .print(out);
  }

  /** Every launch ended, and every promised byte is right. */
  void checked(int launches, JudgedConditions conditions) {
    String ended = launches == 1 ? "1 launch ended" : launches + " launches ended";
    List<String> facts = new ArrayList<>();
    facts.add(ended + ", " + compared("every output byte as promised"));
    conditions.words().ifPresent(facts::add);
    new LabelledFacts()
        .add("checked", facts, 2)
        .add("not promised", WorldWords.notPromised(outputs, program.world()), 2)
        .print(out);
  }

  /** The statement on outputs: it never claims that all is as promised if not all is promised. */
  private String compared(String complete) {
    if (outputs.nothing()) {
      return "nothing promised: "
          + (outputs.ensures() == 0
              ? "no ensure says what must come out"
              : "no ensure speaks of an output byte");
    }
    if (outputs.complete()) {
      return outputs.bytes() == 0 ? "what is promised holds; no output has a byte" : complete;
    }
    return "what is promised holds";
  }

  void violation(int launch, List<String> problems) {
    new LabelledFacts().add("verdict", "VIOLATION in launch " + launch).print(out);
    problems.forEach(problem -> out.println("         " + problem));
    new LabelledFacts().next(check()).print(out);
  }

  void replayed(List<String> problems) {
    new LabelledFacts().add("verdict", "VIOLATION in a replay of the graph").print(out);
    problems.forEach(problem -> out.println("         " + problem));
  }

  void timed(GraphTiming timing, int calls, int replays) {
    new LabelledFacts()
        .add(
            "time",
            String.format(
                Locale.ROOT,
                "%.2f us per call, the median of %d replays of %d calls; from %.2f to %.2f us",
                timing.median(),
                replays,
                calls,
                timing.min(),
                timing.max()))
        .add("verdict", "every replay ended, " + compared("outputs right after every replay"))
        .print(out);
  }

  void end(boolean verbose) {
    new LabelledFacts()
        .add("not looked at", "other orders of steps, which only oriel check explores")
        .next(check())
        .print(out);
    if (verbose) {
      out.println();
      out.printf("digest   %s%n", program.digest());
      out.printf(
          "promised %d of %d output bytes; post-conditions: %d%n",
          outputs.promised(), outputs.bytes(), outputs.ensures());
      WorldWords.notPromised(outputs, program.world())
          .forEach(what -> out.printf("         not promised: %s%n", what));
    }
  }

  private String check() {
    return NextCommand.bound("check", spec).toString();
  }
}
