package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of an exhibit that state the expected finding, generated from a finding. */
final class AlarmLines {
  private static final int WIDTH = 118;
  private static final Pattern RACE =
      Pattern.compile(
          "byte=\\d+; (.*? \\((?:write|read)\\)) and (.*? \\((?:write|read)\\)) are not ordered;"
              + " (?:smallest repair: )?(no change of one word orders them|.*)");
  private static final Pattern WAIT =
      Pattern.compile("rank=\\d+, lane=\\S+, launch=\\d+ waits in .*?, seen=[^,;]+");

  private AlarmLines() {}

  static List<String> of(ProgramResult shown) {
    List<String> lines = new ArrayList<>();
    if (shown.kind().equals(Finding.Kind.RACE.word())) {
      Matcher race = RACE.matcher(shown.message());
      if (race.find()) {
        lines.add("-- site: " + race.group(1));
        lines.add("-- site: " + race.group(2));
        lines.add("-- edge: " + race.group(3));
      }
    } else if (shown.kind().equals(Finding.Kind.DEADLOCK.word())) {
      WAIT.matcher(shown.message()).results().forEach(w -> lines.add("-- waits: " + w.group()));
    } else {
      lines.add("-- says: " + shown.message().replaceAll("; see the .*", ""));
    }
    return lines.stream().flatMap(line -> broken(line).stream()).toList();
  }

  private static List<String> broken(String line) {
    List<String> lines = new ArrayList<>();
    String rest = line;
    while (rest.length() > WIDTH) {
      int space = rest.lastIndexOf(' ', WIDTH);
      lines.add(rest.substring(0, space));
      rest = "--   " + rest.substring(space + 1);
    }
    lines.add(rest);
    return lines;
  }

  /** The text of an exhibit with those lines in place of its own. */
  static String put(String text, List<String> lines) {
    return text.replaceFirst(
        "(?m)(^-- (site|edge|waits|says): .*\\n(--   .*\\n)*)+",
        Matcher.quoteReplacement(String.join("\n", lines) + "\n"));
  }
}
