package dev.oriel.it.museum;

import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.museum.ProgramResult;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The museum for people: one line an exhibit, followed by deviations from its promises. */
final class MuseumTable implements MuseumReport {
  private final PrintWriter out;
  private static final int STORY = 50;

  private final boolean everything;
  private final boolean verbose;

  MuseumTable(PrintWriter out, boolean everything, boolean verbose) {
    this.out = out;
    this.verbose = verbose;
    this.everything = everything;
  }

  @Override
  public void begin() {
    row(
        "row",
        "class",
        "world",
        "layer",
        "strategy",
        "finds",
        "runs",
        "ms",
        everything ? "twin" : verbose ? "stands for" : "what went wrong");
  }

  @Override
  public void line(Line line) {
    CaseStudy exhibit = line.exhibit();
    Optional<CaseStudyPrograms> showcase = exhibit.showcase();
    String kind = showcase.map(s -> s.alarm().kind()).orElse("");
    row(
        exhibit.id(),
        exhibit.family().word(),
        showcase.map(CaseStudyPrograms::world).orElse("-"),
        showcase.map(s -> s.profile().name()).orElse("-"),
        showcase.map(s -> s.strategy().spelling()).orElse("-"),
        line.outcome().equals("caught") ? kind : line.outcome(),
        line.broken().map(b -> Long.toString(b.executions())).orElse("-"),
        showcase.isPresent() ? millis(line.micros()) : "-",
        last(line));
    line.complaints().forEach(c -> out.println("    " + c));
    if (!exhibit.reason().isEmpty()) {
      out.println("    " + exhibit.reason());
    }
  }

  /** By default only the cells that a person needs; the others describe how it was found. */
  private void row(Object... cells) {
    if (!verbose) {
      out.println(
          "%-15s %-9s %-5s %-16s  %s"
              .formatted(cells[0], cells[1], cells[2], cells[5], cells[8])
              .stripTrailing());
      return;
    }
    out.println("%-15s %-9s %-5s %-14s %-15s %-10s %6s %9s  %s".formatted(cells).stripTrailing());
  }

  private String last(Line line) {
    if (everything) {
      return line.visit().map(v -> twin(v.twin())).orElse("-");
    }
    return !verbose
        ? shortened(line.exhibit().story())
        : String.join(" ", line.exhibit().rows().subList(1, line.exhibit().rows().size()));
  }

  /** As much of the first sentence as fits into the line. */
  private static String shortened(String story) {
    int end = story.indexOf(". ");
    String first = end < 0 ? story : story.substring(0, end + 1);
    if (first.length() <= STORY) {
      return first;
    }
    int space = first.lastIndexOf(' ', STORY - 4);
    return first.substring(0, space < 0 ? STORY - 4 : space) + " ...";
  }

  /** How far the repaired program was explored. */
  static String twin(ProgramResult twin) {
    if (!twin.passed()) {
      return "FAILS";
    }
    return twin.bounds().isEmpty()
        ? "passes"
        : "passes within bounds: " + String.join(", ", twin.bounds());
  }

  static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f", micros / 1000.0);
  }

  @Override
  public void end(MuseumCount count) {
    out.printf("exhibits %d, which stand for %d rows%n", count.exhibits(), count.rows());
    out.printf(
        "caught   %d of %d expressible for their own reason, missed %d, in %s ms%n",
        count.caught(), count.expressible(), count.missed(), millis(count.micros()));
    if (everything) {
      out.printf(
          "twins    %d of %d passed, %d of them within bounds%n",
          count.twinsPassed(), count.twins(), count.twinsBounded());
    }
    out.printf("left out %d not expressible, each with its reason above%n", count.notExpressible());
    out.printf(
        "rows     %s: %d; caught: %d, not expressible: %d, not caught: %d%n",
        count.kinds().entrySet().stream()
            .map(kind -> kind.getValue() + " " + kind.getKey())
            .collect(Collectors.joining(", ")),
        count.rows(),
        count.rowsCaught(),
        count.rowsNotExpressible(),
        count.rows() - count.rowsCaught() - count.rowsNotExpressible());
    count
        .unreadable()
        .forEach(bad -> out.printf("wrong    file=%s: %s%n", bad.file(), bad.reason()));
  }
}
