package dev.oriel.ibverbs;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Texts that were checked once; {@code -Doriel.golden=write} writes them anew. */
final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final int SHOWN = 12;

  private Golden() {}

  static void check(String file, String found) {
    Path path = FOLDER.resolve(file);
    try {
      if ("write".equals(System.getProperty("oriel.golden"))) {
        Files.createDirectories(FOLDER);
        Files.writeString(path, found);
        return;
      }
      List<String> differences =
          differences(
              Files.exists(path) ? Files.readAllLines(path) : List.of(), found.lines().toList());
      if (!differences.isEmpty()) {
        fail(
            "golden file differs: file=%s, lines=%d; read the difference, then -Doriel.golden=write%n%s"
                .formatted(
                    path,
                    differences.size(),
                    String.join("\n", differences.stream().limit(SHOWN).toList())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> differences(List<String> expected, List<String> found) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      String was = i < expected.size() ? expected.get(i) : "(nothing)";
      String is = i < found.size() ? found.get(i) : "(nothing)";
      if (!was.equals(is)) {
        differences.add("line %d%n  - %s%n  + %s".formatted(i + 1, was, is));
      }
    }
    return differences;
  }
}
