package dev.oriel.it;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.LitmusException;
import dev.oriel.sim.litmus.LitmusParser;
import dev.oriel.sim.litmus.LitmusTest;
import dev.oriel.sim.litmus.LitmusVerdict;
import dev.oriel.sim.litmus.MemoryModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code oriel litmus}: says of PTX litmus tests which outcomes the memory model allows.
 *
 * <p>Verdicts of every kind end with 0. A malformed file is reported, the others are decided all
 * the same, and the exit code is 2.
 */
@Command(
    name = "litmus",
    description =
        "Decide PTX litmus tests: allowed or forbidden, always or not-always, file by file.",
    footer = {
      "",
      "exists and ~exists are answered by whether the condition can hold, forall by whether it"
          + " must. Only executions in which all threads finish count; never-finishes,"
          + " needs-progress or a bound stands behind a verdict to which it applies."
    },
    mixinStandardHelpOptions = true)
final class LitmusCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 1 << 22;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "a litmus file, or a folder whose *.litmus files are taken in order of name")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--model",
      defaultValue = "ptx-7.5",
      description = "ptx-6.0, ptx-7.5 or ptx-isa (default: ${DEFAULT-VALUE})")
  private String model = "";

  @Option(
      names = "--budget",
      defaultValue = "" + LitmusChecker.DEFAULT_BUDGET,
      description = "choices after which a search stops (default: ${DEFAULT-VALUE})")
  private long budget;

  @Option(
      names = "--unroll",
      defaultValue = "" + LitmusChecker.DEFAULT_UNROLL,
      description = "further rounds of a loop that does more than wait (default: ${DEFAULT-VALUE})")
  private int unroll;

  @Option(names = "--json", description = "print one JSON object instead of lines")
  private boolean json;

  @Override
  public Integer call() {
    MemoryModel chosen = MemoryModel.parse(model);
    LitmusChecker checker = new LitmusChecker(chosen, budget, unroll);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<Path> files = files();
    LitmusReport report = json ? new LitmusJson(out, chosen) : new LitmusLines(out, err);
    LitmusTally tally = new LitmusTally();
    for (Path file : files) {
      try {
        LitmusTest test = LitmusParser.parse(read(file));
        LitmusVerdict verdict = checker.check(test);
        tally.count(verdict);
        report.verdict(file, test, verdict);
      } catch (LitmusException malformed) {
        tally.countMalformed();
        report.malformed(file, malformed);
      }
    }
    report.end(tally);
    out.flush();
    return tally.malformed() > 0 ? Main.WRONG_USE : Main.FINE;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isRegularFile(path)) {
        files.add(path);
      } else if (Files.isDirectory(path)) {
        files.addAll(below(path));
      } else {
        throw wrong("no such file or folder: path=" + path + "; check the path");
      }
    }
    return files;
  }

  private List<Path> below(Path folder) {
    try (Stream<Path> walk = Files.walk(folder)) {
      List<Path> found =
          walk.filter(path -> path.toString().endsWith(".litmus"))
              .filter(Files::isRegularFile)
              .sorted()
              .toList();
      if (found.isEmpty()) {
        throw wrong("no litmus tests: folder=" + folder + "; name one with *.litmus files");
      }
      return found;
    } catch (IOException e) {
      throw wrong("cannot read the folder: path=%s, reason=%s; check it".formatted(folder, e));
    }
  }

  /** A file's text, or as much of a huge one as the parser takes to refuse it. */
  private String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw wrong("cannot read the test: path=%s, reason=%s; check it".formatted(file, e));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
