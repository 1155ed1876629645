package dev.oriel.it.text;

import dev.oriel.domain.program.parse.FormFormatter;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel fmt}: lays out program texts, which remain the same programs. */
@Command(
    name = "fmt",
    description =
        "Lay out program texts: indentation, spaces, one operation on a line. Words and comments stay as they are, and so does the program's digest.",
    mixinStandardHelpOptions = true)
public final class FormatCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "program texts, which are rewritten; - reads standard input and prints the result")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--check",
      description = "write nothing; list the texts that would change, and exit with 1 if any would")
  private boolean check;

  /** A text with its layout. */
  private record LaidOut(String name, String before, String after) {
    boolean changes() {
      return !before.equals(after);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (names.size() > 1 && names.contains(ReadTexts.INPUT)) {
      throw new ParameterException(
          spec.commandLine(), "files and standard input: FILE=-; give - alone");
    }
    // A mistake in one text leaves all files as they are.
    List<LaidOut> texts = names.stream().map(this::laidOut).toList();
    PrintWriter out = spec.commandLine().getOut();
    boolean input = names.getFirst().equals(ReadTexts.INPUT);
    if (input && !check) {
      out.print(texts.getFirst().after());
      out.flush();
      return ExitCodes.FINE;
    }
    boolean changes = false;
    for (LaidOut text : texts) {
      if (text.changes()) {
        changes = true;
        out.println((check ? "would change   " : "changed        ") + ReadTexts.shown(text.name()));
        if (!check) {
          AtomicFileWriter.write(Path.of(text.name()), text.after());
        }
      }
    }
    return check && changes ? ExitCodes.VIOLATION : ExitCodes.FINE;
  }

  private LaidOut laidOut(String name) {
    String before = ProgramTexts.given(spec, name);
    ReadTexts.of(spec).parse(name, before);
    return new LaidOut(name, before, FormFormatter.format(before));
  }
}
