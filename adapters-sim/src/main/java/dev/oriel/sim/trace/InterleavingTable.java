package dev.oriel.sim.trace;

import java.io.IOException;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A table for a terminal: a column for each actor, a row for each event, with marks on the failing
 * ones.
 *
 * <p>Long stretches are replaced by a line that counts them, except events of the failure and their
 * causes.
 */
public final class InterleavingTable implements TracePicture {
  /** Fits the usual wide terminal. */
  public static final int DEFAULT_WIDTH = 120;

  /** A table with more rows is not read in full. */
  public static final int DEFAULT_ROWS = 120;

  private static final int NARROWEST = 80;
  private static final int NAMES = 9;

  private final int width;
  private final int rows;

  /** The table of default size. */
  public InterleavingTable() {
    this(DEFAULT_WIDTH, DEFAULT_ROWS);
  }

  /**
   * A table of at most {@code width} characters a line and, unless the failure involves more,
   * {@code rows} events.
   */
  public InterleavingTable(int width, int rows) {
    if (width < NARROWEST || rows < 1) {
      throw new IllegalArgumentException(
          "no room for a table: width="
              + width
              + ", rows="
              + rows
              + "; use a width from "
              + NARROWEST
              + " and at least one row");
    }
    this.width = width;
    this.rows = rows;
  }

  @Override
  public void draw(TraceRecording recording, Appendable out) throws IOException {
    TraceExcerpt excerpt = new TraceExcerpt(recording, rows);
    field(out, "program", TerminalText.line(recording.program()));
    field(out, "world", TerminalText.line(recording.world()));
    if (recording.failure().isPresent()) {
      field(out, "failure", recording.failure().get().text());
    }
    field(out, "token", TerminalText.line(recording.token()));
    if (!excerpt.note().isEmpty()) {
      field(out, "note", excerpt.note());
    }
    out.append('\n');
    BitSet kept = excerpt.kept();
    InterleavingRows lines = new InterleavingRows(recording, excerpt.pinned(), width);
    lines.head(out);
    int next = 0;
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      lines.gap(next, i, out);
      lines.row(i, out);
      next = i + 1;
    }
    lines.gap(next, recording.events().size(), out);
    out.append('\n');
    named(recording, out);
    lines(recording, kept, out);
    legend(recording, lines.columns(), out);
  }

  /** The failing events in full, since a cell may have shortened them. */
  private void named(TraceRecording recording, Appendable out) throws IOException {
    List<Integer> events = recording.failure().map(TraceFailure::events).orElse(List.of());
    for (int i : events) {
      TraceEvent event = recording.events().get(i);
      StringBuilder text = new StringBuilder(recording.actor(event).name());
      text.append(", launch ").append(event.launch()).append(": ").append(event.text());
      recording.facts(event).forEach(fact -> text.append('\n').append(TerminalText.line(fact)));
      field(out, "! " + (i + 1), text.toString());
    }
    String name = "waits";
    for (PrecedingWait wait : PrecedingWait.of(recording)) {
      field(out, name, TerminalText.line(wait.sentence(recording)));
      name = "";
    }
    if (!events.isEmpty()) {
      out.append('\n');
    }
  }

  /** The lines of the program that the rows name by their numbers. */
  private void lines(TraceRecording recording, BitSet kept, Appendable out) throws IOException {
    NavigableSet<Integer> numbers = new TreeSet<>();
    kept.stream()
        .map(i -> recording.source().line(recording.events().get(i)))
        .filter(line -> line > 0)
        .forEach(numbers::add);
    String name = numbers.size() == 1 ? "line" : "lines";
    int digits = numbers.isEmpty() ? 0 : Integer.toString(numbers.last()).length();
    for (int line : numbers) {
      String number = Integer.toString(line);
      String text = TerminalText.line(recording.source().text(line));
      field(out, name, " ".repeat(digits - number.length()) + number + "  " + text);
      name = "";
    }
    if (!numbers.isEmpty()) {
      out.append('\n');
    }
  }

  private void legend(TraceRecording recording, ActorColumns columns, Appendable out)
      throws IOException {
    Set<TraceEventKind> kinds = EnumSet.noneOf(TraceEventKind.class);
    recording.events().forEach(event -> kinds.add(event.kind()));
    StringBuilder text = new StringBuilder();
    kinds.forEach(
        kind -> text.append(kind.symbol()).append(' ').append(kind.meaning()).append("; "));
    text.append("! named by the failure; * caused one of these; <7 because of event 7; ");
    if (recording.events().stream().anyMatch(event -> !event.facts().seen().isEmpty())) {
      text.append("=7 read the value 7; ");
    }
    text.append("| runs; : waits; ~ cut");
    field(out, "legend", text.toString());
    if (columns.others() > 0) {
      field(
          out,
          "note",
          columns.others()
              + " actors share the last column for want of width; width="
              + width
              + ", or draw the .html picture");
    }
  }

  private void field(Appendable out, String name, String text) throws IOException {
    String head = name + " ".repeat(Math.max(1, NAMES - name.length()));
    for (String line : TerminalText.wrapped(text, width - head.length())) {
      out.append((head + line).stripTrailing()).append('\n');
      head = " ".repeat(head.length());
    }
  }
}
