package dev.oriel.sim.trace;

import static dev.oriel.sim.trace.JsonReader.array;
import static dev.oriel.sim.trace.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

@SuppressWarnings("NullAway") // a missing member fails the test
class ChromeTraceTest {

  private static Map<String, Object> trace(TraceRecording recording, int limit) {
    return object(JsonReader.read(new ChromeTrace(limit).text(recording)));
  }

  private static List<Map<String, Object>> events(Map<String, Object> trace, String phase) {
    return array(trace.get("traceEvents")).stream()
        .map(JsonReader::object)
        .filter(event -> event.get("ph").equals(phase))
        .toList();
  }

  @Example
  void ranksAreProcessesAndActorsAreThreads() {
    Map<String, Object> trace = trace(SampleTraces.race(), 100);
    assertThat(events(trace, "M"))
        .contains(
            Map.of(
                "ph",
                "M",
                "name",
                "process_name",
                "pid",
                1.0,
                "tid",
                0.0,
                "args",
                Map.of("name", "rank 1")))
        .contains(
            Map.of(
                "ph",
                "M",
                "name",
                "thread_name",
                "pid",
                1.0,
                "tid",
                4.0,
                "args",
                Map.of("name", "main")));
    assertThat(events(trace, "X")).hasSize(21);
    assertThat(object(trace.get("otherData")))
        .containsEntry("program", "handshake")
        .doesNotContainKey("note");
  }

  @Example
  void failingEventsHaveACategoryOfTheirOwn() {
    assertThat(events(trace(SampleTraces.race(), 100), "X"))
        .filteredOn(event -> event.get("cat").toString().endsWith(",FAILURE"))
        .extracting(event -> object(event.get("args")).get("event"))
        .containsExactly(15.0, 21.0);
  }

  @Property(tries = 100)
  void everyFlowBeginsAtItsCauseAndEndsAtItsEffect(
      @ForAll long seed, @ForAll @IntRange(max = 150) int count) {
    TraceRecording recording = SampleTraces.random(seed, count);
    Map<String, Object> trace = trace(recording, 80);
    Map<Double, Integer> began = new HashMap<>();
    int last = -1;
    int ended = 0;
    for (Object entry : array(trace.get("traceEvents"))) {
      Map<String, Object> event = object(entry);
      switch (event.get("ph").toString()) {
        case "X" -> last = ((Double) object(event.get("args")).get("event")).intValue() - 1;
        case "s" -> assertThat(began.put((Double) event.get("id"), last)).isNull();
        case "f" -> {
          assertThat(event).containsEntry("id", (double) last).containsEntry("bp", "e");
          assertThat(began.get((double) last)).isEqualTo(recording.events().get(last).cause());
          ended++;
        }
        default -> assertThat(event).containsEntry("ph", "M");
      }
    }
    assertThat(ended).isEqualTo(began.size());
  }

  @Property(tries = 100)
  void slicesOfAThreadDoNotOverlap(@ForAll long seed, @ForAll @IntRange(max = 150) int count) {
    Map<Object, Double> ends = new HashMap<>();
    for (Map<String, Object> slice : events(trace(SampleTraces.random(seed, count), 80), "X")) {
      double begin = (Double) slice.get("ts");
      double end = ends.getOrDefault(slice.get("tid"), 0.0);
      assertThat(begin).isGreaterThanOrEqualTo(end - 1e-9);
      ends.put(slice.get("tid"), begin + (Double) slice.get("dur"));
    }
  }

  @Example
  void reportsOmittedEvents() {
    Map<String, Object> trace = trace(SampleTraces.ring(16, true), 50);
    assertThat(events(trace, "X")).hasSize(50);
    assertThat(object(trace.get("otherData")).get("note").toString()).contains("of 614 events");
  }

  @Example
  void survivesHostileTexts() {
    assertThat(events(trace(SampleTraces.hostile(), 50), "X")).hasSize(3);
  }
}
