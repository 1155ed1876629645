package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Programs of which at least one distinguishes a changed engine from the right one. A newly loaded
 * engine is slow in every program, so the order matters: first the program that a resource file
 * names for the change, then the one that detected the last change, then all others.
 *
 * <p>A missing or wrong line in that file costs only time. {@code -Pthorough
 * -Doriel.witnesses=write} writes it anew.
 */
final class Witnesses {
  private static final boolean WRITES = "write".equals(System.getProperty("oriel.witnesses"));

  private final Path file;
  private final Map<String, String> known = new TreeMap<>();
  private final List<String> order;

  /** The programs, and the name of the file. */
  Witnesses(String name, Collection<String> programs) {
    file = Path.of("src/test/resources/dev/oriel/sim/oracle/witnesses", name + ".txt");
    order = new ArrayList<>(programs);
    if (!WRITES && Files.exists(file)) {
      lines().forEach(line -> known.put(line.substring(0, 8), line.substring(9)));
    }
  }

  /** Whether any program detects that change. */
  boolean any(EngineMutant mutant, Predicate<String> detects) {
    String change = digest(mutant.file() + "\n" + mutant.line() + "\n" + mutant.becomes());
    String witness = known.get(change);
    if (witness != null) {
      for (String program : order) {
        if (digest(program).equals(witness) && detects.test(program)) {
          return true;
        }
      }
    }
    for (int i = 0; i < order.size(); i++) {
      String program = order.get(i);
      if (detects.test(program)) {
        order.remove(i);
        order.addFirst(program);
        known.put(change, digest(program));
        return true;
      }
    }
    return false;
  }

  /** Writes the witnesses that were found to the file, if this was requested. */
  void write() {
    if (WRITES) {
      List<String> lines =
          known.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
      try {
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String text) {
    return "%08x".formatted(text.hashCode());
  }
}
