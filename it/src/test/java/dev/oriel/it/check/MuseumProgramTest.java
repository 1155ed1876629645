package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.CaseStudyPrograms;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code museum:ROW} is checked under the conditions under which its failure shows. */
class MuseumProgramTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  static List<String> exhibits() {
    return CaseStudyCatalogue.read().exhibits().stream()
        .filter(exhibit -> exhibit.showcase().isPresent() && !exhibit.missed())
        .map(CaseStudy::id)
        .toList();
  }

  private static CaseStudyPrograms showcase(String id) {
    return CaseStudyCatalogue.read().find(id).flatMap(CaseStudy::showcase).orElseThrow();
  }

  @ParameterizedTest
  @Sampled(every = 6)
  @MethodSource("exhibits")
  void theBrokenProgramFailsAndTheRepairedOneHolds(String id) {
    int broken = oriel("check", "museum:" + id, "--no-shrink");
    boolean refused = showcase(id).alarm().kind().equals("refused");
    assertThat(broken).isEqualTo(refused ? ExitCodes.WRONG_USE : ExitCodes.VIOLATION);
    int repaired = oriel("check", "museum:" + id + "/twin", "--no-shrink");
    assertThat(out.toString() + err).satisfies(_ -> assertThat(repaired).isZero());
  }

  @Test
  void theWorldTheProfileAndTheLaunchesAreThoseOfTheExhibit() {
    assertThat(oriel("check", "museum:B28")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .contains(
            "world          3x1: ", "1 execution of 1 launch", "memory rules: rdma-multirail");
  }

  /** What the user says comes first. */
  @ParameterizedTest
  @CsvSource({
    "--world 1x3, world          1x3: ",
    "--profile L2, memory rules: L2",
    "--launches 2, of 2 launches"
  })
  void optionsTakePrecedence(String options, String message) {
    String line = "check museum:B28 --no-shrink " + options;
    assertThat(oriel(line.split(" ", -1))).isLessThan(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains(message.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run museum:B28/twin",
        "sim museum:B28/twin --word x=7",
        "explain museum:B28 --json"
      })
  void otherCommandsTakeItsWorld(String line) {
    assertThat(oriel(line.split(" ", -1))).isZero();
    assertThat(out.toString()).contains("3x1");
  }
}
