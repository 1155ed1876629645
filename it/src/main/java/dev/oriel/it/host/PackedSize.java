package dev.oriel.it.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The size of a folder, and its size when packed by {@code tar cz}, except for some hundred bytes a
 * file.
 */
record PackedSize(int files, long bytes, long packed) {

  static PackedSize of(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    long bytes = 0;
    Deflater deflater = new Deflater();
    try (OutputStream packing =
        new DeflaterOutputStream(OutputStream.nullOutputStream(), deflater)) {
      for (Path file : files) {
        bytes += Files.copy(file, packing);
      }
    }
    long packed = deflater.getBytesWritten();
    deflater.end();
    return new PackedSize(files.size(), bytes, packed);
  }

  /** The complaint if the packed size exceeds the limit; empty if it does not. */
  Optional<String> refusal(long most) {
    return packed <= most
        ? Optional.empty()
        : Optional.of(
            "bundle too large: packed=%d, max=%d; see which of its files grew"
                .formatted(packed, most));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d files, %.1f MB, packed %.1f MB", files, bytes / 1e6, packed / 1e6);
  }
}
