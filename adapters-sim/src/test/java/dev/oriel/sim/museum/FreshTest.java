package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs without a report, broken in the same ways and each repaired by one edit: the detectors
 * find classes of mistakes, not only those in the museum. The broken program has a finding of its
 * class. The repaired one has none under any profile, in any order.
 */
class FreshTest {
  private static final Path FOLDER = Path.of("src/test/resources/fresh");
  private static final int LINES = 8;

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void brokenProgramHasAFindingOfItsClass(Path program) {
    CaseStudyPrograms showcase = read(program);
    ProgramResult broken = new CaseStudyRunner(showcase).broken();
    assertThat(broken.kind()).as(broken.message()).isEqualTo(showcase.alarm().kind());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void repairedProgramHasNoFinding(Path program) {
    CaseStudyPrograms showcase = read(program);
    assertThat(showcase.edit().size()).isBetween(1, LINES);
    for (Profile profile : Profile.NAMED) {
      ProgramResult twin = new CaseStudyRunner(showcase).twin(profile);
      assertThat(twin.passed()).as("%s: %s", profile.name(), twin.message()).isTrue();
      assertThat(twin.bounds()).as(profile.name()).isEmpty();
    }
  }

  private static CaseStudyPrograms read(Path program) {
    String text;
    try {
      text = Files.readString(program);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CaseStudyHeader header = new CaseStudyHeader(String.valueOf(program.getFileName()), text);
    assertThat(header.one("shows")).isNotEmpty();
    CaseStudyPrograms showcase =
        new CaseStudyPrograms(
            header.one("world"),
            Profile.parse(header.one("profile", "L2")),
            Strategy.SYNCHRONISATION,
            Integer.parseInt(header.one("launches", "1")),
            TimeoutPolicy.NEVER,
            FaultPlan.NONE,
            new ExpectedAlarm(header.one("finds"), List.of()),
            "",
            false,
            List.of(),
            new ProgramRepair(text));
    header.end();
    return showcase;
  }
}
