package dev.oriel.sim.rows;

import dev.oriel.sim.rows.Row.Edit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Reads the rows and their texts from the resources; rows.txt describes the format. */
@SuppressWarnings("StringSplitter")
final class RowTable {
  static final List<Row> ALL = read();

  private RowTable() {}

  static String text(String file) {
    String folder = file.endsWith(".litmus") ? "/litmus/" : "/rows/";
    try (InputStream in =
        Objects.requireNonNull(RowTable.class.getResourceAsStream(folder + file), file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.replaceAll(" +", " ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Row> read() {
    List<Row> rows = new ArrayList<>();
    List<Edit> edits = new ArrayList<>();
    for (String line : text("rows.txt").lines().toList()) {
      if (line.startsWith("#") || line.isBlank()) {
        continue;
      }
      if (line.startsWith(" ")) {
        String[] parts = line.split("=>", 2);
        edits.add(new Edit(piece(parts[0]), piece(parts[1])));
        rows.set(rows.size() - 1, with(rows.getLast(), edits));
        continue;
      }
      edits.clear();
      rows.add(row(Arrays.stream(line.split("\\|")).map(String::strip).toList(), line));
    }
    return List.copyOf(rows);
  }

  private static String piece(String text) {
    return text.strip().replace("\\n", "\n");
  }

  private static Row row(List<String> f, String line) {
    if (f.get(1).equals("not expressible")) {
      return new Row(f.get(0), "", "", 1, "", List.of("F"), false, f.get(2), List.of());
    }
    if (f.size() < 5) {
      throw new IllegalArgumentException("a row has five fields or six: " + line);
    }
    String[] world = f.get(2).split("\\*");
    List<String> found = Arrays.asList(f.get(4).split(" "));
    boolean full = !found.getLast().equals("sync");
    return new Row(
        f.get(0),
        f.get(1),
        world[0],
        world.length > 1 ? Integer.parseInt(world[1]) : 1,
        f.get(3),
        full ? found : found.subList(0, found.size() - 1),
        full,
        f.size() > 5 ? f.get(5) : "",
        List.of());
  }

  private static Row with(Row r, List<Edit> edits) {
    return new Row(
        r.name(),
        r.file(),
        r.world(),
        r.launches(),
        r.profile(),
        r.found(),
        r.full(),
        r.note(),
        List.copyOf(edits));
  }
}
