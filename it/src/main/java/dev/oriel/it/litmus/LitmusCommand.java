package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusException;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code oriel litmus}: decides which outcomes of PTX litmus tests the memory model allows.
 *
 * <p>Verdicts of every kind end with 0. A malformed file is reported, the others are still decided,
 * and the exit code is 2. If the two engines differ, it is 1.
 */
@Command(
    name = "litmus",
    description =
        "Decide PTX litmus tests: allowed or forbidden, always or not-always, file by file.",
    footer = {
      "",
      "Prints one line for each test: path, verdict, name in the header, executions and states. The"
          + " verdict is about the condition as written. exists and ~exists: allowed if some"
          + " execution satisfies it, otherwise forbidden. So ~exists holds if the verdict is"
          + " forbidden. forall: always or not-always. Published tables write 1 where the claim"
          + " holds: allowed for exists, forbidden for ~exists, always for forall.",
      "",
      "Only executions in which all threads finish are counted. These words may follow the verdict."
          + " never-finishes: some thread waits for ever under every fair scheduler. needs-progress:"
          + " a thread spins until another, concurrently running thread acts. undecided: a bound was"
          + " reached first. Loops that no read controls are unrolled completely. If another loop"
          + " may exceed --unroll rounds that change memory, the verdict covers only the explored"
          + " executions. unsupported: the unknown instructions follow, each with its count."
          + " malformed: the complaint with line, column and what was expected goes to standard"
          + " error, and the exit code is 2. skipped: a file of a folder that is no PTX litmus test.",
      "",
      "An operational engine, which executes the test step by step, checks every verdict of the"
          + " axiomatic engine. The end of the line has the result. cross-checked: both engines"
          + " reach the same final states, or the operational one misses only states that need load"
          + " buffering (a read returns a write that is performed only later). operational: not"
          + " reached: the verdict itself depends on such a state. not cross-checked: the reason"
          + " follows; it looks at a tenth as many moments as --budget has choices. ENGINES DIFFER:"
          + " a defect of this tool; it is also printed to standard error, and the exit code is 1.",
      "",
      "--json prints {model, tests, summary, instructions}. A test has path, verdict, name,"
          + " quantifier (exists, not-exists, forall), executions, states, termination (always,"
          + " needs-progress, never-finishes, unknown), bounds (texts), unsupported (name:"
          + " count), crossCheck {result (agrees, reached-fewer, not-reached, differs, none),"
          + " states, detail}. A malformed one has path, verdict, line, column, message; a skipped one path, verdict,"
          + " message. summary counts files and each verdict, instructions the unsupported ones of"
          + " all tests."
    },
    mixinStandardHelpOptions = true)
public final class LitmusCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 1 << 22;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TestOptions tests = new TestOptions();

  @Option(
      names = "--budget",
      defaultValue = "" + LitmusChecker.DEFAULT_BUDGET,
      description =
          "choices after which a search stops, of which each counts for several in a test of more"
              + " than 16 events or with long arithmetic (default: ${DEFAULT-VALUE})")
  private long budget;

  @Option(
      names = "--unroll",
      defaultValue = "" + LitmusChecker.DEFAULT_UNROLL,
      description =
          "further rounds of a loop that memory keeps going and that does more than wait (default:"
              + " ${DEFAULT-VALUE})")
  private int unroll;

  @Option(names = "--json", description = "print one JSON object instead of lines")
  private boolean json;

  @Override
  public Integer call() {
    MemoryModel chosen = tests.model();
    LitmusChecker checker = new LitmusChecker(chosen, budget, unroll);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<LitmusFiles.FoundFile> files = tests.files();
    LitmusReport report = json ? new LitmusJson(out, chosen) : new LitmusLines(out, err);
    LitmusTally tally = new LitmusTally();
    for (LitmusFiles.FoundFile file : files) {
      decide(file, checker, report, tally);
    }
    report.end(tally);
    out.flush();
    return tally.exitCode();
  }

  private void decide(
      LitmusFiles.FoundFile file, LitmusChecker checker, LitmusReport report, LitmusTally tally) {
    String reason = file.skipReason();
    try {
      String text = reason.isEmpty() ? read(file.path()) : "";
      Optional<String> other = LitmusParser.otherDialect(text);
      if (reason.isEmpty() && other.isPresent() && !tests.names(file.path())) {
        reason = "a litmus test for %s, not PTX".formatted(other.get());
      }
      if (reason.isEmpty()) {
        LitmusTest test = LitmusParser.parse(text);
        LitmusVerdict verdict = checker.check(test);
        tally.count(verdict);
        report.verdict(file.path(), test, verdict);
      } else {
        tally.countSkipped();
        report.skipped(file.path(), reason);
      }
    } catch (LitmusException malformed) {
      tally.countMalformed();
      String message = String.valueOf(malformed.getMessage());
      report.malformed(file.path(), malformed.line(), malformed.column(), message);
    } catch (IOException unreadable) {
      tally.countMalformed();
      report.malformed(
          file.path(), 0, 0, "cannot read the test: reason=%s; check it".formatted(unreadable));
    }
  }

  /** A file's text, or a prefix of a huge one that is long enough for the parser to refuse it. */
  private static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    }
  }
}
