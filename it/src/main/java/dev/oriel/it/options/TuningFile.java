package dev.oriel.it.options;

import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.TuningStore;
import dev.oriel.sim.file.AtomicFileWriter;
import dev.oriel.sim.file.FileWriteException;
import dev.oriel.sim.store.MemoryTuningStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Remembers configurations in a file: a key, a tab and its configuration on each line, in the order
 * of keys. The file is read once and replaced as a whole, so concurrent writers may lose entries
 * but never corrupt lines.
 */
public final class TuningFile implements TuningStore {
  private final Path path;
  private final Map<String, String> all = new TreeMap<>();

  /** Checks which texts may be stored. */
  private final TuningStore known = new MemoryTuningStore();

  public TuningFile(Path path) {
    this.path = path;
    requireRegular();
    try {
      int number = 0;
      for (String line : Files.readString(path).split("\n", -1)) {
        number++;
        if (!line.isEmpty()) {
          read(line, number);
        }
      }
    } catch (NoSuchFileException e) {
      // Nothing has been stored yet.
    } catch (IOException e) {
      throw new MachineException(
          "cannot read choices: path=%s, reason=%s; check the file"
              .formatted(path, UnreadableReason.reason(e)),
          e);
    }
  }

  /** A device, a pipe or a dangling link would be replaced, or would block. */
  private void requireRegular() {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path)) {
      throw new MachineException(
          "choices are kept in a regular file: path=%s; name another file".formatted(path));
    }
  }

  private void read(String line, int number) {
    String[] parts = line.split("\t", -1);
    try {
      if (parts.length == 2) {
        String key = plain(parts[0]);
        known.keep(key, plain(parts[1]));
        all.put(key, plain(parts[1]));
        return;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, with the line.
    }
    throw new MachineException(
        "no choice: path=%s, line=%d; it is a key, a tab and a choice, remove the line"
            .formatted(path, number));
  }

  /** The kinds of GPU on which a choice for that key was measured. */
  synchronized List<String> measured(TuningKey key) {
    String measured = key.measuredOn("").text();
    return all.keySet().stream()
        .filter(each -> each.startsWith(measured))
        .map(each -> each.substring(measured.length()))
        .toList();
  }

  @Override
  public synchronized Optional<String> find(String key) {
    return known.find(key);
  }

  @Override
  public synchronized void keep(String key, String configuration) {
    known.keep(key, configuration);
    all.put(key, configuration);
    try {
      requireRegular();
      AtomicFileWriter.write(
          path,
          all.entrySet().stream()
              .map(e -> escaped(e.getKey()) + "\t" + escaped(e.getValue()) + "\n")
              .collect(Collectors.joining()));
    } catch (FileWriteException e) {
      throw MachineException.lacking("a choice is not kept: " + e.getMessage(), e);
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }

  private static String plain(String text) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      out.append(c == '\\' ? meant(at < text.length() ? text.charAt(at++) : ' ') : c);
    }
    return out.toString();
  }

  private static char meant(char letter) {
    return switch (letter) {
      case '\\' -> '\\';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> throw new IllegalArgumentException("no such escape: letter=" + letter);
    };
  }
}
