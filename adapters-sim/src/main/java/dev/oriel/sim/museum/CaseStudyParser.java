package dev.oriel.sim.museum;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads the file of an exhibit strictly: missing, unknown and repeated entries are refused. */
final class CaseStudyParser {
  private static final String RACE = Finding.Kind.RACE.word();
  private static final String DEADLOCK = Finding.Kind.DEADLOCK.word();

  private final CaseStudyHeader header;
  private final String text;

  private CaseStudyParser(String file, String text) {
    this.header = new CaseStudyHeader(file, text);
    this.text = text;
  }

  static CaseStudy read(String file, String text) {
    return new CaseStudyParser(file, text).exhibit();
  }

  private CaseStudy exhibit() {
    List<String> rows = header.words("rows");
    FailureFamily family =
        named("class", FailureFamily.values(), FailureFamily::word, header.one("class"));
    String source = header.one("source");
    String story = header.one("story");
    List<RequiredFeature> needs =
        header.words("needs").stream()
            .map(word ->
                named(
                    "needs",
                    RequiredFeature.values(),
                    need -> need.name().toLowerCase(Locale.ROOT),
                    word))
            .toList();
    boolean program = !header.has("not expressible");
    String reason = program ? header.one("missed", "") : header.one("not expressible");
    Optional<CaseStudyPrograms> showcase = program ? Optional.of(showcase()) : Optional.empty();
    header.end();
    return new CaseStudy(rows, family, source, story, needs, showcase, reason);
  }

  private CaseStudyPrograms showcase() {
    String world = header.one("world");
    Topology.parse(world);
    List<FeatureRemoval> without =
        header.all("without").stream().map(FeatureRemoval::parse).toList();
    without.forEach(words -> words.in(text));
    return new CaseStudyPrograms(
        world,
        Profile.parse(header.one("profile")),
        named("strategy", Strategy.values(), Strategy::spelling, header.one("strategy")),
        Integer.parseInt(header.one("launches", "1")),
        named(
            "timeouts",
            TimeoutPolicy.values(),
            TimeoutPolicy::spelling,
            header.one("timeouts", "never")),
        FaultPlan.parse(header.one("faults", "none")),
        alarm(),
        header.one("larger", ""),
        threads(),
        without,
        new ProgramRepair(text));
  }

  private boolean threads() {
    String[] known = {"none", "lanes"};
    String value = header.one("threads", known[0]);
    return named("threads", known, Function.identity(), value).equals(known[1]);
  }

  /**
   * A race has two accesses and an edge that would order them; a deadlock has the waiting lanes.
   */
  private ExpectedAlarm alarm() {
    String kind = header.one("finds");
    List<String> says = new ArrayList<>();
    if (kind.equals(RACE)) {
      List<String> sites = header.all("site");
      if (sites.size() != 2) {
        throw header.wrong("a race has two accesses", "site=" + sites.size(), "give both");
      }
      says.addAll(sites);
      says.add(header.one("edge"));
    } else {
      List<String> facts = header.all(kind.equals(DEADLOCK) ? "waits" : "says");
      if (facts.isEmpty()) {
        throw header.wrong("an alarm without a reason", "finds=" + kind, "give waits or says");
      }
      says.addAll(facts);
    }
    return new ExpectedAlarm(kind, says);
  }

  private <T> T named(String key, T[] all, Function<T, String> spelling, String value) {
    return Arrays.stream(all)
        .filter(each -> spelling.apply(each).equals(value.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> {
          List<String> known = Arrays.stream(all).map(spelling).toList();
          return header.wrong("unknown value", key + "=" + value, "use one of " + known);
        });
  }
}
