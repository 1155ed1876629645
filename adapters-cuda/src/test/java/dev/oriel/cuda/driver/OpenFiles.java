package dev.oriel.cuda.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The open sockets of this process, for tests that must leave none. */
public final class OpenFiles {
  private OpenFiles() {}

  /** The target of each, in order. */
  public static List<String> sockets() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files
          .map(OpenFiles::target)
          .filter(target -> target.startsWith("socket:"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "closed meanwhile";
    }
  }
}
