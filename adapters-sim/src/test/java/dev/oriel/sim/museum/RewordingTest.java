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

  static Stream<Exhibit> shown() {
    return Catalogue.read().exhibits().stream().filter(e -> e.showcase().isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"B27", "B35", "B39", "B100", "B45", "L04"})
  void generatedLinesMatchTheFinding(String id) {
    List<String> lines = AlarmLines.of(Tour.broken(Exhibits.showcase(id)));
    String rewritten = AlarmLines.put(Exhibits.text(id), lines);
    assertThat(Tour.of(ExhibitText.read(id, rewritten)).complaints()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shown")
  @EnabledIfSystemProperty(named = "oriel.golden", matches = "write")
  void writesNewWordingOfTheSameDetector(Exhibit exhibit) throws IOException {
    Showcase showcase = exhibit.showcase().orElseThrow();
    Shown broken = Tour.broken(showcase);
    if (broken.kind().equals(showcase.alarm().kind()) && !Tour.judge(exhibit, broken).isEmpty()) {
      Files.writeString(
          Exhibits.file(exhibit.id()),
          AlarmLines.put(showcase.edit().broken(), AlarmLines.of(broken)));
    }
  }
}
