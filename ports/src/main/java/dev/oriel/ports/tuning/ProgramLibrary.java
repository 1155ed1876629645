package dev.oriel.ports.tuning;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.tuning.ShippedProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Collectors;

/** The programs that the library provides, from their texts. */
public final class ProgramLibrary {
  private ProgramLibrary() {}

  /**
   * The program of that name, such as {@code push-allgather}.
   *
   * @throws IllegalArgumentException if there is none; the message has all names
   */
  public static Form form(String name) {
    return FormParser.parse(
        text(
            ShippedProgram.named(name)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "no such program: name=%s; known: %s"
                            .formatted(
                                name,
                                ShippedProgram.ALL.stream()
                                    .map(ShippedProgram::name)
                                    .collect(Collectors.joining(", ")))))));
  }

  /** Its text with all comments. */
  public static String text(ShippedProgram program) {
    String resource = "/programs/" + program.text() + ".oriel";
    try (InputStream in = Form.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
