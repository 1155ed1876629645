package dev.oriel.domain.program;

import dev.oriel.domain.program.parse.FormParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The texts of the programs that the library provides. */
public final class ShippedText {
  public static final List<String> NAMES = List.of("ll_all_gather", "ring_send_recv");

  private ShippedText() {}

  public static String of(String name) {
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + name + ".oriel")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Form form(String name) {
    return FormParser.parse(of(name));
  }
}
