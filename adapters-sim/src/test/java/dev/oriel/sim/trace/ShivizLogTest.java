package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

@SuppressWarnings("NullAway") // a missing member fails the test
class ShivizLogTest {

  /** An event as ShiViz parses it. */
  private record Parsed(String host, Map<String, Object> clock, String event) {
    double own() {
      return (Double) clock.get(host);
    }

    boolean knows(Parsed other) {
      return (Double) clock.getOrDefault(other.host, 0.0) >= other.own();
    }
  }

  /** Parses like ShiViz: the first line is the expression, for whole lines; the log is trimmed. */
  private static List<Parsed> parse(String log) {
    String[] parts = log.split("\n", 3);
    assertThat(parts[1]).isEmpty();
    // Java needs an escape before a literal brace, JavaScript does not.
    Pattern parser =
        Pattern.compile("^" + parts[0].replace("{.*}", "\\{.*\\}") + "$", Pattern.MULTILINE);
    List<Parsed> events = new ArrayList<>();
    Matcher found = parser.matcher(parts[2].strip());
    while (found.find()) {
      events.add(
          new Parsed(
              found.group("host"),
              JsonReader.object(JsonReader.read(found.group("clock"))),
              found.group("event")));
    }
    return events;
  }

  @Example
  void theFirstLineIsTheExpressionAndTheSecondIsEmpty() {
    String log = new ShivizLog().text(SampleTraces.race());
    assertThat(log).startsWith("(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n\n#  program: ");
    List<Parsed> events = parse(log);
    assertThat(events).hasSize(21);
    assertThat(events.get(2))
        .isEqualTo(
            new Parsed("r0.main", Map.of("r0.main", 1.0, "r0.caller", 2.0), "BEGIN #2 lane main"));
    assertThat(events.get(20).event()).startsWith("FAILURE READ #20 ");
  }

  @Property(tries = 100)
  void clocksGiveTheHappensBeforeOrder(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int count) {
    TraceRecording recording = SampleTraces.random(seed, count);
    List<Parsed> events = parse(new ShivizLog(count).text(recording));
    assertThat(events).hasSize(count);
    BitSet[] before = new BitSet[count];
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = 0; i < count; i++) {
      TraceEvent event = recording.events().get(i);
      before[i] = new BitSet();
      before[i].set(i);
      Integer own = last.put(event.actor(), i);
      if (own != null) {
        before[i].or(before[own]);
      }
      if (event.cause() >= 0) {
        before[i].or(before[event.cause()]);
      }
      for (int k = 0; k < count; k++) {
        if (k <= i) {
          assertThat(events.get(i).knows(events.get(k))).isEqualTo(before[i].get(k));
        } else {
          assertThat(events.get(i).knows(events.get(k))).isFalse();
        }
      }
    }
  }

  @Property(tries = 100)
  void aHostsTimeRisesByOneAcrossOmittedEvents(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int count) {
    Map<String, Double> times = new HashMap<>();
    String log = new ShivizLog(20).text(SampleTraces.random(seed, count));
    for (Parsed event : parse(log)) {
      assertThat(event.own()).isEqualTo(times.getOrDefault(event.host(), 0.0) + 1);
      times.put(event.host(), event.own());
    }
    assertThat(log.contains("#  note: left out")).isEqualTo(parse(log).size() < count);
  }

  @Example
  void hostileTextsAddNoEventAndNoHost() {
    List<Parsed> events = parse(new ShivizLog().text(SampleTraces.hostile()));
    assertThat(events).hasSize(3);
    assertThat(events).extracting(Parsed::host).doesNotHaveDuplicates();
    assertThat(events.get(2).clock()).hasSize(2);
  }
}
