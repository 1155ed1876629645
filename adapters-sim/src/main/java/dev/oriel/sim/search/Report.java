package dev.oriel.sim.search;

import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.trace.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A verdict and all that led to it.
 *
 * @param parts what each strategy did, in the order in which they went; the last one found what was
 *     found
 */
public record Report(Verdict verdict, List<Part> parts, Optional<Found> found) {
  private static final double PAIRS = 0x1p129;

  public Report {
    parts = List.copyOf(parts);
  }

  /**
   * The same, and what one more draw of inputs came to. Its executions count; it was not meant to
   * go through all, so that it did not is no bound.
   */
  Report and(Report draw, int number) {
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
    return new Report(both, parts, draw.found);
  }

  /**
   * What one strategy did.
   *
   * @param steps of all its executions
   * @param reduction what was not executed since something executed stands for it, or {@link #NONE}
   */
  public record Part(
      Strategy strategy,
      long executions,
      long states,
      long steps,
      List<String> bounds,
      String reduction) {
    /** Nothing stands for anything else. */
    public static final String NONE = "none";

    public Part {
      bounds = List.copyOf(bounds);
    }

    /** The same, where no other strategy went through all that this one drew from. */
    Part drawn() {
      return within("drawn: these executions only; synchronisation and full go through all");
    }

    /** The same, within one more bound. */
    Part within(String bound) {
      List<String> more = new ArrayList<>(bounds);
      more.add(bound);
      return new Part(strategy, executions, states, steps, more, reduction);
    }

    /** States that were taken for others, as is to be expected of fingerprints of 128 bits. */
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
   * @param token repeats it; empty, with the reason in {@code tokenless}, if none can
   * @param places the operations of the program that the finding speaks of, the earlier one first;
   *     none where it speaks of no steps
   */
  public record Found(
      Strategy strategy,
      long execution,
      Recording recording,
      Optional<Token> token,
      String tokenless,
      List<Story.Place> places) {
    public Found {
      places = List.copyOf(places);
    }
  }
}
