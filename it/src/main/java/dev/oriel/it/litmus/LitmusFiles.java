package dev.oriel.it.litmus;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The files below a folder in the order of their paths, so equal folders give equal reports. A file
 * that is no litmus test by its name, or cannot be read, has the reason with it.
 */
final class LitmusFiles extends SimpleFileVisitor<Path> {
  private static final String SUFFIX = ".litmus";

  /** A file, and why it is left out; empty if it is not. */
  record FoundFile(Path path, String skipReason) {
    static FoundFile test(Path path) {
      return new FoundFile(path, "");
    }
  }

  private final List<FoundFile> found = new ArrayList<>();

  private LitmusFiles() {}

  /** Those files, and the files below those folders. */
  static List<FoundFile> named(CommandSpec spec, List<Path> paths) {
    List<FoundFile> files = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isRegularFile(path)) {
        files.add(FoundFile.test(path));
      } else if (Files.isDirectory(path)) {
        files.addAll(tests(spec, path));
      } else {
        throw wrong(spec, "no such file or folder: path=" + path + "; check the path");
      }
    }
    return files;
  }

  private static List<FoundFile> tests(CommandSpec spec, Path folder) {
    try {
      List<FoundFile> found = below(folder);
      if (found.stream().noneMatch(file -> file.skipReason().isEmpty())) {
        throw wrong(spec, "no litmus tests: folder=" + folder + "; name one with *.litmus files");
      }
      return found;
    } catch (IOException e) {
      throw wrong(
          spec, "cannot read the folder: path=%s, reason=%s; check it".formatted(folder, e));
    }
  }

  private static ParameterException wrong(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  static List<FoundFile> below(Path folder) throws IOException {
    LitmusFiles visitor = new LitmusFiles();
    Files.walkFileTree(folder, visitor);
    visitor.found.sort(Comparator.comparing(FoundFile::path));
    return visitor.found;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (!file.toString().endsWith(SUFFIX)) {
      found.add(new FoundFile(file, "not named *" + SUFFIX));
    } else if (!Files.isRegularFile(file)) {
      found.add(new FoundFile(file, "not a regular file"));
    } else {
      found.add(FoundFile.test(file));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException reason) {
    found.add(new FoundFile(file, "cannot be opened: " + reason.getClass().getSimpleName()));
    return FileVisitResult.CONTINUE;
  }
}
