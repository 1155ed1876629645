package dev.oriel.sim.museum;

import static java.util.Comparator.comparing;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All exhibits, one for each file of the museum's folder, ordered by class and then by name.
 *
 * @param unreadable files that are malformed; they do not prevent the others
 */
public record CaseStudyCatalogue(List<CaseStudy> exhibits, List<Unreadable> unreadable) {
  private static final String GUIDE = "/museum/README.txt";
  private static final String SUFFIX = ".oriel";

  /** A file that is no exhibit, with the reason. */
  public record Unreadable(String file, String reason) {}

  /** B9 precedes B10. */
  private static final Comparator<CaseStudy> ORDER =
      Comparator.comparing(CaseStudy::family)
          .thenComparing(e -> e.id().replaceAll("\\d", ""))
          .thenComparingInt(e -> Integer.parseInt("0" + e.id().replaceAll("\\D", "")))
          .thenComparing(CaseStudy::id);

  public CaseStudyCatalogue {
    exhibits = exhibits.stream().sorted(ORDER).toList();
    unreadable = List.copyOf(unreadable);
  }

  /** The exhibits shipped with the simulator. */
  public static CaseStudyCatalogue read() {
    return beside(
        Objects.requireNonNull(
            CaseStudyCatalogue.class.getResource(GUIDE), "the museum is missing: file=" + GUIDE));
  }

  /** The exhibits in the folder of that file, which may be in a jar. */
  static CaseStudyCatalogue beside(URL guide) {
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
  static CaseStudyCatalogue of(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> files = Files.list(folder)) {
      paths =
          files
              .filter(f -> name(f).endsWith(SUFFIX))
              .sorted(comparing(CaseStudyCatalogue::name))
              .toList();
    }
    List<CaseStudy> exhibits = new ArrayList<>();
    List<Unreadable> unreadable = new ArrayList<>();
    Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (Path path : paths) {
      try {
        CaseStudy exhibit = CaseStudyParser.read(name(path), Files.readString(path));
        alone(exhibit, known);
        exhibits.add(exhibit);
      } catch (IOException | IllegalArgumentException | MachineException e) {
        unreadable.add(new Unreadable(name(path), String.valueOf(e.getMessage())));
      }
    }
    return new CaseStudyCatalogue(exhibits, unreadable);
  }

  private static void alone(CaseStudy exhibit, Set<String> known) {
    for (String row : exhibit.rows()) {
      if (known.contains(row)) {
        throw new IllegalArgumentException(
            "two exhibits of one row: row=%s; drop one of them".formatted(row));
      }
    }
    known.addAll(exhibit.rows());
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The exhibit that covers that row. */
  public Optional<CaseStudy> find(String row) {
    return exhibits.stream().filter(e -> e.isOf(row)).findFirst();
  }

  /** Why no exhibit covers that row, and what to do. */
  public String missing(String row) {
    return unreadable.stream()
        .filter(bad -> bad.file().equalsIgnoreCase(row + SUFFIX))
        .findFirst()
        .map(bad ->
            "its exhibit is wrong: row=%s, file=%s: %s".formatted(row, bad.file(), bad.reason()))
        .orElse("no such row: row=%s; 'oriel museum' lists them".formatted(row));
  }
}
