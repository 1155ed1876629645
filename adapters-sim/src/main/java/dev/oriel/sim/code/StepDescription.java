package dev.oriel.sim.code;

import java.util.regex.Pattern;

/** The text of steps in reports: names from lowering are replaced by their meaning. */
final class StepDescription {
  private static final Pattern MEETINGS = Pattern.compile("met\\$(\\w+)");
  private static final Pattern NUMBERED = Pattern.compile("(peer|element|held|old)\\$\\d+");

  private StepDescription() {}

  static String of(String step) {
    if (step.indexOf('$') < 0) {
      return step;
    }
    String named = MEETINGS.matcher(step).replaceAll("meetings($1)");
    return NUMBERED.matcher(named).replaceAll("$1");
  }
}
