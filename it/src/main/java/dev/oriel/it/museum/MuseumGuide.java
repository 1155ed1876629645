package dev.oriel.it.museum;

import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.Exit;
import dev.oriel.it.words.Facts;
import dev.oriel.it.words.WorldWords;
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
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows one exhibit: its story, its failure, its repair, and that the repair holds. */
final class MuseumGuide {
  private static final int STORY = 20;

  private final PrintWriter out;
  private final boolean verbose;

  MuseumGuide(PrintWriter out, boolean verbose) {
    this.out = out;
    this.verbose = verbose;
  }

  int show(Exhibit exhibit, @Nullable Path picture) throws IOException {
    List<String> rows = exhibit.rows();
    Facts head =
        new Facts()
            .add(
                "failure",
                rows.getFirst()
                    + (rows.size() == 1
                        ? ""
                        : " (also " + String.join(", ", rows.subList(1, rows.size())) + ")"))
            .add("story", List.of(exhibit.story()), STORY);
    if (exhibit.showcase().isEmpty()) {
      head.add("verdict", List.of("not expressible: " + exhibit.reason()), STORY).print(out);
      sources(exhibit);
      return Exit.FINE;
    }
    Showcase showcase = exhibit.showcase().get();
    Topology topology = Topology.parse(showcase.world());
    head.add("world", WorldWords.world(showcase.world(), topology));
    if (showcase.threads()) {
      head.add("threads", "lanes of a rank stand for the threads of one group");
    }
    head.add("program", "- is in the broken one only, + in the repaired one only").print(out);
    showcase.edit().difference().stream()
        .filter(text -> !text.startsWith("  -- "))
        .forEach(text -> line("", text));
    Visit visit = Tour.of(exhibit);
    broken(exhibit, visit.broken(), picture);
    Shown twin = visit.twin();
    new Facts()
        .add(
            "repaired",
            List.of(MuseumTable.twin(twin) + ", in " + runs(twin) + launches(showcase)),
            STORY)
        .print(out);
    visit.complaints().forEach(complaint -> line("wrong", complaint));
    if (exhibit.missed()) {
      line("missed", exhibit.reason());
    }
    if (verbose) {
      sources(exhibit);
      line("where", where(showcase));
    }
    return visit.fine() ? Exit.FINE : Exit.VIOLATION;
  }

  private void sources(Exhibit exhibit) {
    if (verbose) {
      out.println();
      line("class", exhibit.family().word() + "; needs " + needs(exhibit));
      line("source", exhibit.source());
    }
  }

  private static String launches(Showcase showcase) {
    return " of " + showcase.launches() + (showcase.launches() == 1 ? " launch" : " launches");
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
    new Facts()
        .add("broken", (broken.passed() ? "nothing found" : broken.kind()) + ", in " + runs(broken))
        .print(out);
    broken.message().lines().forEach(text -> line("", text));
    Optional<Report.Found> found = broken.report().flatMap(Report::found);
    if (found.isPresent()) {
      line("token", token(broken));
      line("next", "oriel replay TOKEN museum:" + exhibit.id());
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
    return shown.executions() + (shown.executions() == 1 ? " execution" : " executions");
  }

  /** The token of the failing execution; empty if there is none. */
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
