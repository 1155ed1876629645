package dev.oriel.sim.tuning;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.ShippedProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The shipped programs, as candidates under their names on the command line. */
final class ShippedCandidates {
  private ShippedCandidates() {}

  /** The texts of the programs for a collective, by name. */
  static Map<String, String> texts(Collective collective) {
    Map<String, String> texts = new TreeMap<>();
    for (ShippedProgram program : ShippedProgram.doing(collective)) {
      texts.put(program.name(), read(Form.class, "/programs/" + program.text() + ".oriel"));
    }
    return texts;
  }

  static List<CandidateProgram> candidates(Collective collective) {
    return texts(collective).entrySet().stream()
        .map(e -> new CandidateProgram(e.getKey(), FormParser.parse(e.getValue())))
        .toList();
  }

  /** The lines of a test resource without comments. */
  static List<String> lines(String resource) {
    return read(ShippedCandidates.class, resource)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private static String read(Class<?> where, String resource) {
    try (InputStream in = where.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
