package dev.oriel.sim.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Exhibits and variations of them, for tests. */
final class CaseStudyFixtures {
  private static final Path FOLDER = Path.of("src/main/resources/museum");

  private CaseStudyFixtures() {}

  static Path file(String id) {
    return FOLDER.resolve(id + ".oriel");
  }

  static String text(String id) {
    try {
      return Files.readString(file(id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CaseStudyPrograms showcase(String id) {
    return CaseStudyParser.read(id, text(id)).showcase().orElseThrow();
  }

  /** The exhibit with a part of its text replaced, which must occur in it. */
  static CaseStudy with(String id, String old, String replacement) {
    String text = text(id);
    if (!text.contains(old)) {
      throw new IllegalArgumentException("not there: " + old);
    }
    return CaseStudyParser.read(id, text.replace(old, replacement));
  }
}
