package dev.oriel.it.check;

import static java.util.stream.Collectors.joining;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.PassedWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.search.AnyLaunches;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The output of {@code oriel prove}: what is proved, under which assumptions, and what is not. */
final class ProofLines {
  private final CommandSpec spec;
  private final Proof proof;
  private final ExecutionSettings settings;
  private final UnreachedWords unreached;

  /**
   * The report of a proof.
   *
   * @param unreached the blocks that no search executes
   */
  ProofLines(CommandSpec spec, Proof proof, ExecutionSettings settings, UnreachedWords unreached) {
    this.unreached = unreached;
    this.spec = spec;
    this.proof = proof;
    this.settings = settings;
  }

  void print(Optional<Path> kept, boolean verbose) {
    CheckCoverage coverage = proof.coverage();
    CoverWords cover = new CoverWords(coverage);
    PrintWriter out = spec.commandLine().getOut();
    LabelledFacts facts =
        new LabelledFacts()
            .add("program", ParamWords.program(coverage), 2)
            .add("world", cover.worlds(), 2)
            .add("refused", cover.refused(), 2);
    facts.add("proved", proved());
    facts.add("not proved", open(), 3);
    if (!coverage.unchecked().isEmpty()) {
      String words = String.join(", ", coverage.unchecked());
      facts.add("not searched", words + "; --world and --set search one");
    }
    facts.add("not looked at", unseen(), 1);
    facts.add("assumed", assumed(), 3).add("verdict", List.of(verdict()), 2);
    kept.ifPresent(file -> facts.add("kept", file.toString()));
    facts.next(next(kept)).print(out);
    if (verbose) {
      out.println();
      ExplorationSummary.sampled(coverage)
          .ifPresent(words -> out.println(CheckLines.line("besides", words)));
      for (CheckCoverage.CheckedCombination one : coverage.checked()) {
        out.println(
            CheckLines.line(
                "case",
                "%s: states=%d, %s"
                    .formatted(
                        one.combination().words(),
                        one.report().anyLaunches().map(AnyLaunches::states).orElse(0L),
                        Proof.open(one).map(why -> "not proved: " + why).orElse("proved"))));
      }
      coverage
          .refused()
          .forEach(one ->
              out.println(
                  CheckLines.line(
                      "refused",
                      one.world() + Combination.values(one.params()) + ": " + one.reason())));
    }
  }

  private String proved() {
    int all = proof.coverage().checked().size();
    int proved = proof.proved().size();
    boolean promised =
        proof.coverage().checked().stream()
            .anyMatch(one -> !one.report().verdict().outputs().nothing());
    String each =
        "every order, any number of launches, "
            + (promised ? "every output byte" : "but nothing is promised");
    return all == 1
        ? (proved == 1 ? each : "nothing")
        : "%d of %d combinations: %s".formatted(proved, all, each);
  }

  /** The reasons, each with the combinations that it is true of. */
  private List<String> open() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    proof
        .coverage()
        .checked()
        .forEach(one ->
            Proof.open(one)
                .ifPresent(why ->
                    byReason
                        .computeIfAbsent(why, w -> new ArrayList<>())
                        .add(one.combination().words())));
    List<String> words = new ArrayList<>();
    byReason.forEach((why, where) ->
        words.add(
            where.getFirst()
                + (where.size() == 1 ? "" : " and %d more".formatted(where.size() - 1))
                + ": "
                + why));
    return words;
  }

  private List<String> unseen() {
    Program program = proof.coverage().shown().combination().program();
    List<String> words = new ArrayList<>();
    if (!program.params().isEmpty()) {
      words.add("other values of " + String.join(", ", program.params().keySet()));
    }
    words.add("worlds other than these");
    return words;
  }

  private List<String> assumed() {
    List<String> words = new ArrayList<>();
    words.add("memory rules: " + settings.profile().name());
    Program program = proof.coverage().shown().combination().program();
    boolean read =
        !InputWords.buffers(program).isEmpty() || !PassedWords.of(program.form()).isEmpty();
    words.add(
        read
            ? "inputs: random bytes, and few values of words that lanes read"
            : "inputs: random bytes, by which no lane decides");
    words.add("no value wraps: no flag of 32 bits in 2^16 launches, no other in 2^31");
    if (ExplorationSummary.lanes(proof.coverage()) > 1) {
      words.add(fewer().orElse("all lanes of a rank run at once"));
    }
    words.add("no faults");
    words.add("the memory model of it/docs/explanation/memory-model.md");
    return words;
  }

  private Optional<String> fewer() {
    return ExplorationSummary.fewer(proof.coverage(), settings);
  }

  private String verdict() {
    return proof
        .coverage()
        .shown()
        .report()
        .verdict()
        .violation()
        .map(found -> "VIOLATION (%s)".formatted(found.kind()))
        .orElseGet(this::withoutViolation);
  }

  private String withoutViolation() {
    List<CheckCoverage.RefusedCombination> wrong = proof.coverage().wrong();
    if (!wrong.isEmpty()) {
      return "VIOLATION (%s): %s".formatted(CoverageStrictness.REFUSED, VerdictBlock.words(wrong));
    }
    List<CheckCoverage.RefusedCombination> doubtful = proof.coverage().doubtful();
    Stream<String> refused =
        doubtful.isEmpty() ? Stream.empty() : Stream.of(VerdictBlock.words(doubtful));
    if (!proof.complete()) {
      return "not proved" + refused.map(words -> "; refused: " + words).collect(joining());
    }
    Stream<String> unchecked =
        proof.coverage().unchecked().isEmpty()
            ? Stream.empty()
            : Stream.of("what was not searched");
    return "proved for "
        + covered()
        + VerdictBlock.except(
            Stream.of(refused, unchecked, unreached.words().stream()).flatMap(words -> words));
  }

  /** A proof says nothing of other worlds and sizes. */
  private String covered() {
    List<Combination> all =
        proof.coverage().checked().stream()
            .map(CheckCoverage.CheckedCombination::combination)
            .toList();
    boolean oneWorld = all.stream().map(Combination::world).distinct().count() == 1;
    long sizes = all.stream().map(one -> one.program().params()).distinct().count();
    String worlds = oneWorld ? "this world" : "these worlds";
    if (all.getFirst().program().params().isEmpty()) {
      return worlds;
    }
    return worlds + (sizes == 1 ? " and this size" : oneWorld ? " and these sizes" : " and sizes");
  }

  /** Whether a combination is open only since bytes are not promised. */
  private boolean silent() {
    return proof.coverage().checked().stream()
        .anyMatch(one ->
            !one.report().verdict().outputs().complete()
                && one.report().uncovered(one.combination().program()).size() == 1);
  }

  private String next(Optional<Path> kept) {
    if (!proof.coverage().wrong().isEmpty()) {
      return NextCommand.bound("check", spec)
          + ", or state with require what the program is meant for";
    }
    if (proof.coverage().failed()) {
      return NextCommand.bound("check", spec).toString();
    }
    if (fewer().isPresent()) {
      return "the same command without resident: machines run all lanes of a rank at once";
    }
    if (kept.isPresent()) {
      return NextCommand.bound("run", spec).with("--proved", kept.get().toString()).toString();
    }
    return proof.complete()
        ? "the same command with --keep FILE; then oriel run with --proved FILE"
        : silent()
            ? "write an ensure for the bytes above, or make the output shorter"
            : "oriel check with one of the combinations that are not proved";
  }
}
