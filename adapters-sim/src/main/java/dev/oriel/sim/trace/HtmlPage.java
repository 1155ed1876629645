package dev.oriel.sim.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;

/**
 * One page for any browser, without a network: a space-time diagram to step through, opened at the
 * failure.
 *
 * <p>The page's own code is a resource with one mark, at which the recording is inserted as JSON.
 * That code makes elements and texts of it, never markup.
 */
final class HtmlPage implements TracePicture {
  /** With more events the page becomes too large for mail. */
  static final int DEFAULT_LIMIT = 20_000;

  /**
   * The number of events that a reader grasps at a glance: the initial view of a long failing
   * recording.
   */
  private static final int NEAR = 40;

  private static final String TEMPLATE = "page.html";
  private static final String MARK = "@RECORDING@";

  private final int limit;

  /** The page of default size. */
  HtmlPage() {
    this(DEFAULT_LIMIT);
  }

  /** A page of at most {@code limit} events, unless the failure involves more. */
  HtmlPage(int limit) {
    this.limit = limit;
  }

  @Override
  public void draw(TraceRecording recording, Appendable out) throws IOException {
    String page = template();
    int mark = page.indexOf(MARK);
    out.append(page, 0, mark);
    data(recording, new JsonWriter(out));
    out.append(page, mark + MARK.length(), page.length());
  }

  private void data(TraceRecording recording, JsonWriter json) throws IOException {
    TraceExcerpt excerpt = new TraceExcerpt(recording, limit);
    json.open('{').member("program", TerminalText.line(recording.program()));
    json.member("world", TerminalText.line(recording.world()));
    json.member("token", TerminalText.line(recording.token()));
    json.member("note", excerpt.note()).member("total", recording.events().size());
    json.line().name("kinds").open('[');
    for (TraceEventKind kind : TraceEventKind.values()) {
      json.open('[').value(kind.name()).value(kind.meaning()).close(']');
    }
    json.close(']').line().name("actors").open('[');
    for (TraceActor actor : recording.actors()) {
      json.open('[').value(actor.rank()).value(TerminalText.line(actor.label()));
      json.value(actor.role().name()).close(']');
    }
    json.close(']');
    if (recording.failure().isPresent()) {
      TraceFailure failure = recording.failure().get();
      json.line().name("failure").open('{').member("kind", TerminalText.line(failure.kind()));
      json.member("message", TerminalText.lines(failure.message())).name("events").open('[');
      for (int event : failure.events()) {
        json.value(event);
      }
      json.close(']').name("waits").open('[');
      for (PrecedingWait wait : PrecedingWait.of(recording)) {
        json.value(TerminalText.line(wait.sentence(recording)));
      }
      json.close(']').close('}');
    }
    json.line().member("file", TerminalText.line(recording.source().name()));
    json.line().name("source").open('[');
    for (String line : recording.source().lines()) {
      json.value(TerminalText.line(line));
    }
    json.close(']');
    indices("near", new TraceExcerpt(recording, NEAR), json);
    json.line().name("events").open('[');
    BitSet kept = excerpt.kept();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      TraceEvent event = recording.events().get(i);
      event(i, event, recording.source().line(event), json);
    }
    json.close(']').close('}');
  }

  private static void indices(String name, TraceExcerpt excerpt, JsonWriter json)
      throws IOException {
    json.line().name(name).open('[');
    BitSet kept = excerpt.kept();
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      json.value(i);
    }
    json.close(']');
  }

  /** The page's code relies on this order. */
  private static void event(int index, TraceEvent event, int line, JsonWriter json)
      throws IOException {
    StepFacts facts = event.facts();
    json.line().open('[').value(index).value(event.time()).value(event.actor());
    json.value(event.launch()).value(event.kind().name()).value(event.text());
    json.value(event.cause()).value(line).value(TerminalText.line(facts.operation()));
    values(facts.loops(), json);
    values(facts.names(), json);
    values(facts.seen(), json);
    json.close(']');
  }

  private static void values(List<StepFacts.NamedValue> values, JsonWriter json)
      throws IOException {
    json.open('[');
    for (StepFacts.NamedValue value : values) {
      json.value(TerminalText.line(value.name())).value(value.value());
    }
    json.close(']');
  }

  private static String template() throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException(
            "the page's template is missing: resource=" + TEMPLATE + "; reinstall");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
