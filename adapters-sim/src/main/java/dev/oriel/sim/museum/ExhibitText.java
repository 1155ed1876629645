package dev.oriel.sim.museum;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Reads the file of an exhibit strictly: missing, unknown and repeated entries are refused. */
final class ExhibitText {
  private static final String RACE = Finding.Kind.RACE.word();
  private static final String DEADLOCK = Finding.Kind.DEADLOCK.word();

  private final Header header;
  private final String text;

  private ExhibitText(String file, String text) {
    this.header = new Header(file, text);
    this.text = text;
  }

  static Exhibit read(String file, String text) {
    return new ExhibitText(file, text).exhibit();
  }

  private Exhibit exhibit() {
    List<String> rows = header.words("rows");
    Family family = named("class", Family.values(), Family::word, header.one("class"));
    String source = header.one("source");
    String story = header.one("story");
    List<Need> needs =
        header.words("needs").stream()
            .map(word ->
                named("needs", Need.values(), need -> need.name().toLowerCase(Locale.ROOT), word))
            .toList();
    boolean program = !header.has("not expressible");
    String reason = program ? header.one("missed", "") : header.one("not expressible");
    Optional<Showcase> showcase = program ? Optional.of(showcase()) : Optional.empty();
    header.end();
    return new Exhibit(rows, family, source, story, needs, showcase, reason);
  }

  private Showcase showcase() {
    String world = header.one("world");
    Topology.parse(world);
    List<Without> without = header.all("without").stream().map(Without::parse).toList();
    without.forEach(words -> words.in(text));
    return new Showcase(
        world,
        Profile.parse(header.one("profile")),
        named("strategy", Strategy.values(), Strategy::spelling, header.one("strategy")),
        Integer.parseInt(header.one("launches", "1")),
        named("timeouts", Timeouts.values(), Timeouts::spelling, header.one("timeouts", "never")),
        FaultPlan.parse(header.one("faults", "none")),
        alarm(),
        header.one("larger", ""),
        threads(),
        without,
        new Edit(text));
  }

  private boolean threads() {
    String[] known = {"none", "lanes"};
    String value = header.one("threads", known[0]);
    return named("threads", known, Function.identity(), value).equals(known[1]);
  }

  /**
   * A race has two accesses and an edge that would order them; a deadlock has the waiting lanes.
   */
  private Alarm alarm() {
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
    return new Alarm(kind, says);
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
