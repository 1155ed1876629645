package dev.oriel.it.museum;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.JsonOption;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code oriel museum}: real failures, each found for its own reason, and the repaired programs.
 */
@Command(
    name = "museum",
    description =
        "Show real failures of one-sided protocols: for each, a broken program and its repair.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nMembers of the object that --json prints:%n",
    footer = {
      "  exhibits                         for each failure:",
      "    rows, class, source, needs     its names, kind, origin, and the features that show it",
      "    story, outcome, reason         what happened; caught, missed, not expressible or wrong",
      "    complaints                     what differs from the file of the exhibit",
      "    world, profile, strategy       how it is run;",
      "    launches, finds                the kind of finding",
      "    executions, micros             until it was found, and the microseconds for it",
      "    message, token                 the finding, and its token",
      "    twin                           with --all or a ROW: passed, executions, bounds",
      "  rows, rows_caught, rows_not_expressible, expressible, caught, missed, not_expressible,",
      "  twins, twins_passed, twins_bounded",
      "                                   sums of these; a failure may have several rows",
      "  unreadable                       files that are no exhibits, with the reason"
    })
public final class MuseumCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ROW",
      description =
          "one failure, such as B21: explain it, and check the repaired program (default: list all)")
  private @Nullable String row;

  @Mixin private VerboseOption verbose = new VerboseOption();

  @Option(names = "--all", description = "also check every repaired program, and count")
  private boolean all;

  @Option(
      names = "--matrix",
      description =
          "remove one feature, or one detector, of the simulator at a time, and list the alarms that disappear")
  private boolean matrix;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--picture",
      converter = OptionSpellings.NewPicture.class,
      paramLabel = "FILE",
      description =
          "with ROW: draw the failing execution: .html, .txt, .json (Perfetto), .shiviz"
              + " (default: museum-ROW.html in the folder for temporary files)")
  private @Nullable Path picture;

  @Override
  public Integer call() throws IOException {
    check(row == null || !all, "a row and --all together", "choose one");
    check(!json.on() || !matrix, "--json and --matrix", "leave out one");
    check(!json.on() || picture == null, "--json and --picture", "leave out one");
    check(picture == null || row != null, "--picture without a row", "name the row");
    check(!matrix || (row == null && !all), "--matrix with a row or --all", "choose one");
    CaseStudyCatalogue catalogue = CaseStudyCatalogue.read();
    if (row != null && json.on()) {
      return report(List.of(exhibit(catalogue, row)), List.of(), true);
    }
    if (row != null) {
      return new MuseumGuide(spec.commandLine().getOut(), verbose.on())
          .show(exhibit(catalogue, row), picture);
    }
    if (matrix) {
      boolean fine = new MuseumMatrix(spec.commandLine().getOut()).print(catalogue.exhibits());
      return fine && catalogue.unreadable().isEmpty() ? ExitCodes.FINE : ExitCodes.VIOLATION;
    }
    return report(catalogue.exhibits(), catalogue.unreadable(), all);
  }

  private int report(
      List<CaseStudy> exhibits, List<CaseStudyCatalogue.Unreadable> unreadable, boolean repaired) {
    MuseumCount count = new MuseumCount(unreadable);
    MuseumReport report =
        json.on()
            ? new MuseumJson(spec.commandLine().getOut())
            : new MuseumTable(spec.commandLine().getOut(), all, verbose.on());
    report.begin();
    for (CaseStudy exhibit : exhibits) {
      MuseumReport.Line line = MuseumReport.Line.of(exhibit, repaired);
      count.add(line);
      report.line(line);
    }
    report.end(count);
    return count.fine() ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  private CaseStudy exhibit(CaseStudyCatalogue catalogue, String name) {
    return catalogue
        .find(name)
        .orElseThrow(() -> new ParameterException(spec.commandLine(), catalogue.missing(name)));
  }

  private void check(boolean fine, String wrong, String fix) {
    if (!fine) {
      throw new ParameterException(
          spec.commandLine(), "options that do not go together: %s; %s".formatted(wrong, fix));
    }
  }
}
