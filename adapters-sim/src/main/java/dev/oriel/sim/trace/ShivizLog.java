package dev.oriel.sim.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A log with vector clocks for ShiViz. Its first line is the regular expression that ShiViz parses
 * it with, the second is the empty delimiter of executions; ShiViz takes both from an uploaded
 * file.
 *
 * <p>Lines that begin with a hash and two spaces never match that expression, so they are notes.
 */
final class ShivizLog implements TracePicture {
  /** The expression with which ShiViz parses the log. */
  static final String PARSER = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)";

  /** With more events ShiViz becomes slow. */
  static final int DEFAULT_LIMIT = 3_000;

  private static final String NOTE = "#  ";

  private final int limit;

  /** The log of default size. */
  ShivizLog() {
    this(DEFAULT_LIMIT);
  }

  /** A log of at most {@code limit} events, unless the failure involves more. */
  ShivizLog(int limit) {
    this.limit = limit;
  }

  @Override
  public void draw(TraceRecording recording, Appendable out) throws IOException {
    TraceExcerpt excerpt = new TraceExcerpt(recording, limit);
    out.append(PARSER).append("\n\n");
    note(out, "program", recording.program());
    note(out, "world", recording.world());
    if (recording.failure().isPresent()) {
      note(out, "failure", recording.failure().get().text());
    }
    note(out, "token", recording.token());
    note(out, "note", excerpt.note());
    List<String> hosts = hosts(recording);
    BitSet kept = excerpt.kept();
    BitSet failing = TraceExcerpt.failing(recording);
    VectorClocks clocks = new VectorClocks(recording, kept);
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      TraceEvent event = recording.events().get(i);
      out.append(hosts.get(event.actor())).append(' ');
      clock(hosts, clocks.next(i), out);
      out.append(failing.get(i) ? "FAILURE " : "").append(event.kind().name());
      out.append(" #" + i + " " + TerminalText.line(event.text())).append('\n');
    }
  }

  private static void note(Appendable out, String name, String text) throws IOException {
    if (!text.isEmpty()) {
      out.append(NOTE).append(name).append(": ").append(TerminalText.line(text)).append('\n');
    }
  }

  /** Components of actors without events so far are omitted, as ShiViz requires. */
  private static void clock(List<String> hosts, int[] clock, Appendable out) throws IOException {
    JsonWriter json = new JsonWriter(out);
    json.open('{');
    for (int i = 0; i < clock.length; i++) {
      if (clock[i] > 0) {
        json.member(hosts.get(i), clock[i]);
      }
    }
    json.close('}');
    out.append('\n');
  }

  /** Unique names without spaces. */
  private static List<String> hosts(TraceRecording recording) {
    List<String> hosts = new ArrayList<>();
    for (TraceActor actor : recording.actors()) {
      String name = actor.name().replaceAll("[\\s{}\\\\\"]", "_");
      hosts.add(hosts.contains(name) ? name + "#" + hosts.size() : name);
    }
    return hosts;
  }
}
