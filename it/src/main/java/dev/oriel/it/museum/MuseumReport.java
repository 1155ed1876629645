package dev.oriel.it.museum;

import dev.oriel.sim.museum.Exhibit;
import dev.oriel.sim.museum.Shown;
import dev.oriel.sim.museum.Tour;
import dev.oriel.sim.museum.Visit;
import java.util.List;
import java.util.Optional;

/** Reports the result of each exhibit, for people or for machines. */
interface MuseumReport {

  /**
   * One exhibit.
   *
   * @param broken the result of its broken program; empty if no program can express the failure
   * @param visit the full case study; empty unless it was requested
   * @param micros the time until the broken program failed
   */
  record Line(
      Exhibit exhibit,
      Optional<Shown> broken,
      Optional<Visit> visit,
      List<String> complaints,
      long micros) {

    static Line of(Exhibit exhibit, boolean everything) {
      long start = System.nanoTime();
      Optional<Shown> broken = exhibit.showcase().map(Tour::broken);
      long micros = (System.nanoTime() - start) / 1000;
      Optional<Visit> visit =
          everything && broken.isPresent() ? Optional.of(Tour.of(exhibit)) : Optional.empty();
      List<String> complaints =
          visit
              .map(Visit::complaints)
              .or(() -> broken.map(shown -> Tour.judge(exhibit, shown)))
              .orElse(List.of());
      return new Line(exhibit, broken, visit, complaints, micros);
    }

    /** The result in one word. */
    String outcome() {
      if (broken.isEmpty()) {
        return "not expressible";
      }
      return exhibit.missed() ? "missed" : complaints.isEmpty() ? "caught" : "wrong";
    }
  }

  void begin();

  void line(Line line);

  void end(MuseumCount count);
}
