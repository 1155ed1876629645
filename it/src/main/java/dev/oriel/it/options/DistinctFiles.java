package dev.oriel.it.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The files of one command. An output must not replace an input or another output. */
public final class DistinctFiles {
  private final CommandSpec spec;
  private final Map<String, Path> files = new LinkedHashMap<>();

  public DistinctFiles(CommandSpec spec) {
    this.spec = spec;
  }

  /** Adds a file, if it was named, with its option. */
  public DistinctFiles with(String option, @Nullable Path file) throws IOException {
    if (file == null) {
      return this;
    }
    for (Map.Entry<String, Path> other : files.entrySet()) {
      if (same(file, other.getValue())) {
        throw new ParameterException(
            spec.commandLine(),
            "one file for two things: file=%s, first=%s, second=%s; name another"
                .formatted(file, other.getKey(), option));
      }
    }
    files.put(option, file);
    return this;
  }

  private static boolean same(Path one, Path other) throws IOException {
    return (Files.exists(one) && Files.exists(other))
        ? Files.isSameFile(one, other)
        : one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }
}
