package dev.oriel.sim.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A file could not be written; its previous content is unchanged. */
public final class FileWriteException extends FileSystemException {
  FileWriteException(Path file, IOException cause) {
    super(file.toString(), null, reason(cause));
    initCause(cause);
  }

  private static String reason(IOException cause) {
    String own =
        cause instanceof FileSystemException failed ? failed.getReason() : cause.getMessage();
    return own == null ? cause.getClass().getSimpleName() : own;
  }

  @Override
  public String getMessage() {
    return "file not written: file=%s, reason=%s; make room or name another, what it held before is as it was"
        .formatted(getFile(), getReason());
  }
}
