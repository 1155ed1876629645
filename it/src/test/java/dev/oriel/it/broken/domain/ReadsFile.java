package dev.oriel.it.broken.domain;

import java.nio.file.Files;
import java.nio.file.Path;

/** Breaks the domain's purity. */
final class ReadsFile {
  boolean there(String name) {
    return Files.exists(Path.of(name));
  }
}
