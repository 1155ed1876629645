package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much later than the earliest step a step may be due and still overtake it, in picoseconds of
 * virtual time. It doubles with every execution, up to sixteen times, and with every 64 steps of
 * one.
 */
public record WindowDelta(long picos) {
  /** The earliest step is always next: the order of virtual time. */
  public static final WindowDelta NONE = new WindowDelta(0);

  /** Time restricts nothing. */
  public static final WindowDelta ANY = new WindowDelta(Long.MAX_VALUE);

  /** Half a microsecond: about one hop. */
  public static final WindowDelta DEFAULT = new WindowDelta(500_000);

  private static final String SPELLING = "any";
  private static final List<String> UNITS = List.of("ps", "ns", "us", "ms");
  private static final Pattern TEXT = Pattern.compile("(\\d{1,6})(ps|ns|us|ms)");
  private static final int EXECUTIONS = 16;
  private static final int STEPS = 64;
  private static final int SHIFTS = 62;

  /** Parses {@code 500ns}, {@code 2us}, {@code 0ns} or {@code any}. */
  public static WindowDelta parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (text.equals(SPELLING)) {
      return ANY;
    }
    if (!matcher.matches()) {
      throw new MachineException(
          "bad delta: text=%s; write a whole number with ps, ns, us or ms, or any".formatted(text));
    }
    long picos = Long.parseLong(matcher.group(1));
    for (int unit = UNITS.indexOf(matcher.group(2)); unit > 0; unit--) {
      picos *= 1000;
    }
    return new WindowDelta(picos);
  }

  /** How far steps may overtake at that step of that execution. */
  long at(long execution, long step) {
    long shift = Math.min(SHIFTS, execution % EXECUTIONS + step / STEPS);
    return picos > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : picos << shift;
  }

  @Override
  public String toString() {
    if (equals(ANY)) {
      return SPELLING;
    }
    long count = picos;
    int unit = 0;
    while (unit < UNITS.size() - 1 && count > 0 && count % 1000 == 0) {
      count /= 1000;
      unit++;
    }
    return count + UNITS.get(unit);
  }
}
