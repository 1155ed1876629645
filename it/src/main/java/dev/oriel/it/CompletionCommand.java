package dev.oriel.it;

import dev.oriel.it.options.ExitCodes;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel completion}: prints a script that completes commands and options in a shell. */
@Command(
    name = "completion",
    description =
        "Print a script that lets a shell complete commands and options. For the current shell: source <(oriel completion bash)",
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  /** A shell for which there is a script. */
  enum Shell {
    BASH,
    ZSH;

    /** Zsh runs scripts for bash if it is asked to. */
    String begin() {
      return this == ZSH ? "autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n" : "";
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    String script = AutoComplete.bash(spec.root().name(), spec.root().commandLine());
    spec.commandLine().getOut().print(shell.begin() + script);
    spec.commandLine().getOut().flush();
    return ExitCodes.FINE;
  }
}
