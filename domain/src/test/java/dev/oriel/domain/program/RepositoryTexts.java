package dev.oriel.domain.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Every program text in the sources of all modules: shipped ones, exhibits and those of tests. */
public final class RepositoryTexts {
  private static final List<String> MODULES =
      List.of("domain", "ports", "adapters-sim", "adapters-cuda", "adapters-ibverbs", "it");

  /** Fewer would mean that the search looks in the wrong place. */
  private static final int LEAST = 400;

  private RepositoryTexts() {}

  /** Their files, in order. */
  public static List<Path> files() {
    List<Path> files =
        MODULES.stream()
            .map(module -> Path.of("..", module, "src"))
            .flatMap(RepositoryTexts::below)
            .filter(file -> file.toString().endsWith(".oriel"))
            .sorted()
            .toList();
    assertThat(files).hasSizeGreaterThan(LEAST);
    return files;
  }

  private static Stream<Path> below(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The texts that are forms; a few files are exhibits without a program. */
  public static List<Path> programs() {
    List<Path> programs = files().stream().filter(file -> parses(text(file))).toList();
    assertThat(programs).hasSizeGreaterThan(LEAST);
    return programs;
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static boolean parses(String text) {
    try {
      return !FormParser.parse(text).name().isEmpty();
    } catch (ProgramException e) {
      return false;
    }
  }
}
