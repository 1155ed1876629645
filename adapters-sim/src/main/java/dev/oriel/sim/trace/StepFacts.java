package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * What one step did, in the words of its program and with the values of that moment.
 *
 * @param operation the operation as its program spells it; empty for a step of no operation
 * @param resolved the step with numbers in place of names, in one line
 * @param loops the indices of its lane and of the loops around it, from the outermost on
 * @param names the other names of the operation
 * @param seen the words that it read, with the values it got
 */
public record StepFacts(
    TraceEventKind kind,
    String operation,
    String resolved,
    List<NamedValue> loops,
    List<NamedValue> names,
    List<NamedValue> seen) {
  /** More words of one step are counted, not listed: a move of packets reads one in each. */
  private static final int SHOWN = 4;

  private static final int SHORT = 3;

  /** A name of the program, or a place in memory, and its value there and then. */
  public record NamedValue(String name, String value) {
    public NamedValue(String name, long value) {
      this(name, shown(value));
    }

    @Override
    public String toString() {
      return name + "=" + value;
    }

    /** Small negative numbers are meant as such: {@code -1} is 2^64 - 1. */
    private static String shown(long value) {
      return value < 0 && value > -(1L << 32) ? Long.toString(value) : Long.toUnsignedString(value);
    }
  }

  public StepFacts {
    loops = List.copyOf(loops);
    names = List.copyOf(names);
    seen = List.copyOf(seen);
  }

  /** A step without values. */
  public static StepFacts of(TraceEventKind kind, String text) {
    return new StepFacts(kind, "", text, List.of(), List.of(), List.of());
  }

  /** The same step, which also read that word. */
  public StepFacts saw(NamedValue word) {
    List<NamedValue> more = new ArrayList<>(seen);
    more.add(word);
    return new StepFacts(kind, operation, resolved, loops, names, more);
  }

  /** The same step while its lane waits in it. */
  public StepFacts waits() {
    return new StepFacts(TraceEventKind.WAIT, operation, resolved, loops, names, seen);
  }

  /** A later step of the same operation, such as one of a queue. */
  public StepFacts as(TraceEventKind later, String text) {
    return new StepFacts(later, operation, text, loops, names, List.of());
  }

  /** The indices of lane and loops: {@code i=3, j=0}. */
  public String loopText() {
    return text(loops);
  }

  /** Every name with its value. */
  public String nameText() {
    List<NamedValue> all = new ArrayList<>(loops);
    all.addAll(names);
    return text(all);
  }

  /** The words that were read: {@code READY[0]@1=4}. */
  public String seenText() {
    return seen.size() <= SHOWN
        ? text(seen)
        : text(seen.subList(0, SHOWN)) + " and " + (seen.size() - SHOWN) + " more";
  }

  /** The values that were read, without their words; of many, only their number. */
  public String seenValues() {
    return seen.size() > SHORT
        ? seen.size() + " words"
        : String.join(",", seen.stream().map(NamedValue::value).toList());
  }

  private static String text(List<NamedValue> values) {
    return String.join(", ", values.stream().map(NamedValue::toString).toList());
  }
}
