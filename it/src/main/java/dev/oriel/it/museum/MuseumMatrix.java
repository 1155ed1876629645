package dev.oriel.it.museum;

import dev.oriel.sim.museum.AblationStudy;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.RequiredFeature;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** A table of the alarms that a simulator without one feature, or one detector, no longer gives. */
final class MuseumMatrix {
  private final PrintWriter out;

  MuseumMatrix(PrintWriter out) {
    this.out = out;
  }

  /** Prints it; true if every alarm needs what its exhibit lists and nothing else. */
  boolean print(List<CaseStudy> exhibits) {
    StringBuilder head = new StringBuilder("%-15s".formatted("row"));
    for (RequiredFeature need : RequiredFeature.values()) {
      head.append("%4s".formatted(need));
    }
    out.println(head + "  detector");
    int rows = 0;
    int wrong = 0;
    for (CaseStudy exhibit : exhibits) {
      if (exhibit.showcase().isPresent()) {
        rows++;
        wrong += row(AblationStudy.of(exhibit), exhibit.showcase().get().alarm().kind());
      }
    }
    out.printf(
        "x        its alarm is gone without that; . given all the same; blank: no part in it%n");
    out.printf("matrix   %d of %d need what they list and nothing else%n", rows - wrong, rows);
    return wrong == 0;
  }

  private int row(AblationStudy knockOut, String kind) {
    StringBuilder line = new StringBuilder("%-15s".formatted(knockOut.exhibit().id()));
    for (RequiredFeature need : RequiredFeature.values()) {
      Optional<Boolean> given = Optional.ofNullable(knockOut.features().get(need));
      line.append("%4s".formatted(given.map(g -> g ? "." : "x").orElse("")));
    }
    List<String> complaints = knockOut.complaints();
    out.println(line + "  " + kind);
    complaints.forEach(complaint -> out.println("    " + complaint));
    return complaints.isEmpty() ? 0 : 1;
  }
}
