package dev.oriel.sim.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol by which a GPU's threads and an interface share a queue, explored as programs: every
 * order of synchronisation, with races found. The programs mirror the reads and writes of the
 * adapter for verbs. They are here since adapters do not depend on each other, and since the memory
 * model must show which fence is missing.
 */
class IndexProtocolTest {
  private static final Path FOLDER = Path.of("src/test/resources/nic");
  private static final Budget BUDGET = new Budget(1, 5_000_000, 100_000_000, 20_000_000_000L);
  private static final Topology ALONE = Topology.parse("1x1");

  private static String text(String name) {
    try {
      return Files.readString(FOLDER.resolve(name + ".oriel"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Verdict verdict(
      String text, Map<String, Long> params, Profile profile, Strategy strategy, int launches) {
    Program program = Program.bind(FormParser.parse(text), 1, params);
    return new Checker(strategy, BUDGET, 1, Checker.strict(profile, launches))
        .check(program, ALONE);
  }

  private static Map<String, Long> queue(long submitters, long each, long slots, long bits) {
    return new TreeMap<>(Map.of("S", submitters, "K", each, "D", slots, "W", bits));
  }

  private static void holds(
      String name, Map<String, Long> params, Profile profile, Strategy strategy, int launches) {
    Verdict verdict = verdict(text(name), params, profile, strategy, launches);
    System.out.printf(
        "%s %s %s, launches=%d, %s: %d executions, %d states, bounds %s%n",
        name,
        params,
        profile.name(),
        launches,
        strategy.spelling(),
        verdict.executions(),
        verdict.states(),
        verdict.bounds());
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
  }

  /**
   * Submitters, elements of each, slots, bits of a count, launches. The fifth and the last wrap
   * around.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 2, 2, 1",
    "2, 2, 1, 3, 1",
    "2, 2, 2, 3, 1",
    "3, 1, 2, 3, 1",
    "2, 1, 1, 2, 3",
    "2, 1, 2, 2, 3"
  })
  @Sampled(every = 4)
  void submittersShareAQueue(long submitters, long each, long slots, long bits, int launches) {
    Map<String, Long> queue = queue(submitters, each, slots, bits);
    for (Profile profile : List.of(Profile.L1, Profile.L2, Profile.L3)) {
      holds("index_protocol", queue, profile, Strategy.SYNCHRONISATION, launches);
    }
  }

  /** The same if all share one full count of completed elements, as kernels do. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1, 2, L1", "2, 1, 1, 2, L3", "3, 1, 2, 2, L2", "2, 2, 1, 2, L2"})
  @Sampled(every = 3)
  void submittersShareTheCountOfCompletedElements(
      long submitters, long each, long slots, long bits, String profile) {
    Map<String, Long> queue = queue(submitters, each, slots, bits);
    holds("shared_count", queue, Profile.parse(profile), Strategy.SYNCHRONISATION, 1);
  }

  /** Every order of every step as well, if the program is small enough. */
  @ParameterizedTest
  @CsvSource({"1, 2, 1, 2, 1", "2, 1, 1, 2, 1"})
  void fullSearchFindsNothingElse(long submitters, long each, long slots, long bits, int launches) {
    Map<String, Long> queue = queue(submitters, each, slots, bits);
    holds("index_protocol", queue, Profile.L2, Strategy.FULL, launches);
  }

  /** The same for larger parameters: takes minutes, on request only. */
  @ParameterizedTest
  @CsvSource({"4, 1, 2, 3, 1", "4, 1, 4, 3, 1", "2, 3, 2, 4, 1", "3, 1, 2, 3, 2", "2, 2, 2, 3, 2"})
  @EnabledIfSystemProperty(
      named = "oriel.nic",
      matches = "full",
      disabledReason = "takes minutes; ask for it by -Doriel.nic=full")
  void moreSubmittersShareAQueue(long submitters, long each, long slots, long bits, int launches) {
    Map<String, Long> queue = queue(submitters, each, slots, bits);
    holds("index_protocol", queue, Profile.L2, Strategy.SYNCHRONISATION, launches);
  }

  /** The number of threads, and of puts per thread. */
  @ParameterizedTest
  @CsvSource({"1, 3, L2", "2, 1, L1", "2, 2, L2", "2, 2, L3", "3, 1, L2"})
  @Sampled(every = 3)
  void sourceIsReusableOnceCountIsSeen(long submitters, long each, String profile) {
    holds(
        "counted_puts",
        Map.of("S", submitters, "K", each),
        Profile.parse(profile),
        Strategy.SYNCHRONISATION,
        1);
  }

  @ParameterizedTest
  @CsvSource({"8, 1", "8, 2", "7, 3", "7, 4"})
  void pollerRecognisesCompletionsByTheirOwnerBits(long reports, long places) {
    for (Profile profile : List.of(Profile.L1, Profile.L2, Profile.L3)) {
      holds(
          "completion_ring",
          Map.of("N", reports, "C", places),
          profile,
          Strategy.SYNCHRONISATION,
          2);
    }
  }

  /**
   * A mistake, and its finding.
   *
   * @param lines the lines to replace, each of which occurs once
   * @param by the replacements
   * @param kind the kind of the finding
   * @param says a part of its message
   */
  record Mistake(
      String what,
      String program,
      List<String> lines,
      List<String> by,
      Map<String, Long> params,
      int launches,
      String kind,
      String says) {
    String text() {
      String text = IndexProtocolTest.text(program);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        assertThat(text.indexOf(line)).as(line).isNotNegative().isEqualTo(text.lastIndexOf(line));
        text = text.replace(line, by.get(i));
      }
      return text;
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static Mistake posting(String what, String line, String by, String kind, String says) {
    return posting(what, List.of(line), List.of(by), 1, kind, says);
  }

  private static Mistake posting(
      String what, List<String> lines, List<String> by, int launches, String kind, String says) {
    return new Mistake(what, "index_protocol", lines, by, queue(2, 2, 2, 3), launches, kind, says);
  }

  private static Mistake polling(String what, String line, String by, String kind, String says) {
    return new Mistake(
        what,
        "completion_ring",
        List.of(line),
        List.of(by),
        Map.of("N", 5L, "C", 2L),
        1,
        kind,
        says);
  }

  private static Mistake counting(String what, String line, String by) {
    Map<String, Long> params = Map.of("S", 2L, "K", 2L);
    return new Mistake(what, "counted_puts", List.of(line), List.of(by), params, 1, "race", "src");
  }

  static List<Mistake> mistakes() {
    String publish = "store ready[0] <- at + 1 release";
    String record = "store record[0] <- head % (1 << W) release";
    String bell = "store bell[0] <- head release";
    String next = "\n      ";
    String room = "wait done[0] reached (at - D + 1) << (64 - W) acquire";
    String quiet = "wait done[0] reached (at + 1) << (64 - W) acquire";
    String done = "store done[0] <- fetched << (64 - W) release";
    String owner = "store owner[8 * (sent % C)] <- 1 - sent / C % 2 release";
    return List.of(
        posting(
            "it rings before its element is published: for all that is reserved",
            "load head <- ready[0] acquire",
            "load head <- reserved[0] acquire",
            "race",
            "ring"),
        posting("publishing out of order", "wait ready[0] == at acquire", "sync", "race", "ring"),
        posting(
            "a record with too few bits",
            record,
            "store record[0] <- head % D release",
            "race",
            "ring"),
        posting(
            "the record after the doorbell",
            record + next + bell,
            bell + next + record,
            "deadlock",
            "bell"),
        posting(
            "no fence between element and record",
            record,
            record.replace("release", "relaxed"),
            "race",
            "ring"),
        posting(
            "no fence between record and doorbell",
            bell,
            bell.replace("release", "relaxed"),
            "deadlock",
            "bell"),
        posting(
            "no fence between element and publishing",
            publish,
            publish.replace("release", "relaxed"),
            "race",
            "ring"),
        posting(
            "who rings does not acquire what others published",
            "load head <- ready[0] acquire",
            "load head <- ready[0] relaxed",
            "race",
            "ring"),
        posting("a slot filled again before its element is done", room, "sync", "race", "ring"),
        posting(
            "a slot filled again without acquiring that its element is done",
            room,
            room.replace("acquire", "relaxed"),
            "race",
            "ring"),
        posting(
            "room counted one too far",
            room,
            "wait done[0] reached (at - D) << (64 - W) acquire",
            "race",
            "ring"),
        posting(
            "no lock around record and doorbell",
            List.of("    lock guard[0]", "unlock guard[0]"),
            List.of("    sync", "sync"),
            1,
            "race",
            "rung"),
        posting(
            "a result taken without acquiring its completion",
            quiet,
            quiet.replace("acquire", "relaxed"),
            "race",
            "box"),
        posting(
            "a completion that releases nothing",
            done,
            done.replace("release", "relaxed"),
            "race",
            "ring"),
        posting(
            "counts compared without their wrap",
            List.of(quiet),
            List.of(quiet.replace("reached", ">=")),
            3,
            "race",
            "box"),
        new Mistake(
            "more completions than half of the count while a thread sleeps",
            "index_protocol",
            List.of(),
            List.of(),
            queue(2, 2, 2, 2),
            1,
            "overwrite",
            "done"),
        new Mistake(
            "a shared count that is raised without what was acquired",
            "shared_count",
            List.of("          order sys"),
            List.of("          sync"),
            queue(2, 2, 2, 2),
            1,
            "race",
            "ring"),
        new Mistake(
            "a shared count that is taken without acquiring",
            "shared_count",
            List.of("load base <- shared_done[0] acquire", "load now <- shared_done[0] acquire"),
            List.of("load base <- shared_done[0] relaxed", "load now <- shared_done[0] relaxed"),
            queue(2, 2, 2, 2),
            1,
            "race",
            "ring"),
        counting(
            "a companion that does not wait",
            "wait done[0] reached asked / 8 acquire",
            "load ignored <- done[0] acquire"),
        counting(
            "a companion that waits for one less", "asked / 8 acquire", "asked / 8 - 1 acquire"),
        counting(
            "a companion that waits for one element, whichever it is",
            "asked / 8 acquire",
            "1 acquire"),
        counting(
            "a count asked for before its put is published", "<- 8 * last + s", "<- 8 * mine + s"),
        counting(
            "a completion that releases nothing to the companion",
            "store done[0] <- e + 1 release",
            "store done[0] <- e + 1 relaxed"),
        counting(
            "a companion that does not acquire what is done",
            "asked / 8 acquire",
            "asked / 8 relaxed"),
        counting("a count that releases nothing", "before + 1 release", "before + 1 relaxed"),
        counting(
            "a count that is taken without acquiring",
            "wait counted[8 * s] reached k + 1 acquire",
            "wait counted[8 * s] reached k + 1 relaxed"),
        polling(
            "an owner bit that is never toggled",
            owner,
            "store owner[8 * (sent % C)] <- 1 release",
            "deadlock",
            "owner"),
        polling(
            "an owner bit toggled every second round",
            owner,
            "store owner[8 * (sent % C)] <- 1 - sent / (2 * C) % 2 release",
            "deadlock",
            "owner"),
        polling(
            "a poller that expects one owner bit",
            "wait owner[8 * (taken % C)] == 1 - taken / C % 2 acquire",
            "wait owner[8 * (taken % C)] == 1 acquire",
            "overwrite",
            "owner"),
        polling(
            "an owner bit without release",
            owner,
            owner.replace("release", "relaxed"),
            "race",
            "element"),
        polling("a poller without acquire", "% 2 acquire", "% 2 relaxed", "race", "element"),
        polling(
            "a place written again before it was read",
            "wait consumed[0] reached sent - C + 1 acquire",
            "sync",
            "race",
            "element"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeHasItsFinding(Mistake mistake) {
    Verdict verdict =
        verdict(
            mistake.text(),
            mistake.params(),
            Profile.L2,
            Strategy.SYNCHRONISATION,
            mistake.launches());
    assertThat(verdict.violation()).isPresent();
    Violation violation = verdict.violation().orElseThrow();
    System.out.printf("%s: %s after %d states%n", mistake, violation.kind(), verdict.states());
    assertThat(violation.kind()).as(violation.message()).isEqualTo(mistake.kind());
    assertThat(violation.message()).contains(mistake.says());
  }
}
