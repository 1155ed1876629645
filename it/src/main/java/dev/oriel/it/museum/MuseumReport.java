package dev.oriel.it.museum;

import dev.oriel.sim.museum.Exhibit;
import dev.oriel.sim.museum.Shown;
import dev.oriel.sim.museum.Tour;
import dev.oriel.sim.museum.Visit;
import java.util.List;
import java.util.Optional;

/** Says what became of each exhibit, for people or for machines. */
interface MuseumReport {

  /**
   * One exhibit.
   *
   * @param broken what its broken program came to; empty if no program can say it
   * @param visit everything that it promises; empty unless all of that was asked for
   * @param micros how long the broken program took to fail
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

    /** One word for how it went. */
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
