package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The one alarm that is right for an exhibit: the detector, and every fact that its message has to
 * hold: accesses, waits, the missing edge. Any other alarm is a false one.
 *
 * @param kind a word of {@link Finding.Kind}, or {@link #REFUSED}
 */
public record Alarm(String kind, List<String> says) {
  /** The program is not even bound: its text shows that it cannot work. */
  public static final String REFUSED = "refused";

  public Alarm {
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

  /** How that alarm differs from this one, in words; empty if it does not. */
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
