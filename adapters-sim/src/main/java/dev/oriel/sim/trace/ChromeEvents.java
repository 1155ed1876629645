package dev.oriel.sim.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Slices and flows of a Chrome trace. The slice of a lane or caller lasts until its next event. The
 * slice of a queue or fault is a point, because nothing is known to happen between its events.
 *
 * <p>Both ends of a flow directly follow the line of their slice: a viewer binds them to the slice
 * that began last on that thread. A flow has the number of its effect.
 */
final class ChromeEvents {
  private final TraceRecording recording;
  private final BitSet kept;
  private final BitSet failing;
  private final JsonWriter json;
  private final int[] processes;

  ChromeEvents(TraceRecording recording, BitSet kept, JsonWriter json) {
    this.recording = recording;
    this.kept = kept;
    this.json = json;
    failing = TraceExcerpt.failing(recording);
    processes =
        recording.actors().stream()
            .mapToInt(actor -> ChromeTrace.process(recording, actor))
            .toArray();
  }

  void write() throws IOException {
    Map<Integer, List<Integer>> effects = new HashMap<>();
    kept.stream()
        .filter(this::flows)
        .forEach(i -> effects.computeIfAbsent(event(i).cause(), c -> new ArrayList<>()).add(i));
    long[] lengths = lengths();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      slice(i, lengths[i]);
      if (flows(i)) {
        begin("f", event(i)).member("bp", "e");
        flow(i);
      }
      for (int effect : effects.getOrDefault(i, List.of())) {
        begin("s", event(i));
        flow(effect);
      }
    }
  }

  private TraceEvent event(int index) {
    return recording.events().get(index);
  }

  private boolean flows(int index) {
    int cause = event(index).cause();
    return cause >= 0 && kept.get(cause);
  }

  private void slice(int index, long length) throws IOException {
    TraceEvent event = event(index);
    begin("X", event).name("dur").micros(length);
    json.member(
        "name", event.text().isEmpty() ? event.kind().name() : TerminalText.line(event.text()));
    json.member("cat", failing.get(index) ? event.kind() + ",FAILURE" : event.kind().name());
    if (failing.get(index)) {
      json.member("cname", "terrible");
    }
    json.name("args").open('{').member("event", index + 1).member("launch", event.launch());
    json.member("kind", event.kind().meaning())
        .member("detail", TerminalText.lines(String.join("\n", recording.facts(event))));
    json.close('}').close('}');
  }

  private void flow(int effect) throws IOException {
    json.member("id", effect).member("name", "cause").member("cat", "cause").close('}');
  }

  private JsonWriter begin(String phase, TraceEvent event) throws IOException {
    json.line().open('{').member("ph", phase);
    json.member("pid", processes[event.actor()]).member("tid", event.actor() + 1);
    return json.name("ts").micros(event.time());
  }

  /**
   * No slice extends beyond the start of its thread's next one; otherwise slices of one thread
   * would nest.
   */
  private long[] lengths() {
    long[] lengths = new long[recording.events().size()];
    long[] next = new long[recording.actors().size()];
    for (int i = lengths.length - 1; i >= 0; i--) {
      TraceEvent event = event(i);
      ActorRole role = recording.actor(event).role();
      boolean last = next[event.actor()] == 0; // holds the time plus one, 0 before any
      long until = last ? 1 : next[event.actor()] - 1 - event.time();
      lengths[i] = role == ActorRole.LANE || role == ActorRole.CALLER ? until : Math.min(1, until);
      next[event.actor()] = event.time() + 1;
    }
    return lengths;
  }
}
