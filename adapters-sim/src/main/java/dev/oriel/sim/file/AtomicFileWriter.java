package dev.oriel.sim.file;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;

/**
 * Writes files as a whole or not at all: into a new file in the same folder, which then takes the
 * file's name in one step. Readers find either the previous content or all of the new text, and a
 * failure leaves the previous content.
 *
 * <p>A device or a pipe cannot be replaced in this way, so it is written directly. For a link, its
 * target is replaced.
 */
public final class AtomicFileWriter {
  private AtomicFileWriter() {}

  /** The content of a file. */
  @FunctionalInterface
  public interface Content {
    void write(Writer out) throws IOException;
  }

  /**
   * Writes a text as UTF-8.
   *
   * @throws FileWriteException if that failed, with the reason
   */
  public static void write(Path path, String text) throws FileWriteException {
    write(path, out -> out.write(text));
  }

  /**
   * Writes the output of {@code content} as UTF-8.
   *
   * @throws FileWriteException if that failed, with the reason
   */
  public static void write(Path path, Content content) throws FileWriteException {
    try {
      if (Files.isSymbolicLink(path) && !Files.exists(path)) {
        throw new IOException("a link to nowhere");
      }
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        try (Writer out = Files.newBufferedWriter(path)) {
          content.write(out);
        }
      } else {
        replace(Files.exists(path) ? path.toRealPath() : path.toAbsolutePath(), content);
      }
    } catch (IOException e) {
      throw new FileWriteException(path, e);
    }
  }

  private static void replace(Path file, Content content) throws IOException {
    for (int number = 0; ; number++) {
      // The name is short, so it fits in every folder in which the file's own name fits.
      Path beside =
          file.resolveSibling(".oriel-%d-%d.new".formatted(ProcessHandle.current().pid(), number));
      FileChannel channel;
      try {
        channel = FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        // The name is in use by another thread, or left over from a killed process.
        continue;
      }
      boolean moved = false;
      try {
        try (channel) {
          fill(channel, content);
        }
        keepPermissions(file, beside);
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        moved = true;
      } finally {
        // Once moved, the name is free. Another host may have taken it, with the same process id.
        if (!moved) {
          Files.deleteIfExists(beside);
        }
      }
      return;
    }
  }

  private static void fill(FileChannel channel, Content content) throws IOException {
    Writer out =
        new BufferedWriter(
            new OutputStreamWriter(Channels.newOutputStream(channel), StandardCharsets.UTF_8));
    content.write(out);
    out.flush();
    // Some file systems report a full disk only here.
    channel.force(true);
  }

  private static void keepPermissions(Path file, Path beside) throws IOException {
    if (Files.exists(file)
        && Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
      Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(file));
    }
  }
}
