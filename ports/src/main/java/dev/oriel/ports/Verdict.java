package dev.oriel.ports;

import dev.oriel.domain.binding.OutputCoverage;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one program after exploring it, and everything that bounds that knowledge.
 *
 * <p>It speaks of exactly one binding under exactly one model; nothing follows from it for another
 * world or size.
 *
 * @param program digest of the binding
 * @param lowered digest of the micro-operations that were executed
 * @param model the memory model and its profile
 * @param strategy how executions were chosen
 * @param launches how often each rank launched in one execution
 * @param executions how many executions were followed to an end: of all ranks, or of the search
 * @param states how many distinct states were seen; 0 where states are not compared
 * @param bounds every limit of the search, in words; empty exactly if nothing that the model allows
 *     was left out
 * @param outputs which output bytes the program promises: of the others no value was judged
 * @param violation the first failure, if any
 */
public record Verdict(
    String program,
    String lowered,
    String model,
    String strategy,
    int launches,
    long executions,
    long states,
    List<String> bounds,
    OutputCoverage outputs,
    Optional<Violation> violation) {

  public Verdict {
    bounds = List.copyOf(bounds);
  }

  /** Whether nothing was found, within the bounds, in what {@link #outputs} says is promised. */
  public boolean holds() {
    return violation.isEmpty();
  }

  /**
   * A failure: what was violated, and the schedule that leads there.
   *
   * @param kind one word: deadlock, value, check
   * @param message what is wrong, {@code key=value} facts, and what to look at
   * @param trace the steps that led there, one line each
   */
  public record Violation(String kind, String message, List<String> trace) {
    public Violation {
      trace = List.copyOf(trace);
    }
  }
}
