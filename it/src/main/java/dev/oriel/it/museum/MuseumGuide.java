package dev.oriel.it.museum;

import dev.oriel.it.options.Exit;
import dev.oriel.sim.museum.Exhibit;
import dev.oriel.sim.museum.Need;
import dev.oriel.sim.museum.Showcase;
import dev.oriel.sim.museum.Shown;
import dev.oriel.sim.museum.Tour;
import dev.oriel.sim.museum.Visit;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.trace.Pictures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows one exhibit: its story, how it fails, what repairs it, and that the repair holds. */
final class MuseumGuide {
  private final PrintWriter out;

  MuseumGuide(PrintWriter out) {
    this.out = out;
  }

  int show(Exhibit exhibit, @Nullable Path picture) throws IOException {
    line("row", String.join(" ", exhibit.rows()));
    line("class", exhibit.family().word() + "; needs " + needs(exhibit));
    line("source", exhibit.source());
    line("story", exhibit.story());
    if (exhibit.showcase().isEmpty()) {
      line("verdict", "not expressible: " + exhibit.reason());
      return Exit.FINE;
    }
    Showcase showcase = exhibit.showcase().get();
    line("where", where(showcase));
    if (showcase.threads()) {
      line("threads", "lanes of a rank stand for the threads of one group");
    }
    line("program", "- stands in the broken one alone, + in its twin");
    showcase.edit().difference().stream()
        .filter(text -> !text.startsWith("  -- "))
        .forEach(text -> line("", text));
    Visit visit = Tour.of(exhibit);
    broken(exhibit, visit.broken(), picture);
    line("twin", MuseumTable.twin(visit.twin()) + runs(visit.twin()));
    visit.complaints().forEach(complaint -> line("wrong", complaint));
    if (exhibit.missed()) {
      line("missed", exhibit.reason());
    }
    return visit.fine() ? Exit.FINE : Exit.VIOLATION;
  }

  private static String needs(Exhibit exhibit) {
    return exhibit.needs().stream().map(Need::name).collect(Collectors.joining(" "));
  }

  private static String where(Showcase showcase) {
    return "world=%s, profile=%s, strategy=%s, launches=%d, timeouts=%s, faults=%s"
        .formatted(
            showcase.world(),
            showcase.profile().name(),
            showcase.strategy().spelling(),
            showcase.launches(),
            showcase.timeouts().spelling(),
            showcase.faults());
  }

  private void broken(Exhibit exhibit, Shown broken, @Nullable Path picture) throws IOException {
    line("broken", (broken.passed() ? "nothing found" : broken.kind()) + runs(broken));
    broken.message().lines().forEach(text -> line("", text));
    Optional<Report.Found> found = broken.report().flatMap(Report::found);
    if (found.isPresent()) {
      line("token", token(broken));
      line("", "oriel replay TOKEN museum:" + exhibit.id());
      Path file =
          picture == null
              ? Files.createTempFile("museum-%s-".formatted(exhibit.id()), ".html")
              : picture;
      try {
        Pictures.write(found.get().recording(), file);
      } catch (IOException e) {
        if (picture == null) {
          Files.deleteIfExists(file);
        }
        throw e;
      }
      line("picture", file.toString());
    }
  }

  private static String runs(Shown shown) {
    return "; executions=" + shown.executions();
  }

  /** What repeats the execution that failed; empty if nothing does. */
  static String token(Shown shown) {
    return shown
        .report()
        .flatMap(Report::found)
        .map(f -> f.token().map(Object::toString).orElseGet(() -> "none: " + f.tokenless()))
        .orElse("");
  }

  private void line(String name, String text) {
    out.println((name + " ".repeat(9 - name.length()) + text).stripTrailing());
  }
}
