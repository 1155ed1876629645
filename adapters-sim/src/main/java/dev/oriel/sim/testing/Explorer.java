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
 * <p>A search that finds nothing may have left something open: it reached a limit, or later
 * launches were only drawn. {@link #covering} makes that a failure. Without it {@link
 * CheckReport#uncovered} has the reasons.
 *
 * @param launches the launches of each execution
 * @param later whether the search goes on to later launches, as {@code oriel check} does without
 *     {@code --launches}
 * @param complete whether a search that does not cover everything fails
 * @param pictures the folder for pages of failing executions
 */
public record Explorer(
    Strategy strategy,
    Profile profile,
    Budget budget,
    int launches,
    boolean later,
    boolean complete,
    FaultPlan faults,
    TimeoutPolicy timeouts,
    long seed,
    Path pictures) {
  private static final int TRIALS = 100;

  /**
   * Searches as {@code oriel check} does with one combination: every strategy, under the default
   * profile, with three launches. Where all orders of these were searched, it then searches any
   * number of launches, or draws later ones.
   */
  public static Explorer standard() {
    return new Explorer(
        Strategy.PORTFOLIO,
        Profile.L2,
        Budget.DEFAULT,
        3,
        true,
        false,
        FaultPlan.NONE,
        TimeoutPolicy.NEVER,
        1,
        Path.of("target", "oriel"));
  }

  /** The same with smaller limits, for properties with many tries: it misses more. */
  public static Explorer quick() {
    return standard().withBudget(new Budget(8, 20_000, 200_000, 200_000_000));
  }

  /**
   * The same, but a search that finds nothing also fails if it left something open: some order of
   * any number of launches (of that number after {@link #withLaunches}), some word of an input that
   * lanes load, or an output byte that no post-condition covers. Of rank code every order has to be
   * covered.
   */
  public Explorer covering() {
    return new Explorer(
        strategy, profile, budget, launches, later, true, faults, timeouts, seed, pictures);
  }

  public Explorer withStrategy(Strategy other) {
    return new Explorer(
        other, profile, budget, launches, later, complete, faults, timeouts, seed, pictures);
  }

  public Explorer withProfile(Profile other) {
    return new Explorer(
        strategy, other, budget, launches, later, complete, faults, timeouts, seed, pictures);
  }

  public Explorer withBudget(Budget other) {
    return new Explorer(
        strategy, profile, other, launches, later, complete, faults, timeouts, seed, pictures);
  }

  /** That many launches in every execution, and no later ones. */
  public Explorer withLaunches(int count) {
    return new Explorer(
        strategy, profile, budget, count, false, complete, faults, timeouts, seed, pictures);
  }

  /** With these faults in each execution; {@code when} determines when lanes give up waiting. */
  public Explorer withFaults(FaultPlan plan, TimeoutPolicy when) {
    return new Explorer(
        strategy, profile, budget, launches, later, complete, plan, when, seed, pictures);
  }

  public Explorer withPictures(Path folder) {
    return new Explorer(
        strategy, profile, budget, launches, later, complete, faults, timeouts, seed, folder);
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
   * @throws AssertionError if nothing was found, but an explorer that is {@link #covering} left
   *     something open
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
   * the lines of the file. Without a value the parameter {@code domain} has the number of ranks of
   * a host, as in {@code oriel check}, and others have their maximum.
   *
   * @throws ProgramException if the text is no program of that world, with file, line and column
   */
  public CheckReport assertThatHolds(Path file, Topology topology, Map<String, Long> parameters) {
    ProgramFile read = ProgramFile.read(file);
    return assertThatHolds(read.bind(topology, parameters), topology, Optional.of(read.source()));
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
    return covered(program.form().name(), report, report.uncovered(program));
  }

  private CheckReport covered(String name, CheckReport report, List<String> open) {
    if (complete && !open.isEmpty()) {
      throw new AssertionError(
          "%s: nothing found, but not everything is covered: %s"
              .formatted(name, String.join("; ", open)));
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
    return covered(exploration.name(), report, report.verdict().bounds());
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
