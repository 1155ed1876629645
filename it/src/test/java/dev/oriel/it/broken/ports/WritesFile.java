package dev.oriel.it.broken.ports;

import java.io.FileOutputStream;
import java.io.IOException;

/** A port that writes a file. */
final class WritesFile {
  FileOutputStream open(String name) throws IOException {
    return new FileOutputStream(name);
  }
}
