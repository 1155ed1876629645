package dev.oriel.sim.levels;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder with the kept levels of one check. A check may make more than one search, each with a
 * folder of its own in there. What another program, other options or another build of Oriel kept is
 * refused, never continued.
 */
public final class KeepFolder {
  private static final String FILE = "search.txt";
  private static final long MOST = 1 << 20;

  private final Path folder;

  /** A folder that may exist. */
  public KeepFolder(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  /** The folder itself. */
  public Path path() {
    return folder;
  }

  /**
   * The kept levels of that search, which may be none yet.
   *
   * @throws MachineException if the folder belongs to another check, or cannot be written
   */
  public LevelFolder of(SearchJob job) {
    Map<String, String> wanted = new TreeMap<>(job.facts());
    wanted.put("release", job.release());
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(FILE);
      if (Files.exists(file)) {
        require(wanted, file);
      } else {
        requireEmpty();
        AtomicFileWriter.write(file, text(wanted));
      }
      return new LevelFolder(
          Files.createDirectories(folder.resolve(job.digest())).toString(), job.rooms());
    } catch (IOException e) {
      throw MachineException.lacking(
          "no folder for kept levels: folder=%s, reason=%s; give one that can be written"
              .formatted(folder, e),
          e);
    }
  }

  private static String text(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + "=" + fact.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private void require(Map<String, String> wanted, Path file) throws IOException {
    if (Files.size(file) > MOST) {
      throw refused("text", "too long");
    }
    Map<String, String> kept = new TreeMap<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      int at = line.indexOf('=');
      kept.put(line.substring(0, Math.max(0, at)), line.substring(at + 1));
    }
    for (Map.Entry<String, String> fact : wanted.entrySet()) {
      String other = kept.getOrDefault(fact.getKey(), "nothing");
      if (!other.equals(fact.getValue())) {
        throw refused(fact.getKey(), "kept=%s, given=%s".formatted(other, fact.getValue()));
      }
    }
  }

  private MachineException refused(String field, String difference) {
    return new MachineException(
        "levels of another search: folder=%s, different=%s, %s; name a new folder, or remove this one to begin anew"
            .formatted(folder, field, difference));
  }

  private void requireEmpty() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isPresent()) {
        throw new MachineException(
            "not a folder of kept levels: folder=%s; name an empty or a new one".formatted(folder));
      }
    }
  }
}
