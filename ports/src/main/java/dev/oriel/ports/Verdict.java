package dev.oriel.ports;

import dev.oriel.domain.binding.OutputCoverage;
import java.util.List;
import java.util.Optional;

/**
 * The result of exploring one program, with everything that limits the result.
 *
 * <p>It holds for exactly one binding under exactly one model; nothing follows for another world or
 * size.
 *
 * @param program digest of the binding
 * @param lowered digest of the micro-operations that were executed
 * @param model the memory model and its profile
 * @param strategy how executions were chosen
 * @param launches how often each rank launched in one execution
 * @param executions how many executions were followed to the end, either of all ranks or of the
 *     search
 * @param states how many distinct states were seen; 0 where states are not compared
 * @param bounds every limit of the search, in words; empty exactly if nothing that the model allows
 *     was left out
 * @param outputs the output bytes that the program promises; values of other bytes were not judged
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

  /**
   * Whether no violation was found, within the bounds, in the bytes that {@link #outputs} promises.
   */
  public boolean holds() {
    return violation.isEmpty();
  }

  /**
   * A failure: the violated promise, and the schedule that leads to it.
   *
   * @param kind one word: deadlock, value, check
   * @param message the problem, {@code key=value} facts, and where to look
   * @param trace the steps that lead to it, one line each
   */
  public record Violation(String kind, String message, List<String> trace) {
    public Violation {
      trace = List.copyOf(trace);
    }
  }
}
