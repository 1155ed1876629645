package dev.oriel.it;

import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.UnmatchedWords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel help}: prints the help of a command, as its {@code --help} does. */
@Command(
    name = "help",
    description = "Print the help of a command.",
    mixinStandardHelpOptions = true)
public final class HelpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "a command, such as check or bench sim (default: oriel itself)")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      @Nullable CommandLine inner = command.getSubcommands().get(word);
      if (inner == null) {
        throw new ParameterException(
            spec.commandLine(),
            command.getSubcommands().isEmpty()
                ? "no command of its own: word=%s; leave it out".formatted(word)
                : UnmatchedWords.unknownCommand(word, command.getCommandSpec()));
      }
      command = inner;
    }
    command.usage(spec.commandLine().getOut());
    return ExitCodes.FINE;
  }
}
