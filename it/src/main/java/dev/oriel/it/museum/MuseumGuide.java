package dev.oriel.it.museum;

import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.WorldWords;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.museum.CaseStudyResult;
import dev.oriel.sim.museum.CaseStudyReview;
import dev.oriel.sim.museum.ProgramResult;
import dev.oriel.sim.museum.RequiredFeature;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.trace.PictureFiles;
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
  private static final int MESSAGE = 20;

  private final PrintWriter out;
  private final boolean verbose;

  MuseumGuide(PrintWriter out, boolean verbose) {
    this.out = out;
    this.verbose = verbose;
  }

  int show(CaseStudy exhibit, @Nullable Path picture) throws IOException {
    List<String> rows = exhibit.rows();
    LabelledFacts head =
        new LabelledFacts()
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
      return ExitCodes.FINE;
    }
    CaseStudyPrograms showcase = exhibit.showcase().get();
    Topology topology = Topology.parse(showcase.world());
    head.add("world", WorldWords.world(showcase.world(), topology));
    if (showcase.threads()) {
      head.add("threads", "lanes of a rank stand for the threads of one group");
    }
    head.add("program", "- is in the broken one only, + in the repaired one only").print(out);
    showcase.edit().difference().stream()
        .filter(text -> !text.startsWith("  -- "))
        .forEach(text -> line("", text));
    CaseStudyResult visit = CaseStudyReview.of(exhibit);
    broken(exhibit, visit.broken(), picture);
    ProgramResult twin = visit.twin();
    new LabelledFacts()
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
    return visit.fine() ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  private void sources(CaseStudy exhibit) {
    if (verbose) {
      out.println();
      line("class", exhibit.family().word() + "; needs " + needs(exhibit));
      line("source", exhibit.source());
    }
  }

  private static String launches(CaseStudyPrograms showcase) {
    return " of " + showcase.launches() + (showcase.launches() == 1 ? " launch" : " launches");
  }

  private static String needs(CaseStudy exhibit) {
    return exhibit.needs().stream().map(RequiredFeature::name).collect(Collectors.joining(" "));
  }

  private static String where(CaseStudyPrograms showcase) {
    return "world=%s, profile=%s, strategy=%s, launches=%d, timeouts=%s, faults=%s"
        .formatted(
            showcase.world(),
            showcase.profile().name(),
            showcase.strategy().spelling(),
            showcase.launches(),
            showcase.timeouts().spelling(),
            showcase.faults());
  }

  private void broken(CaseStudy exhibit, ProgramResult broken, @Nullable Path picture)
      throws IOException {
    LabelledFacts facts =
        new LabelledFacts()
            .add(
                "broken",
                (broken.passed() ? "nothing found" : broken.kind()) + ", in " + runs(broken));
    broken.message().lines().forEach(text -> facts.add("", List.of(text), MESSAGE));
    facts.print(out);
    Optional<CheckReport.Found> found = broken.report().flatMap(CheckReport::found);
    if (found.isPresent()) {
      line("token", token(broken));
      line("next", "oriel replay %s museum:%s".formatted(token(broken), exhibit.id()));
      Path file =
          picture == null
              ? Files.createTempFile("museum-%s-".formatted(exhibit.id()), ".html")
              : picture;
      try {
        PictureFiles.write(found.get().recording(), file);
      } catch (IOException e) {
        if (picture == null) {
          Files.deleteIfExists(file);
        }
        throw e;
      }
      line("picture", file.toString());
    }
  }

  private static String runs(ProgramResult shown) {
    return shown.executions() + (shown.executions() == 1 ? " execution" : " executions");
  }

  /** The token of the failing execution; empty if there is none. */
  static String token(ProgramResult shown) {
    return shown
        .report()
        .flatMap(CheckReport::found)
        .map(f -> f.token().map(Object::toString).orElseGet(() -> "none: " + f.tokenless()))
        .orElse("");
  }

  private void line(String name, String text) {
    out.println((name + " ".repeat(9 - name.length()) + text).stripTrailing());
  }
}
