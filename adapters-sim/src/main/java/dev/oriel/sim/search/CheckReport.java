package dev.oriel.sim.search;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.trace.TraceFailure;
import dev.oriel.sim.trace.TraceRecording;
import dev.oriel.sim.trace.TraceSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A verdict and the work that led to it.
 *
 * @param parts the work of each strategy, in order; the last one made the finding
 * @param anyLaunches whether more launches than the verdict names are covered; empty if that was
 *     not asked, or if something was found
 * @param drawsLeft how many draws of input words were left out, which combine values of few words
 *     in other ways
 */
public record CheckReport(
    Verdict verdict,
    List<Part> parts,
    Optional<Found> found,
    Optional<AnyLaunches> anyLaunches,
    long drawsLeft) {
  /** The begin of the bound that names a condition which no launch fulfilled. */
  public static final String NEVER_JUDGED = "post-conditions: ";

  /** The begin of a bound that stopped an execution before its end. */
  static final String STEPS = "steps: ";

  /** The begin of a bound that the memory of this machine set. */
  static final String MEMORY = "memory: ";

  private static final double PAIRS = 0x1p129;

  public CheckReport {
    parts = List.copyOf(parts);
  }

  /**
   * This report with the result of one more draw of inputs. The draw's executions count. A draw is
   * not meant to be exhaustive, so its incompleteness is no bound.
   */
  CheckReport and(CheckReport draw, int number) {
    Verdict mine = verdict;
    Verdict other = draw.verdict;
    String inputs = ", inputs=%d draws".formatted(number);
    int before = mine.strategy().indexOf(", inputs=");
    String strategy = before < 0 ? mine.strategy() : mine.strategy().substring(0, before);
    Verdict both =
        new Verdict(
            mine.program(),
            mine.lowered(),
            other.violation().isPresent() ? other.model() : mine.model(),
            strategy + inputs + (other.violation().isPresent() ? " (found it)" : ""),
            mine.launches(),
            mine.executions() + other.executions(),
            mine.states() + other.states(),
            mine.bounds(),
            mine.outputs(),
            other.violation());
    return new CheckReport(both, parts, draw.found, anyLaunches, 0);
  }

  /** This report, after so many draws fewer than there are. */
  CheckReport leaving(long draws) {
    return new CheckReport(verdict, parts, found, anyLaunches, draws);
  }

  /**
   * A report of a violation that the search of any number of launches met, and that no search of as
   * many launches met again within the limits. It has no execution, but it is a violation.
   */
  CheckReport unrepeated(int launch, Finding.Kind kind) {
    String message =
        "%s in launch %d: the search of any number of launches met it; a search of %d launches did not meet it again within its limits, so there is no trace; give it more by --launches %d --states N"
            .formatted(kind.word(), launch, launch, launch);
    Verdict failed =
        new Verdict(
            verdict.program(),
            verdict.lowered(),
            verdict.model(),
            verdict.strategy(),
            launch,
            verdict.executions(),
            verdict.states(),
            verdict.bounds(),
            verdict.outputs(),
            Optional.of(new Verdict.Violation(kind.word(), message, List.of())));
    TraceRecording nothing =
        new TraceRecording(
            "",
            "",
            List.of(),
            List.of(),
            Optional.of(new TraceFailure(kind.word(), message, List.of())),
            "",
            TraceSource.NONE);
    Found met =
        new Found(
            Strategy.SYNCHRONISATION,
            0,
            nothing,
            Optional.empty(),
            "no execution of " + launch + " launches met it again",
            List.of(),
            List.of());
    return new CheckReport(failed, parts, Optional.of(met), Optional.empty(), 0);
  }

  /** The same with what is known of further launches. */
  CheckReport with(AnyLaunches any) {
    return new CheckReport(verdict, parts, found, Optional.of(any), drawsLeft);
  }

  /** Whether any number of launches is covered. */
  public boolean closed() {
    return anyLaunches.filter(AnyLaunches::closed).isPresent();
  }

  /** Whether neither a limit of steps nor the memory stopped an execution before its end. */
  public boolean ended() {
    return verdict.bounds().stream()
        .noneMatch(bound -> bound.startsWith(STEPS) || bound.startsWith(MEMORY));
  }

  /**
   * What a search without a finding left open, a reason for each. Empty if it covered every order,
   * any number of launches if that was asked, all words of inputs that lanes load, and if a
   * post-condition covers every output byte.
   */
  public List<String> uncovered(Program program) {
    List<String> open = new ArrayList<>(verdict.bounds());
    if (open.isEmpty()) {
      anyLaunches
          .filter(any -> !any.closed())
          .ifPresent(any -> open.add("no more than some launches: " + any.why()));
    }
    Set<String> loaded = InputWords.tooMany(program);
    if (!loaded.isEmpty()) {
      open.add("some words of %s, not all".formatted(String.join(", ", loaded)));
    }
    OutputCoverage outputs = verdict.outputs();
    if (!outputs.complete()) {
      open.add(
          "no ensure covers %d output bytes for every input"
              .formatted(outputs.bytes() - outputs.promised()));
    }
    return open;
  }

  /**
   * The work of one strategy.
   *
   * @param steps of all its executions
   * @param reduction the pruned executions that another execution represents, or {@link #NONE}
   */
  public record Part(
      Strategy strategy,
      long executions,
      long states,
      long steps,
      List<String> bounds,
      String reduction) {
    /** No execution represents another. */
    public static final String NONE = "none";

    public Part {
      bounds = List.copyOf(bounds);
    }

    /** The same, where no other strategy explored everything from which this one sampled. */
    Part drawn() {
      return within("drawn: these executions only; synchronisation and full go through all");
    }

    /** The same with one more bound. */
    Part within(String bound) {
      List<String> more = new ArrayList<>(bounds);
      more.add(bound);
      return new Part(strategy, executions, states, steps, more, reduction);
    }

    /** The expected number of states taken for others, with fingerprints of 128 bits. */
    public double collisions() {
      return (double) states * states / PAIRS;
    }
  }

  /** Steps of all executions of all strategies. */
  public long steps() {
    return parts.stream().mapToLong(Part::steps).sum();
  }

  /**
   * The execution that failed.
   *
   * @param execution its number in the campaign
   * @param token repeats it; if no token can, it is empty and {@code tokenless} has the reason
   * @param places the operations of the program that the finding names, the earlier one first, and
   *     the post-condition that a wrong byte breaks; empty if it names neither
   * @param operations for each line of the trace the operation that it belongs to
   */
  public record Found(
      Strategy strategy,
      long execution,
      TraceRecording recording,
      Optional<ReplayToken> token,
      String tokenless,
      List<ExecutionRecord.Place> places,
      List<Optional<ExecutionRecord.Place>> operations) {
    public Found {
      places = List.copyOf(places);
      operations = List.copyOf(operations);
    }
  }
}
