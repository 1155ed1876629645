package dev.oriel.it;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The output of results. It remembers the reason of a failed write; writers on top of it only
 * report that something failed.
 */
final class StandardOut extends FilterOutputStream {
  private @Nullable IOException first;

  StandardOut(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  private IOException remembered(IOException e) {
    first = first == null ? e : first;
    return e;
  }

  /** Why results are lost; empty if they are not, or if the reader closed the pipe. */
  Optional<String> lost() {
    return Optional.ofNullable(first)
        .map(e -> String.valueOf(e.getMessage()))
        .filter(reason -> !reason.toLowerCase(Locale.ROOT).contains("broken pipe"));
  }
}
