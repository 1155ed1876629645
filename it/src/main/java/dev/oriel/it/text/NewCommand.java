package dev.oriel.it.text;

import dev.oriel.domain.program.check.NameRules;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.NextCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel new}: writes a small correct program to begin with. */
@Command(
    name = "new",
    description = "Write a small correct program with comments, to read and to change.",
    mixinStandardHelpOptions = true)
public final class NewCommand implements Callable<Integer> {
  private static final String SUFFIX = ".oriel";
  private static final String TEMPLATE = "/new/ring_pass.oriel";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "NAME",
      description =
          "name of the program: letters, digits, _ and -. The file NAME.oriel must not exist yet; a folder may precede the name")
  private String name = "";

  @Override
  public Integer call() throws IOException {
    Path file = Path.of(name.endsWith(SUFFIX) ? name : name + SUFFIX);
    String form = String.valueOf(file.getFileName()).replaceAll("\\.oriel$", "");
    if (!NameRules.validForm(form)) {
      throw new ParameterException(
          spec.commandLine(),
          "not a name of a program: name=%s; use letters, digits, _ and -, at most %d, and begin with a letter"
              .formatted(form, NameRules.MAX_LENGTH));
    }
    String command = NextCommand.named("check").with(file.toString()).toString();
    write(file, template().replace("ring_pass.oriel", file.toString()).replace("ring_pass", form));
    new LabelledFacts()
        .add("written", file.toString())
        .next(command)
        .print(spec.commandLine().getOut());
    return ExitCodes.FINE;
  }

  private static String template() throws IOException {
    try (InputStream in = NewCommand.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException("the template is missing; reinstall");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Creates the file, so that no file that another process writes meanwhile is lost either. */
  private void write(Path file, String text) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      throw new ParameterException(
          spec.commandLine(),
          "file exists: file=%s; choose another name, or remove the file".formatted(file),
          e);
    }
    try {
      Files.writeString(file, text, StandardOpenOption.WRITE);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }
}
