package dev.oriel.sim.trace;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The lines of an interleaving table. Gaps and rows must be requested in the recording's order. */
final class InterleavingRows {
  private static final Pattern SYMBOL_WORDS =
      Pattern.compile("^(post|fetch for|write for|fill for) ");

  private static final char IDLE = ' ';
  private static final char RUNS = '|';
  private static final char WAITS = ':';

  private final TraceRecording recording;
  private final BitSet pinned;
  private final BitSet failing;
  private final ActorColumns columns;
  private final int numbers;
  private final int times;

  /** Characters of the line numbers with the space before them; 0 if no event has a line. */
  private final int lines;

  private final int width;

  /** The character of each column without an event: the state of its actor. */
  private final char[] state;

  InterleavingRows(TraceRecording recording, BitSet pinned, int width) {
    this.recording = recording;
    this.pinned = pinned;
    this.width = width;
    failing = TraceExcerpt.failing(recording);
    numbers = Math.max(1, Integer.toString(recording.events().size()).length());
    long last = 0;
    boolean steps = true;
    for (int i = 0; i < recording.events().size(); i++) {
      last = Math.max(last, recording.events().get(i).time());
      steps &= recording.events().get(i).time() == i;
    }
    times = steps ? 0 : Math.max(4, Long.toString(last).length()) + 1;
    int line = recording.events().stream().mapToInt(recording.source()::line).max().orElse(0);
    lines = line == 0 ? 0 : Math.max(4, Integer.toString(line).length()) + 1;
    columns = new ActorColumns(recording, pinned, width - 2 - numbers - times - lines);
    state = new char[columns.count()];
    Arrays.fill(state, IDLE);
  }

  ActorColumns columns() {
    return columns;
  }

  /** The names of the columns, and a rule. */
  void head(Appendable out) throws IOException {
    StringBuilder line = new StringBuilder(gutter(' ', "#", "time", "line"));
    for (int actor : columns.actors()) {
      line.append(' ').append(cell(recording.actors().get(actor).name()));
    }
    if (columns.others() > 0) {
      line.append(' ').append(cell(columns.others() + " others"));
    }
    finish(line, out);
    finish(new StringBuilder("-".repeat(Math.min(width, line.length()))), out);
  }

  /** One event in its column, with its number, which counts from 1. */
  void row(int index, Appendable out) throws IOException {
    TraceEvent event = recording.events().get(index);
    int at = columns.of(event.actor());
    char mark = failing.get(index) ? '!' : pinned.get(index) ? '*' : ' ';
    int number = recording.source().line(event);
    StringBuilder line =
        new StringBuilder(
            gutter(
                mark,
                Integer.toString(index + 1),
                Long.toString(event.time()),
                number == 0 ? "" : Integer.toString(number)));
    if (ActorColumns.isBoundary(recording, event)) {
      String cause = event.cause() < 0 ? "" : " <" + (event.cause() + 1);
      line.append(" -- ").append(recording.actor(event).name()).append(": ");
      line.append(event.text()).append(cause).append(' ');
      line.append("-".repeat(Math.max(0, rule() - line.length())));
      finish(line, out);
      return;
    }
    for (int column = 0; column < columns.count(); column++) {
      line.append(' ').append(column == at ? cell(event) : cell(String.valueOf(state[column])));
    }
    advance(event);
    finish(line, out);
  }

  /**
   * A line for the events {@code from} up to, not including, {@code to}; a single event has its own
   * row.
   */
  void gap(int from, int to, Appendable out) throws IOException {
    if (to - from < 2) {
      for (int i = from; i < to; i++) {
        row(i, out);
      }
      return;
    }
    Map<TraceEventKind, Integer> counts = new EnumMap<>(TraceEventKind.class);
    BitSet actors = new BitSet();
    for (TraceEvent event : recording.events().subList(from, to)) {
      counts.merge(event.kind(), 1, Integer::sum);
      actors.set(event.actor());
      advance(event);
    }
    StringBuilder line = new StringBuilder(gutter(' ', "...", "", ""));
    line.append(" " + (to - from) + " events, actors " + actors.cardinality() + ":");
    counts.forEach((kind, count) -> line.append(' ').append(count).append(kind.symbol()));
    finish(line, out);
  }

  private void advance(TraceEvent event) {
    int column = columns.of(event.actor());
    if (!columns.shared(column)) {
      state[column] =
          switch (event.kind()) {
            case WAIT -> WAITS;
            case END -> IDLE;
            default -> recording.actor(event).role() == ActorRole.QUEUE ? IDLE : RUNS;
          };
    }
  }

  /** Symbol, text and cause. The text is shortened first, since the cause shows where to look. */
  private String cell(TraceEvent event) {
    String head = event.kind().symbol() + " ";
    String text = ofSymbol(event);
    if (columns.shared(columns.of(event.actor()))) {
      head += recording.actor(event).name() + ": ";
    }
    String tail = seen(event) + (event.cause() < 0 ? "" : " <" + (event.cause() + 1));
    int room = columns.width() - tail.length();
    return cell(TerminalText.cut(head + text, Math.max(3, room)) + tail);
  }

  /** The text without the words that its symbol replaces, which leaves room for the rest. */
  private static String ofSymbol(TraceEvent event) {
    return switch (event.kind()) {
      case POST, FETCH, PLACE, COMPLETE -> SYMBOL_WORDS.matcher(event.text()).replaceFirst("");
      default -> event.text();
    };
  }

  /** The values that the event read: all of a few, otherwise their number. */
  private static String seen(TraceEvent event) {
    return event.facts().seen().isEmpty() ? "" : " =" + event.facts().seenValues();
  }

  /** The width of a line without the table's last spaces. */
  private int rule() {
    return 2 + numbers + times + lines + columns.count() * (columns.width() + 1) - 1;
  }

  private String cell(String text) {
    String cut = TerminalText.cut(text, columns.width());
    return cut + " ".repeat(columns.width() - cut.length());
  }

  private String gutter(char mark, String number, String time, String source) {
    String left = mark + " ".repeat(Math.max(0, numbers - number.length())) + number;
    return left + right(time, times) + right(source, lines);
  }

  private static String right(String text, int room) {
    return room == 0 ? "" : " ".repeat(Math.max(1, room - text.length())) + text;
  }

  private void finish(StringBuilder line, Appendable out) throws IOException {
    out.append(TerminalText.cut(line.toString().stripTrailing(), width)).append('\n');
  }
}
