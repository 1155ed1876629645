package dev.oriel.sim.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Every exhibit: one for each file of the museum's folder, class by class and then by name. */
public record Catalogue(List<Exhibit> exhibits) {
  private static final String GUIDE = "/museum/README.txt";
  private static final String SUFFIX = ".oriel";

  /** B9 stands before B10. */
  private static final Comparator<Exhibit> ORDER =
      Comparator.comparing(Exhibit::family)
          .thenComparing(e -> e.id().replaceAll("\\d", ""))
          .thenComparing(e -> Integer.parseInt("0" + e.id().replaceAll("\\D", "")))
          .thenComparing(Exhibit::id);

  public Catalogue {
    exhibits = exhibits.stream().sorted(ORDER).toList();
    exhibits.stream()
        .flatMap(e -> e.rows().stream())
        .map(row -> row.toLowerCase(Locale.ROOT))
        .sorted()
        .reduce((a, b) -> {
          if (a.equals(b)) {
            throw new IllegalArgumentException(
                "two exhibits of one row: row=%s; drop one of them".formatted(a));
          }
          return b;
        });
  }

  /** The exhibits that come along with the simulator. */
  public static Catalogue read() {
    URL guide =
        Objects.requireNonNull(
            Catalogue.class.getResource(GUIDE), "the museum is missing: file=" + GUIDE);
    try {
      URI place = guide.toURI();
      if (!place.getScheme().equals("jar")) {
        return of(Path.of(place).resolveSibling(""));
      }
      try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
        return of(jar.getPath(GUIDE).resolveSibling(""));
      }
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
