package dev.oriel.it.options;

import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourceExcerpt;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.program.parse.ParsedForm;
import dev.oriel.it.terminal.Terminal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The program texts that one run of the command has read, which place the mistakes in them. */
@Command
public final class ReadTexts {
  /** The name of this mixin in the top-level command. */
  public static final String NAME = "texts";

  /** The program that standard input has, as a name on the command line. */
  public static final String INPUT = "-";

  private final List<ReadText> texts = new ArrayList<>();
  private Optional<String> input = Optional.empty();
  private Optional<BrokenText> broken = Optional.empty();

  private record ReadText(String name, String text, ParsedForm parsed) {}

  /**
   * A text that is no form, or no hook; the command ends with this exception unless it is handled.
   */
  private record BrokenText(String name, String text, ProgramException why) {}

  /**
   * A mistake with its place in a text.
   *
   * @param name the text's name, as the user wrote it
   */
  public record PlacedMistake(String name, String text, Mistake mistake) {
    /** {@code file:line:column}. */
    public String place() {
      return mistake.position().map(at -> name + ":" + at.line() + ":" + at.column()).orElseThrow();
    }

    /** The message, after its place. */
    public String message() {
      return place() + ": " + mistake.statement();
    }

    /** The source line, and a caret under the place. */
    public SourceExcerpt excerpt() {
      return SourceExcerpt.of(text, mistake.position().orElseThrow());
    }
  }

  /** How messages name a text. */
  public static String shown(String name) {
    return name.equals(INPUT) ? "<stdin>" : name;
  }

  /**
   * All of standard input, which is read once: a command needs its program several times.
   *
   * @param most the number of bytes that are accepted
   */
  String input(CommandSpec spec, int most) {
    if (input.isEmpty()) {
      input = Optional.of(read(spec, most));
    }
    return input.get();
  }

  private static String read(CommandSpec spec, int most) {
    try {
      byte[] bytes = Terminal.of(spec).in().readNBytes(most + 1);
      if (bytes.length > most) {
        throw new ParameterException(
            spec.commandLine(),
            "program too long: name=%s, bytes=more than %d, max=%d; give a shorter one"
                .formatted(shown(INPUT), most, most));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "cannot read the program: name=%s, reason=%s; send a program text to standard input"
              .formatted(shown(INPUT), UnreadableReason.reason(e)));
    }
  }

  /** Those of the run to which the command belongs; none if it is part of no run. */
  public static ReadTexts of(CommandSpec spec) {
    // The specification of a mixin in a mixin has no parent, but knows its command.
    @Nullable CommandLine command = spec.commandLine();
    if (command == null) {
      return new ReadTexts();
    }
    CommandSpec mixin = command.getCommandSpec().root().mixins().get(NAME);
    return mixin == null ? new ReadTexts() : (ReadTexts) mixin.userObject();
  }

  /**
   * Parses a text.
   *
   * @throws ProgramException if it is no form
   */
  public ParsedForm parse(String name, String text) {
    try {
      ParsedForm parsed = FormParser.read(text);
      texts.add(new ReadText(shown(name), text, parsed));
      return parsed;
    } catch (ProgramException why) {
      broken = Optional.of(new BrokenText(shown(name), text, why));
      throw why;
    }
  }

  /**
   * Parses the declaration of a hook.
   *
   * @param option which the user gave it to
   * @throws ProgramException if it is none
   */
  HookForm hook(String option, String declaration) {
    try {
      return FormParser.hook(declaration);
    } catch (ProgramException why) {
      broken = Optional.of(new BrokenText(option, declaration, why));
      throw why;
    }
  }

  /** The mistake with its place; empty if it is in none of these texts. */
  public Optional<PlacedMistake> place(ProgramException refused, Mistake mistake) {
    return broken
        .filter(b -> b.why() == refused)
        .map(b -> new PlacedMistake(b.name(), b.text(), mistake))
        .filter(placed -> placed.mistake().position().isPresent())
        .or(() -> place(mistake));
  }

  /** The same for a mistake of a form that was read. */
  public Optional<PlacedMistake> place(Mistake mistake) {
    return texts.stream()
        .map(t -> new PlacedMistake(t.name(), t.text(), mistake.located(t.parsed().positions())))
        .filter(placed -> placed.mistake().position().isPresent())
        .findFirst();
  }
}
