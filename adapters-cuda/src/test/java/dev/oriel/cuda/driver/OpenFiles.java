package dev.oriel.cuda.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sockets that this process has open, for tests that want none left. */
public final class OpenFiles {
  private OpenFiles() {}

  /** What each is, in order. */
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
