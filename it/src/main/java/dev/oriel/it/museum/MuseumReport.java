package dev.oriel.it.museum;

import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyResult;
import dev.oriel.sim.museum.CaseStudyReview;
import dev.oriel.sim.museum.ProgramResult;
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
      CaseStudy exhibit,
      Optional<ProgramResult> broken,
      Optional<CaseStudyResult> visit,
      List<String> complaints,
      long micros) {

    static Line of(CaseStudy exhibit, boolean everything) {
      long start = System.nanoTime();
      Optional<ProgramResult> broken = exhibit.showcase().map(CaseStudyReview::broken);
      long micros = (System.nanoTime() - start) / 1000;
      Optional<CaseStudyResult> visit =
          everything && broken.isPresent()
              ? Optional.of(CaseStudyReview.of(exhibit))
              : Optional.empty();
      List<String> complaints =
          visit
              .map(CaseStudyResult::complaints)
              .or(() -> broken.map(shown -> CaseStudyReview.judge(exhibit, shown)))
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
