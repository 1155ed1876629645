package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If reports have a new wording of the same finding, {@code -Doriel.golden=write} writes it into
 * the exhibits. Read the difference: another place is another reason.
 */
class RewordingTest {

  static Stream<CaseStudy> shown() {
    return CaseStudyCatalogue.read().exhibits().stream().filter(e -> e.showcase().isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"B27", "B35", "B39", "B100", "B45", "L04"})
  void generatedLinesMatchTheFinding(String id) {
    List<String> lines = AlarmLines.of(CaseStudyReview.broken(CaseStudyFixtures.showcase(id)));
    String rewritten = AlarmLines.put(CaseStudyFixtures.text(id), lines);
    assertThat(CaseStudyReview.of(CaseStudyParser.read(id, rewritten)).complaints()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shown")
  @EnabledIfSystemProperty(named = "oriel.golden", matches = "write")
  void writesNewWordingOfTheSameDetector(CaseStudy exhibit) throws IOException {
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    ProgramResult broken = CaseStudyReview.broken(showcase);
    if (broken.kind().equals(showcase.alarm().kind())
        && !CaseStudyReview.judge(exhibit, broken).isEmpty()) {
      Files.writeString(
          CaseStudyFixtures.file(exhibit.id()),
          AlarmLines.put(showcase.edit().broken(), AlarmLines.of(broken)));
    }
  }
}
