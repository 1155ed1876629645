package dev.oriel.it.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The width of a terminal, within the limits of a table. */
final class TerminalWidth {
  /** A narrower table is not readable, so its lines then wrap. */
  private static final int NARROWEST = 80;

  /** Longer lines are not read. */
  private static final int WIDEST = 300;

  private static final int TIMEOUT_MILLIS = 500;

  private TerminalWidth() {}

  /** The width that {@code COLUMNS} states; empty if it states no positive number. */
  static OptionalInt stated(Map<String, String> environment) {
    return parsed(environment.getOrDefault("COLUMNS", ""));
  }

  /** The width of the terminal of this process, as {@code stty} measures it; empty if it cannot. */
  static OptionalInt ofDevice() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!stty.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        stty.destroy();
        return OptionalInt.empty();
      }
      String size = new String(stty.getInputStream().readNBytes(64), StandardCharsets.US_ASCII);
      String[] rowsAndColumns = size.strip().split(" ", -1);
      return rowsAndColumns.length == 2 ? parsed(rowsAndColumns[1]) : OptionalInt.empty();
    } catch (IOException noStty) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  private static OptionalInt parsed(String columns) {
    return columns.matches("[1-9][0-9]{0,4}")
        ? OptionalInt.of(Math.clamp(Integer.parseInt(columns), NARROWEST, WIDEST))
        : OptionalInt.empty();
  }
}
