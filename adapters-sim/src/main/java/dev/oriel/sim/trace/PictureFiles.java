package dev.oriel.sim.trace;

import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Writes the picture that a file's suffix selects. */
public final class PictureFiles {
  private PictureFiles() {}

  /**
   * Writes a picture as UTF-8 and replaces the file's content, as a whole or not at all.
   *
   * @throws IllegalArgumentException if no picture has that suffix; nothing is written then
   */
  public static void write(TraceRecording recording, Path file) throws IOException {
    TracePicture picture = of(file);
    AtomicFileWriter.write(file, out -> picture.draw(recording, out));
  }

  /** The picture that a file's suffix selects, so a wrong name is refused before the run. */
  public static TracePicture of(Path file) {
    Path last = file.getFileName();
    String name = last == null ? "" : last.toString();
    int dot = name.lastIndexOf('.');
    return switch (dot < 0 ? "" : name.substring(dot).toLowerCase(Locale.ROOT)) {
      case ".txt" -> new InterleavingTable();
      case ".json" -> new ChromeTrace();
      case ".shiviz", ".log" -> new ShivizLog();
      case ".html" -> new HtmlPage();
      default ->
          throw new IllegalArgumentException(
              "no picture has that suffix: file="
                  + TerminalText.line(file.toString())
                  + "; end it in .txt (table), .json (Perfetto), .shiviz or .log (ShiViz), or .html"
                  + " (a page for any browser)");
    };
  }
}
