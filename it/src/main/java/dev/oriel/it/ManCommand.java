package dev.oriel.it;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel man}: writes the manual pages of all commands. */
@Command(
    name = "man",
    description = "Write a manual page for each command.",
    mixinStandardHelpOptions = true)
public final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FOLDER",
      description = "the folder for the pages, such as ~/.local/share/man/man1")
  private Path to = Path.of("");

  @Override
  public Integer call() throws IOException {
    try {
      Files.createDirectories(to);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot make a folder: path=%s; name another one with --to".formatted(to),
          e);
    }
    List<CommandLine> commands = ManPage.all(spec.root().commandLine());
    for (CommandLine command : commands) {
      String name = "%s.%d".formatted(ManPage.name(command), ManPage.SECTION);
      AtomicFileWriter.write(to.resolve(name), ManPage.of(command));
    }
    new LabelledFacts()
        .add("written", "%d pages in %s".formatted(commands.size(), to))
        .next("man " + to.resolve("oriel." + ManPage.SECTION))
        .print(spec.commandLine().getOut());
    return ExitCodes.FINE;
  }
}
