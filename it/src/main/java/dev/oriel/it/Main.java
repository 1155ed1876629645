package dev.oriel.it;

import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.it.campaign.CampaignCommand;
import dev.oriel.it.check.CheckCommand;
import dev.oriel.it.check.MergeCommand;
import dev.oriel.it.check.ProveCommand;
import dev.oriel.it.check.ReplayCommand;
import dev.oriel.it.export.ExportCommand;
import dev.oriel.it.host.BundleCommand;
import dev.oriel.it.host.DoctorCommand;
import dev.oriel.it.kills.KillsCommand;
import dev.oriel.it.litmus.LitmusCommand;
import dev.oriel.it.litmus.SampleCommand;
import dev.oriel.it.measure.BenchCommand;
import dev.oriel.it.museum.MuseumCommand;
import dev.oriel.it.mutate.MutateCommand;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.ReadTexts.PlacedMistake;
import dev.oriel.it.options.UnmatchedWords;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.it.run.RunCommand;
import dev.oriel.it.show.ExplainCommand;
import dev.oriel.it.show.ShowCommand;
import dev.oriel.it.suite.SuiteCommand;
import dev.oriel.it.terminal.Terminal;
import dev.oriel.it.text.FormatCommand;
import dev.oriel.it.text.NewCommand;
import dev.oriel.it.tune.CalibrateCommand;
import dev.oriel.it.tune.SimCommand;
import dev.oriel.it.tune.TuneCommand;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.FileWriteException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Starts the command and turns failures into exit codes and one line each. */
@Command(
    name = "oriel",
    description = "Check protocols of one-sided communication between GPUs, and run them.",
    mixinStandardHelpOptions = true,
    version = ReleaseName.NAME,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a violation was found",
      "2:wrong use",
      "3:the environment lacks something"
    },
    subcommands = {
      NewCommand.class,
      FormatCommand.class,
      CheckCommand.class,
      ProveCommand.class,
      ReplayCommand.class,
      CampaignCommand.class,
      MergeCommand.class,
      LitmusCommand.class,
      SampleCommand.class,
      MutateCommand.class,
      MuseumCommand.class,
      RunCommand.class,
      SuiteCommand.class,
      KillsCommand.class,
      SimCommand.class,
      TuneCommand.class,
      CalibrateCommand.class,
      BenchCommand.class,
      ShowCommand.class,
      ExplainCommand.class,
      DoctorCommand.class,
      BundleCommand.class,
      ExportCommand.class,
      HelpCommand.class,
      CompletionCommand.class,
      ManCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // Programs parse the output, so it must be the same everywhere.
    Locale.setDefault(Locale.ROOT);
    StandardOut results = new StandardOut(new FileOutputStream(FileDescriptor.out));
    PrintWriter out =
        new PrintWriter(
            new OutputStreamWriter(new BufferedOutputStream(results), System.out.charset()), true);
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    int code = run(arguments, Terminal.ofProcess(), out, err);
    out.flush();
    Optional<String> lost = results.lost();
    lost.ifPresent(
        reason -> say(err, "results are lost: reason=%s; see where they go".formatted(reason)));
    System.exit(lost.isPresent() ? ExitCodes.ENVIRONMENT : code);
  }

  /** Runs one command without input and for no terminal. Tests call it; it ends no process. */
  public static int run(String[] arguments, PrintWriter out, PrintWriter err) {
    return run(arguments, Terminal.none(), out, err);
  }

  /** The same, with that input and for that terminal. */
  public static int run(String[] arguments, Terminal terminal, PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(new Main());
    line.addMixin(Terminal.NAME, terminal);
    line.addMixin(ReadTexts.NAME, new ReadTexts());
    line.setColorScheme(CommandLine.Help.defaultColorScheme(terminal.ansi()));
    HelpGroups.of(line);
    line.setOut(terminal.results(out));
    line.setErr(err);
    line.registerConverter(int.class, text -> (int) OptionNumbers.whole(text, Integer.MAX_VALUE));
    line.registerConverter(long.class, text -> OptionNumbers.whole(text, Long.MAX_VALUE));
    line.registerConverter(
        Integer.class, text -> (int) OptionNumbers.whole(text, Integer.MAX_VALUE));
    line.registerConverter(Long.class, text -> OptionNumbers.whole(text, Long.MAX_VALUE));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((e, args) -> {
      List<String> unmatched =
          e instanceof UnmatchedArgumentException u ? UnmatchedWords.messages(u) : List.of();
      PrintWriter to = e.getCommandLine().getErr();
      if (unmatched.isEmpty()) {
        say(to, e.getMessage());
      }
      unmatched.forEach(message -> say(to, message));
      String command = e.getCommandLine().getCommandSpec().qualifiedName(" ");
      if (command.split(" ").length > arguments.length) {
        // The command alone was given: its help says what else it needs.
        e.getCommandLine().usage(to, Ansi.OFF);
      } else {
        to.println("Try: " + command + " --help");
      }
      return ExitCodes.WRONG_USE;
    });
    line.setExecutionExceptionHandler((e, command, result) -> exitCode(e, command));
    try {
      return line.execute(arguments);
    } catch (OutOfMemoryError e) {
      err.println(
          "oriel: out of memory: max=%d bytes; choose a smaller world or smaller parameters, or set ORIEL_JAVA_OPTS=-Xmx..."
              .formatted(Runtime.getRuntime().maxMemory()));
      return ExitCodes.ENVIRONMENT;
    } catch (Error e) {
      // Never exit code 1, which a JVM returns on its own failure: no violation was found.
      say(err, "internal error: " + e + "; report it with the command that you gave");
      return ExitCodes.ENVIRONMENT;
    }
  }

  private static int exitCode(Exception e, CommandLine command) throws Exception {
    return switch (e) {
      case ParameterException p ->
          command.getParameterExceptionHandler().handleParseException(p, new String[0]);
      case MachineException m -> {
        say(command.getErr(), m.getMessage());
        yield m.environment() ? ExitCodes.ENVIRONMENT : ExitCodes.WRONG_USE;
      }
      case GpuTimer.WrongOutput w -> {
        say(command.getErr(), w.getMessage());
        yield ExitCodes.VIOLATION;
      }
      case BootstrapException b -> {
        say(command.getErr(), b.getMessage());
        yield ExitCodes.ENVIRONMENT;
      }
      case FileWriteException n -> {
        say(command.getErr(), n.getMessage());
        yield ExitCodes.ENVIRONMENT;
      }
      case FileSystemException f -> {
        say(
            command.getErr(),
            "a file failed: file=%s, reason=%s; see whether it is there and may be used so"
                .formatted(f.getFile(), f.getReason() == null ? reason(f) : f.getReason()));
        yield ExitCodes.ENVIRONMENT;
      }
      case IOException i -> {
        say(
            command.getErr(),
            "reading or writing failed: reason=%s; see whether there is room and the device works"
                .formatted(i.getMessage() == null ? i.getClass().getSimpleName() : i.getMessage()));
        yield ExitCodes.ENVIRONMENT;
      }
      case ProgramException p -> {
        mistakes(p, command);
        yield ExitCodes.WRONG_USE;
      }
      // The domain throws this for every value that it cannot accept.
      case IllegalArgumentException i -> wrongUse(i, command);
      // Never exit code 1: a defect of this command says nothing about the program.
      default -> {
        e.printStackTrace(command.getErr());
        command.getErr().println("oriel: internal error: " + e + "; report it with this output");
        yield ExitCodes.ENVIRONMENT;
      }
    };
  }

  /** Prints each mistake of a program, at its place if it is in a text that this command read. */
  private static void mistakes(ProgramException refused, CommandLine command) {
    PrintWriter err = command.getErr();
    ReadTexts texts = ReadTexts.of(command.getCommandSpec());
    for (Mistake mistake : refused.mistakes()) {
      Optional<PlacedMistake> placed = texts.place(refused, mistake);
      if (placed.isEmpty()) {
        say(err, mistake.message());
        continue;
      }
      say(err, placed.get().message());
      placed.get().excerpt().lines().forEach(line -> err.println("  " + printable(line)));
    }
    if (refused.more() > 0) {
      int shown = refused.mistakes().size();
      say(err, "%d mistakes, of which %d are shown".formatted(shown + refused.more(), shown));
    }
  }

  private static int wrongUse(Exception e, CommandLine command) {
    say(command.getErr(), e.getMessage());
    return ExitCodes.WRONG_USE;
  }

  /** Prints a message as one line. */
  private static void say(PrintWriter err, @Nullable String message) {
    err.println("oriel: " + printable(String.valueOf(message)));
  }

  /** The text on one line. It may repeat any user input; control characters reach no terminal. */
  private static String printable(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .map(c ->
            switch (Character.getType(c)) {
              case Character.CONTROL,
                  Character.FORMAT,
                  Character.SURROGATE,
                  Character.LINE_SEPARATOR,
                  Character.PARAGRAPH_SEPARATOR ->
                  '?';
              default -> c;
            })
        .forEach(line::appendCodePoint);
    return line.toString();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command: commands=%s; choose one"
            .formatted(String.join(", ", spec.subcommands().keySet())));
  }

  /** In words where Java only gives the name of a class. */
  private static String reason(FileSystemException e) {
    return e instanceof NoSuchFileException
        ? "it or its folder is missing"
        : e.getClass().getSimpleName();
  }
}
