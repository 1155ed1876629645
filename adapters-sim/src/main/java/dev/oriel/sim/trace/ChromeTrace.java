package dev.oriel.sim.trace;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON in the Chrome trace event format, for Perfetto: a process for each rank, a thread for each
 * actor, a flow from each cause to its effect. {@code otherData} lists the omissions.
 */
final class ChromeTrace implements TracePicture {
  /** With more events viewers become slow. */
  static final int DEFAULT_LIMIT = 200_000;

  private final int limit;

  /** The picture of default size. */
  ChromeTrace() {
    this(DEFAULT_LIMIT);
  }

  /** A picture of at most {@code limit} events, unless the failure involves more. */
  ChromeTrace(int limit) {
    this.limit = limit;
  }

  @Override
  public void draw(TraceRecording recording, Appendable out) throws IOException {
    TraceExcerpt excerpt = new TraceExcerpt(recording, limit);
    JsonWriter json = new JsonWriter(out);
    json.open('{').member("displayTimeUnit", "ns").name("traceEvents").open('[');
    names(recording, json);
    new ChromeEvents(recording, excerpt.kept(), json).write();
    json.close(']').line().name("otherData").open('{');
    json.member("program", TerminalText.line(recording.program()))
        .member("world", TerminalText.line(recording.world()));
    json.member("token", TerminalText.line(recording.token()));
    if (recording.failure().isPresent()) {
      json.member("failure", TerminalText.lines(recording.failure().get().text()));
    }
    if (!excerpt.note().isEmpty()) {
      json.member("note", excerpt.note());
    }
    json.close('}').close('}');
    out.append('\n');
  }

  /** Processes count from 0; actors without a rank follow the ranks. */
  static int process(TraceRecording recording, TraceActor actor) {
    return actor.rank() != TraceActor.NO_RANK
        ? actor.rank()
        : 1 + recording.actors().stream().mapToInt(TraceActor::rank).max().orElse(0);
  }

  private static void names(TraceRecording recording, JsonWriter json) throws IOException {
    Map<Integer, String> processes = new TreeMap<>();
    for (TraceActor actor : recording.actors()) {
      String name = actor.rank() == TraceActor.NO_RANK ? "world" : "rank " + actor.rank();
      processes.put(process(recording, actor), name);
    }
    for (Map.Entry<Integer, String> process : processes.entrySet()) {
      int id = process.getKey();
      name(json, "process_name", id, 0).member("name", process.getValue()).close('}').close('}');
      name(json, "process_sort_index", id, 0).member("sort_index", id).close('}').close('}');
    }
    for (int i = 0; i < recording.actors().size(); i++) {
      TraceActor actor = recording.actors().get(i);
      int id = process(recording, actor);
      name(json, "thread_name", id, i + 1)
          .member("name", TerminalText.line(actor.label()))
          .close('}')
          .close('}');
      name(json, "thread_sort_index", id, i + 1).member("sort_index", i).close('}').close('}');
    }
  }

  private static JsonWriter name(JsonWriter json, String what, int process, int thread)
      throws IOException {
    json.line().open('{').member("ph", "M").member("name", what);
    return json.member("pid", process).member("tid", thread).name("args").open('{');
  }
}
