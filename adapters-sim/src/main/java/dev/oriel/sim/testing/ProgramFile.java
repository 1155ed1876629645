package dev.oriel.sim.testing;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.SourceExcerpt;
import dev.oriel.domain.program.SourcePositions;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.program.parse.ParsedForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.sim.trace.TraceSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program text with its file, so that reports name the lines as they are in the file. */
record ProgramFile(Path path, String text, ParsedForm parsed) {

  /**
   * Reads a program text.
   *
   * @throws ProgramException with the file, line and column of each mistake
   */
  static ProgramFile read(Path path) {
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read a program: path=%s; name a program text".formatted(path.toAbsolutePath()),
          e);
    }
    try {
      return new ProgramFile(path, text, FormParser.read(text));
    } catch (ProgramException e) {
      throw placed(path, text, e, SourcePositions.none());
    }
  }

  /**
   * The program of a world. A parameter that the world determines has that value, unless one is
   * given.
   *
   * @throws ProgramException as {@link #read} does
   */
  Program bind(Topology topology, Map<String, Long> parameters) {
    Map<String, Long> all = new HashMap<>();
    for (Form.Param param : parsed.form().params()) {
      WorldParams.value(param, topology).ifPresent(value -> all.put(param.name(), value));
    }
    all.putAll(parameters);
    try {
      return Program.bind(parsed.form(), topology.world(), all);
    } catch (ProgramException e) {
      throw placed(path, text, e, parsed.positions());
    }
  }

  private static ProgramException placed(
      Path path, String text, ProgramException why, SourcePositions positions) {
    List<String> lines = new ArrayList<>();
    for (Mistake mistake : why.mistakes()) {
      Mistake located = mistake.located(positions);
      if (located.position().isPresent()) {
        TextPosition at = located.position().get();
        lines.add("%s:%d:%d: %s".formatted(path, at.line(), at.column(), located.statement()));
        SourceExcerpt.of(text, at).lines().forEach(line -> lines.add("  " + line));
      } else {
        lines.add("%s: %s".formatted(path, located.message()));
      }
    }
    if (why.more() > 0) {
      lines.add("mistakes not shown: " + why.more());
    }
    ProgramException placed = new ProgramException(String.join("\n", lines));
    placed.initCause(why);
    return placed;
  }

  /** The lines of the file, for pictures and tables. */
  TraceSource source() {
    Map<String, List<Integer>> operations = new HashMap<>();
    parsed
        .operations()
        .forEach((lane, at) -> operations.put(lane, at.stream().map(TextPosition::line).toList()));
    return new TraceSource(path.toString(), text.lines().toList(), operations);
  }
}
