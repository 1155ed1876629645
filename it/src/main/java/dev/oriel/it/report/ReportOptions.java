package dev.oriel.it.report;

import dev.oriel.it.options.DistinctFiles;
import dev.oriel.it.options.OptionSpellings;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for reports that build servers read. */
public final class ReportOptions {
  @Option(
      names = "--sarif",
      converter = OptionSpellings.NewFile.class,
      paramLabel = "FILE",
      description = "write the findings in SARIF 2.1.0, the format of code scanners")
  private @Nullable Path sarif;

  @Option(
      names = "--junit",
      converter = OptionSpellings.NewFile.class,
      paramLabel = "FILE",
      description = "write a test report in JUnit's XML: one test case for each world and size")
  private @Nullable Path junit;

  public boolean requested() {
    return sarif != null || junit != null;
  }

  /** Whether that is the file of a report, which an earlier run may have written. */
  public boolean names(Path file) {
    return Stream.of(Optional.ofNullable(sarif), Optional.ofNullable(junit))
        .flatMap(Optional::stream)
        .anyMatch(report ->
            report.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize()));
  }

  /** Adds the files of these options. */
  public DistinctFiles with(DistinctFiles files) throws IOException {
    return files.with("--sarif", sarif).with("--junit", junit);
  }

  /** Writes the requested reports. */
  public void write(List<CheckedCase> cases) throws IOException {
    if (sarif != null) {
      AtomicFileWriter.write(sarif, SarifReport.print(cases) + System.lineSeparator());
    }
    if (junit != null) {
      AtomicFileWriter.write(junit, JUnitReport.print(cases));
    }
  }
}
