package dev.oriel.it.terminal;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** What one run of the command is connected to: its standard input, and a person or a file. */
@Command
public final class Terminal {
  /** The name of this mixin in the top-level command. */
  public static final String NAME = "terminal";

  private final InputStream in;
  private final boolean person;
  private final boolean colour;
  private final Supplier<OptionalInt> columns;

  private Terminal(InputStream in, boolean person, boolean colour, Supplier<OptionalInt> columns) {
    this.in = in;
    this.person = person;
    this.colour = colour;
    this.columns = columns;
  }

  /** Neither a person nor any input. */
  public static Terminal none() {
    return new Terminal(InputStream.nullInputStream(), false, false, OptionalInt::empty);
  }

  /** That of this process. */
  public static Terminal ofProcess() {
    // A small Java runtime has no console unless it is a terminal.
    boolean person = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    return of(System.in, System.getenv(), person, TerminalWidth::ofDevice);
  }

  /**
   * The same with the given surroundings. {@code NO_COLOR} forbids colour, {@code CLICOLOR_FORCE}
   * demands it; otherwise a terminal has it unless {@code CLICOLOR} is 0 or the terminal is dumb.
   */
  public static Terminal of(InputStream in, Map<String, String> environment, boolean person) {
    return of(in, environment, person, OptionalInt::empty);
  }

  /**
   * The same where {@code device} measures the terminal unless {@code COLUMNS} states its width.
   */
  static Terminal of(
      InputStream in,
      Map<String, String> environment,
      boolean person,
      Supplier<OptionalInt> device) {
    boolean forbidden = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    String force = environment.getOrDefault("CLICOLOR_FORCE", "");
    boolean demanded = !force.isEmpty() && !force.equals("0");
    boolean able =
        !environment.getOrDefault("CLICOLOR", "").equals("0")
            && !environment.getOrDefault("TERM", "").equals("dumb");
    OptionalInt stated = TerminalWidth.stated(environment);
    return new Terminal(
        in,
        person,
        !forbidden && (demanded || (person && able)),
        () -> stated.isPresent() ? stated : person ? device.get() : stated);
  }

  /** That of the run to which the command belongs; none if it is part of no run. */
  public static Terminal of(CommandSpec spec) {
    // The specification of a mixin in a mixin has no parent, but knows its command.
    @Nullable CommandLine command = spec.commandLine();
    if (command == null) {
      return none();
    }
    CommandSpec mixin = command.getCommandSpec().root().mixins().get(NAME);
    return mixin == null ? none() : (Terminal) mixin.userObject();
  }

  /** Standard input. */
  public InputStream in() {
    return in;
  }

  /** Whether a person sees the output at once. */
  public boolean person() {
    return person;
  }

  /** Characters of a line; {@code otherwise} if the output is no terminal and nothing states it. */
  public int width(int otherwise) {
    return columns.get().orElse(otherwise);
  }

  /** Whether help may have colours. */
  public Ansi ansi() {
    return colour ? Ansi.ON : Ansi.OFF;
  }

  /** The writer for results, which colours verdicts if the output has colours. */
  public PrintWriter results(PrintWriter out) {
    return colour ? new PrintWriter(new VerdictColours(out), true) : out;
  }
}
