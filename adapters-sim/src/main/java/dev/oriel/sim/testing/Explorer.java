package dev.oriel.sim.testing;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ExecutionShrinker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import dev.oriel.sim.trace.InterleavingTable;
import dev.oriel.sim.trace.PictureFiles;
import dev.oriel.sim.trace.TraceFailure;
import dev.oriel.sim.trace.TraceRecording;
import dev.oriel.sim.trace.TraceSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explores programs in tests. Immutable: each {@code with} method returns another explorer.
 *
 * @param launches the launches of each execution
 * @param later whether the search goes on to later launches, as {@code oriel check} does without
 *     {@code --launches}
 * @param pictures the folder for pages of failing executions
 */
public record Explorer(
    Strategy strategy,
    Profile profile,
    Budget budget,
    int launches,
    boolean later,
    FaultPlan faults,
    TimeoutPolicy timeouts,
    long seed,
    Path pictures) {
  private static final int TRIALS = 100;

  /**
   * Every strategy for a short time, under the default profile, with three launches. Where all
   * orders of these were searched, it then searches any number of launches, or draws later ones.
   */
  public static Explorer standard() {
    return new Explorer(
        Strategy.PORTFOLIO,
        Profile.L2,
        new Budget(8, 20_000, 200_000, 200_000_000),
        3,
        true,
        FaultPlan.NONE,
        TimeoutPolicy.NEVER,
        1,
        Path.of("target", "oriel"));
  }

  /** The same with the limits of {@code oriel check}: slower, and it finds what that finds. */
  public static Explorer thorough() {
    return standard().withBudget(Budget.DEFAULT);
  }

  public Explorer withStrategy(Strategy other) {
    return new Explorer(other, profile, budget, launches, later, faults, timeouts, seed, pictures);
  }

  public Explorer withProfile(Profile other) {
    return new Explorer(strategy, other, budget, launches, later, faults, timeouts, seed, pictures);
  }

  public Explorer withBudget(Budget other) {
    return new Explorer(
        strategy, profile, other, launches, later, faults, timeouts, seed, pictures);
  }

  /** That many launches in every execution, and no later ones. */
  public Explorer withLaunches(int count) {
    return new Explorer(strategy, profile, budget, count, false, faults, timeouts, seed, pictures);
  }

  /** With these faults in each execution; {@code when} determines when lanes give up waiting. */
  public Explorer withFaults(FaultPlan plan, TimeoutPolicy when) {
    return new Explorer(strategy, profile, budget, launches, later, plan, when, seed, pictures);
  }

  public Explorer withPictures(Path folder) {
    return new Explorer(strategy, profile, budget, launches, later, faults, timeouts, seed, folder);
  }

  /** {@link #assertThatHolds} of the {@link #standard} explorer. */
  public static CheckReport assertHolds(Program program, Topology topology) {
    return standard().assertThatHolds(program, topology);
  }

  /**
   * Explores the program.
   *
   * @return the report of a search without failures; its verdict's {@code outputs} list the output
   *     bytes that the program promises, since no value of other bytes was judged
   * @throws ProtocolError with the reason, a token, the path of a page and a table of the steps,
   *     all of the smallest execution found that fails in the same way
   */
  public CheckReport assertThatHolds(Program program, Topology topology) {
    return assertThatHolds(program, topology, Optional.empty());
  }

  /** {@link #assertThatHolds(Path, Topology, Map)} of the {@link #standard} explorer. */
  public static CheckReport assertHolds(
      Path file, Topology topology, Map<String, Long> parameters) {
    return standard().assertThatHolds(file, topology, parameters);
  }

  /**
   * As {@link #assertThatHolds(Program, Topology)} for the program text of a file. A failure names
   * the lines of the file.
   *
   * @throws ProgramException if the text is no program of that world, with file, line and column
   */
  public CheckReport assertThatHolds(Path file, Topology topology, Map<String, Long> parameters) {
    ProgramFile read = ProgramFile.read(file);
    return assertThatHolds(
        read.bind(topology.world(), parameters), topology, Optional.of(read.source()));
  }

  private CheckReport assertThatHolds(
      Program program, Topology topology, Optional<TraceSource> source) {
    ExecutionSettings settings =
        new ExecutionSettings(profile, launches, DetectorSet.ALL, timeouts);
    Checker checker = new Checker(strategy, budget, seed, settings.with(faults)).drawing();
    CheckReport report = (later ? checker.anyLaunches() : checker).explore(program, topology);
    if (report.found().isPresent()) {
      throw error(program, report, report.found().get(), source);
    }
    return report;
  }

  /** {@link #assertThatHolds(RankCodeExploration)} of the {@link #standard} explorer. */
  public static CheckReport assertHolds(RankCodeExploration exploration) {
    return standard().assertThatHolds(exploration);
  }

  /**
   * As {@link #assertThatHolds(Program, Topology)} for rank code; strategy, profile, faults and
   * budget are those of the exploration.
   */
  public CheckReport assertThatHolds(RankCodeExploration exploration) {
    CheckReport report = exploration.check();
    if (report.found().isPresent()) {
      CheckReport.Found found = report.found().get();
      Optional<ReplayToken> small = found.token().map(exploration::shrink);
      TraceRecording recording =
          small.map(t -> exploration.replay(t).recording()).orElseGet(found::recording);
      throw error(exploration.name(), report, found, small, recording);
    }
    return report;
  }

  private ProtocolError error(
      Program program, CheckReport report, CheckReport.Found found, Optional<TraceSource> source) {
    Optional<ReplayToken> small =
        found.token().map(t -> ExecutionShrinker.shrink(t, program.form(), TRIALS).same().token());
    TraceRecording recording =
        small.map(t -> TokenReplay.play(t, program.form()).recording()).orElseGet(found::recording);
    TraceRecording shown = source.map(recording::with).orElse(recording);
    return error(program.form().name(), report, found, small, shown);
  }

  /** Describes the execution that it shows: the one found first may have more ranks and bytes. */
  private ProtocolError error(
      String name,
      CheckReport report,
      CheckReport.Found found,
      Optional<ReplayToken> small,
      TraceRecording recording) {
    Violation violation = report.verdict().violation().orElseThrow();
    TraceFailure shown =
        recording
            .failure()
            .orElseGet(() -> new TraceFailure(violation.kind(), violation.message(), List.of()));
    String first =
        small.equals(found.token())
            ? ""
            : "found as %s%nand made smaller:%n".formatted(found.token().orElseThrow());
    String token = small.map(ReplayToken::toString).orElse("");
    Path page = page(recording, token);
    return new ProtocolError(
        "%s: %s%n%ntoken    %s%npicture  %s%n%s%n%s"
            .formatted(
                name,
                shown.text(),
                token.isEmpty() ? "none: " + found.tokenless() : token,
                page,
                first,
                new InterleavingTable().text(recording)),
        token,
        page);
  }

  /** Other executions of a program and world have pages of their own. */
  private Path page(TraceRecording recording, String token) {
    String name = (recording.program() + "-" + recording.world()).replaceAll("[^A-Za-z0-9_-]", "_");
    Path page = pictures.resolve("%s-%08x.html".formatted(name, token.hashCode()));
    try {
      Files.createDirectories(pictures);
      PictureFiles.write(recording, page);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write a picture: path=%s; choose another folder".formatted(page), e);
    }
    return page.toAbsolutePath();
  }
}
