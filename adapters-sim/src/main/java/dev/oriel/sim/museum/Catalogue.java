package dev.oriel.sim.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every exhibit: one for each file of the museum's folder, class by class and then by name. */
public record Catalogue(List<Exhibit> exhibits) {
  private static final String GUIDE = "/museum/README.txt";
  private static final String SUFFIX = ".oriel";

  /** B9 stands before B10. */
  private static final Comparator<Exhibit> ORDER =
      Comparator.comparing(Exhibit::family)
          .thenComparing(e -> e.id().replaceAll("\\d", ""))
          .thenComparingInt(e -> Integer.parseInt("0" + e.id().replaceAll("\\D", "")))
          .thenComparing(Exhibit::id);

  public Catalogue {
    exhibits = exhibits.stream().sorted(ORDER).toList();
    Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (Exhibit exhibit : exhibits) {
      for (String row : exhibit.rows()) {
        if (!known.add(row)) {
          throw new IllegalArgumentException(
              "two exhibits of one row: row=%s; drop one of them".formatted(row));
        }
      }
    }
  }

  /** The exhibits that come along with the simulator. */
  public static Catalogue read() {
    return beside(
        Objects.requireNonNull(
            Catalogue.class.getResource(GUIDE), "the museum is missing: file=" + GUIDE));
  }

  /** The exhibits in the folder of that file, which may lie in a jar. */
  static Catalogue beside(URL guide) {
    try {
      if (guide.openConnection() instanceof JarURLConnection connection) {
        Path jar = Path.of(connection.getJarFileURL().toURI());
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
          return of(files.getPath(connection.getEntryName()).resolveSibling(""));
        }
      }
      return of(Path.of(guide.toURI()).resolveSibling(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place of the museum: url=" + guide, e);
    }
  }

  /** The exhibits of a folder. */
  static Catalogue of(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return new Catalogue(
          files.filter(file -> name(file).endsWith(SUFFIX)).map(Catalogue::exhibit).toList());
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static Exhibit exhibit(Path file) {
    try {
      return ExhibitText.read(name(file), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The exhibit that stands for that row. */
  public Optional<Exhibit> find(String row) {
    return exhibits.stream().filter(e -> e.isOf(row)).findFirst();
  }
}
