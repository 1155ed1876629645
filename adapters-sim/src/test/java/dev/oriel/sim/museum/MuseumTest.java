package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every failure is found for its own reason. Its repaired program, which is one small edit away,
 * passes.
 */
class MuseumTest {
  private static final CaseStudyCatalogue ALL = CaseStudyCatalogue.read();
  private static final int LINES = 6;
  private static long spent;

  static List<CaseStudy> exhibits() {
    return ALL.exhibits();
  }

  static Stream<CaseStudy> shown() {
    return ALL.exhibits().stream().filter(e -> e.showcase().isPresent());
  }

  @ParameterizedTest
  @MethodSource("shown")
  void failureIsFoundAndRepairedProgramPasses(CaseStudy exhibit) {
    long start = System.nanoTime();
    CaseStudyResult visit = CaseStudyReview.of(exhibit);
    spent += System.nanoTime() - start;
    if (exhibit.missed()) {
      System.out.printf("missed: %s: %s%n", exhibit.id(), exhibit.reason());
      assertThat(visit.complaints()).as("%s is found by now", exhibit.id()).isNotEmpty();
      return;
    }
    assertThat(visit.complaints()).as("%s: %s", exhibit.id(), visit.broken().message()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shown")
  void theRepairHoldsUnderEveryProfile(CaseStudy exhibit) {
    for (Profile profile : Profile.NAMED) {
      ProgramResult twin = new CaseStudyRunner(exhibit.showcase().orElseThrow()).twin(profile);
      assertThat(twin.passed()).as("%s %s %s", exhibit.id(), profile, twin.message()).isTrue();
      assertThat(twin.bounds()).as("%s %s", exhibit.id(), profile).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("shown")
  void repairIsOneSmallEdit(CaseStudy exhibit) {
    ProgramRepair edit = exhibit.showcase().orElseThrow().edit();
    assertThat(edit.size()).as(exhibit.id()).isBetween(1, LINES);
    assertThat(edit.places()).as(exhibit.id()).isLessThanOrEqualTo(2);
    assertThat(edit.twin()).as(exhibit.id()).isNotEqualTo(edit.broken());
  }

  @ParameterizedTest
  @MethodSource("exhibits")
  void tellsAStoryInTwoSentencesAndWhatItNeeds(CaseStudy exhibit) {
    assertThat(exhibit.story().split("[.] |[.]$", -1)).as(exhibit.id()).hasSize(3);
    assertThat(exhibit.needs().isEmpty()).isFalse();
  }

  @Test
  void everyRowOfTheCatalogueHasAnExhibit() {
    assertThat(ALL.unreadable()).isEmpty();
    assertThat(exhibits().stream().flatMap(e -> e.rows().stream()))
        .containsExactlyInAnyOrderElementsOf(RowsOfTheCatalogue.all());
  }

  @Test
  void someFailuresKeepTheirPlacesInALargerWorld() {
    assertThat(shown().filter(e -> !e.showcase().orElseThrow().larger().isEmpty()))
        .hasSizeGreaterThanOrEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("shown")
  void printedRepairedProgramParsesToItself(CaseStudy exhibit) {
    Form twin = FormParser.parse(exhibit.showcase().orElseThrow().edit().twin());
    assertThat(FormParser.parse(FormPrinter.print(twin))).isEqualTo(twin);
  }

  @AfterAll
  static void says() {
    long untold = ALL.exhibits().size() - shown().count();
    System.out.printf(
        "museum: exhibits=%d, not expressible=%d, ms=%d%n",
        ALL.exhibits().size(), untold, spent / 1_000_000);
  }
}
