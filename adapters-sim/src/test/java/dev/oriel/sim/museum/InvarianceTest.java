package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.machine.finding.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other names, twice the sizes and more ranks change neither the finding nor its places. */
class InvarianceTest {
  private static final Pattern SIZE = Pattern.compile("\\b(8|16|24|32|64)\\b");
  private static final Pattern RANK =
      Pattern.compile("\\b(rank|owner|source|from|peer|sender|receiver)[= ]\\d+");
  private static final Pattern WORD =
      Pattern.compile("signal=\\S+, owner=\\*, source=\\*|buffer=\\S+, owner=\\*, byte=\\d+");
  private static final String DECLARED = "(?m)^(?:--\\+ )?";
  private static final Pattern LANE = Pattern.compile(DECLARED + "lane (\\w+)");
  private static final Pattern SIGNAL = Pattern.compile(DECLARED + "signal (\\w+)\\[");

  private static final Pattern DECLARATION =
      Pattern.compile("(window|scratch|signal|barrier|input|output|inout) [^-]*\n");

  /** The number of exhibits whose declarations were reordered. */
  private static final Map<Boolean, Integer> TURNED = new HashMap<>();

  /** Exhibits in which such numbers are not sizes. */
  private static final Map<String, String> COUNTS =
      Map.of("B54", "with twice the blocks the counter runs over in another launch");

  /** Exhibits in which one more GPU changes the case. */
  private static final Map<String, String> WORLDS = Map.of("B08", "1x5");

  /** Exhibits whose program needs exactly that number of ranks. */
  private static final Map<String, String> FIXED =
      Map.of("22", "a vote of two, each the other's peer", "L13", "two ranks, each other's peer");

  static Stream<String> shown() {
    return CaseStudyCatalogue.read().exhibits().stream()
        .filter(e -> e.showcase().isPresent())
        .map(CaseStudy::id);
  }

  static Stream<String> withSizes() {
    return shown().filter(id -> !COUNTS.containsKey(id));
  }

  static Stream<String> ofMoreRanks() {
    return shown().filter(id -> !FIXED.containsKey(id));
  }

  private static void keeps(String id, String text) {
    assertThat(CaseStudyReview.of(CaseStudyParser.read(id, text)).complaints()).as(id).isEmpty();
  }

  private static Set<String> names(Pattern declared, String text) {
    return new TreeSet<>(declared.matcher(text).results().map(m -> m.group(1)).toList());
  }

  @ParameterizedTest
  @MethodSource("shown")
  void otherNamesOfSlotsAndLanesGiveTheSameAlarm(String id) {
    String text = CaseStudyFixtures.text(id);
    for (String lane : names(LANE, text)) {
      text =
          text.replaceAll(
              "\\b(lane |join |lane=|M\\d+: |=> )%s\\b".formatted(lane), "$1" + lane + "_too");
    }
    for (String signal : names(SIGNAL, text)) {
      text = text.replaceAll("\\b%s\\b".formatted(signal), signal + "_too");
    }
    keeps(id, text);
  }

  /** Reverses adjacent lines that declare memory, slots or barriers. */
  @ParameterizedTest
  @MethodSource("shown")
  void declarationsInAnotherOrderGiveTheSameAlarm(String id) {
    String text = CaseStudyFixtures.text(id);
    StringBuilder turned = new StringBuilder();
    List<String> block = new ArrayList<>();
    for (String line : text.split("(?<=\n)", -1)) {
      if (DECLARATION.matcher(line).matches()) {
        block.addFirst(line);
      } else {
        block.forEach(turned::append);
        block.clear();
        turned.append(line);
      }
    }
    keeps(id, turned.toString());
    TURNED.merge(!turned.toString().equals(text), 1, Integer::sum);
  }

  @AfterAll
  static void mostExhibitsDeclareSeveralThings() {
    System.out.printf("exhibits with other orders of declarations: %s%n", TURNED);
    assertThat(TURNED.isEmpty() || TURNED.getOrDefault(true, 0) > 50).isTrue();
  }

  /** Bounds of a region in binding's message are arithmetic, and ignored. */
  @ParameterizedTest
  @MethodSource("withSizes")
  void twiceTheSizesGiveTheSameAlarm(String id) {
    String text = CaseStudyFixtures.text(id).replaceAll("(?s), low=.*?(?=\n-- \\w)", "");
    keeps(
        id,
        SIZE.matcher(text)
            .replaceAll(m -> Integer.toString(2 * Integer.parseInt(m.group())))
            .replace("sm(64)", "sm(32)"));
  }

  /**
   * The same operations of the same lanes, at any ranks; for an overwrite the same slot, whether
   * its reader comes before or after.
   */
  @ParameterizedTest
  @MethodSource("ofMoreRanks")
  void moreRanksGiveTheSameAlarm(String id) {
    CaseStudyPrograms showcase = CaseStudyFixtures.showcase(id);
    RunConditions conditions = showcase.conditions();
    RunConditions more = conditions.in(WORLDS.getOrDefault(id, conditions.larger()));
    ProgramResult shown = new CaseStudyRunner(showcase).broken(more);
    assertThat(shown.kind()).as("%s: %s", id, shown.message()).isEqualTo(showcase.alarm().kind());
    showcase.alarm().says().stream()
        .filter(fact -> !fact.startsWith("cycle: "))
        .forEach(fact ->
            assertThat(anyRank(shown.message()))
                .as("%s in %s", id, more.world())
                .contains(place(showcase.alarm().kind(), anyRank(fact))));
  }

  private static String anyRank(String text) {
    return RANK.matcher(text).replaceAll("$1=*");
  }

  private static String place(String kind, String fact) {
    Matcher word = WORD.matcher(fact);
    return kind.equals(Finding.Kind.OVERWRITE.word()) && word.find() ? word.group() : fact;
  }

  @Test
  void reportsOmittedExhibitsWithReasons() {
    COUNTS.forEach((id, why) -> System.out.printf("sizes not doubled: %s: %s%n", id, why));
    FIXED.forEach((id, why) -> System.out.printf("no rank added: %s: %s%n", id, why));
    assertThat(shown())
        .containsAll(COUNTS.keySet())
        .containsAll(WORLDS.keySet())
        .containsAll(FIXED.keySet());
  }
}
