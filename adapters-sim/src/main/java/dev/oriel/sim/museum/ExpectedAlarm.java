package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The only correct alarm for an exhibit: the detector, and every fact that its message must contain
 * (accesses, waits, the missing edge). Any other alarm is a false one.
 *
 * @param kind a word of {@link Finding.Kind}, or {@link #REFUSED}
 */
public record ExpectedAlarm(String kind, List<String> says) {
  /** Binding refuses the program: its text shows that it cannot work. */
  public static final String REFUSED = "refused";

  public ExpectedAlarm {
    says = List.copyOf(says);
    if (!kinds().contains(kind)) {
      throw new IllegalArgumentException(
          "unknown detector: finds=%s; use one of %s".formatted(kind, String.join(", ", kinds())));
    }
  }

  private static List<String> kinds() {
    List<String> kinds = new ArrayList<>(List.of(REFUSED));
    Arrays.stream(Finding.Kind.values()).map(Finding.Kind::word).forEach(kinds::add);
    return kinds;
  }

  /** The differences of that alarm from this one, in words; empty if there are none. */
  public List<String> differences(String foundKind, String message) {
    List<String> differences = new ArrayList<>();
    if (!kind.equals(foundKind)) {
      differences.add("other detector: expected=%s, found=%s".formatted(kind, foundKind));
    }
    says.stream()
        .filter(fact -> !message.contains(fact))
        .map("the message lacks: %s"::formatted)
        .forEach(differences::add);
    return differences;
  }
}
