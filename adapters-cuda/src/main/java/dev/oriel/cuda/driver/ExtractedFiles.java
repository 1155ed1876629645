package dev.oriel.cuda.driver;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/**
 * Extracts files to be loaded, each into a folder named after a digest of its bytes. Any number of
 * processes may extract at once. A file gets its name only once it is complete. An incomplete file
 * is replaced; a process that has it open keeps the old one.
 */
final class ExtractedFiles {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  private ExtractedFiles() {}

  /** Extracts a file if needed; returns its folder, in the temporary folder of this user. */
  static Path folder(byte[] bytes, String name) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    return folder(temporary.resolve("oriel-" + System.getProperty("user.name")), bytes, name);
  }

  /**
   * Extracts a file if needed; returns its folder.
   *
   * @param root of this user; no other may write there
   */
  private static Path folder(Path root, byte[] bytes, String name) throws IOException {
    Path folder = owned(owned(root).resolve(digest(bytes)));
    Path file = folder.resolve(name);
    if (!holds(file, bytes)) {
      Path part = Files.createTempFile(folder, "part", null);
      try {
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
    return folder;
  }

  private static boolean holds(Path file, byte[] bytes) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) == bytes.length
        && Arrays.equals(Files.readAllBytes(file), bytes);
  }

  /** A folder into which no other user could have put a file. */
  private static Path owned(Path path) throws IOException {
    try {
      return Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          || !Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(owner())
          || !Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE)) {
        throw new IOException("folder is not this user's alone: path=" + path, e);
      }
      return path;
    }
  }

  /** The user that this process runs as. */
  private static java.nio.file.attribute.UserPrincipal owner() throws IOException {
    return Files.getOwner(Path.of("/proc/self"));
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
