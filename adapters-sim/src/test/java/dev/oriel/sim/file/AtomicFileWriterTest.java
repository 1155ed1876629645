package dev.oriel.sim.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileWriterTest {
  @TempDir private Path folder;

  private static List<String> names(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFileIsCreatedOrReplaced() throws IOException {
    Path file = folder.resolve("a.json");
    AtomicFileWriter.write(file, "one\u00e9");
    AtomicFileWriter.write(file, "two\u20ac");
    assertThat(Files.readString(file)).isEqualTo("two\u20ac");
    assertThat(names(folder)).containsExactly("a.json");
  }

  @Test
  void aFailedWriteKeepsTheOldFile() throws IOException {
    Path file = folder.resolve("a.html");
    AtomicFileWriter.write(file, "before");
    assertThatExceptionOfType(FileWriteException.class)
        .isThrownBy(() ->
            AtomicFileWriter.write(
                file,
                out -> {
                  out.write("half".repeat(10_000));
                  throw new IOException("No space left on device");
                }))
        .withMessageContaining("file not written: file=" + file)
        .withMessageContaining("reason=No space left on device; make room or name another");
    assertThat(Files.readString(file)).isEqualTo("before");
    assertThat(names(folder)).containsExactly("a.html");
  }

  @Test
  void anErrorOfTheWriterKeepsTheOldFile() throws IOException {
    Path file = folder.resolve("a.txt");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            AtomicFileWriter.write(
                file,
                out -> {
                  out.write("half");
                  throw new IllegalStateException("defect");
                }));
    assertThat(names(folder)).isEmpty();
  }

  @Test
  void readersNeverSeeAPartialFile() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFileWriter.write(file, "before");
    AtomicFileWriter.write(
        file,
        out -> {
          out.write("x".repeat(100_000));
          out.flush();
          assertThat(Files.readString(file)).isEqualTo("before");
        });
    assertThat(Files.size(file)).isEqualTo(100_000);
  }

  @Test
  void aLinkRemainsAndItsTargetIsReplaced() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFileWriter.write(file, "before");
    Path link = Files.createSymbolicLink(folder.resolve("link.txt"), file);
    AtomicFileWriter.write(link, "linked");
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).isEqualTo("linked");
    Path nowhere =
        Files.createSymbolicLink(folder.resolve("nowhere.txt"), folder.resolve("gone.txt"));
    assertThatExceptionOfType(FileWriteException.class)
        .isThrownBy(() -> AtomicFileWriter.write(nowhere, "x"))
        .withMessageContaining("reason=a link to nowhere");
    assertThat(nowhere).isSymbolicLink();
  }

  @Test
  void permissionsRemain() throws IOException {
    Path file = folder.resolve("a.txt");
    AtomicFileWriter.write(file, "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    AtomicFileWriter.write(file, "linked");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  /** Names may have the maximum length of the file system, and a killed process leaves a file. */
  @Test
  void longNamesAndLeftOverFilesAreHandled() throws IOException {
    Path left = folder.resolve(".oriel-%d-0.new".formatted(ProcessHandle.current().pid()));
    Files.writeString(left, "half");
    Path file = folder.resolve("n".repeat(250) + ".json");
    AtomicFileWriter.write(file, "whole");
    assertThat(Files.readString(file)).isEqualTo("whole");
    assertThat(Files.readString(left)).isEqualTo("half");
  }

  @Test
  void aMissingFolderIsNamed() {
    assertThatExceptionOfType(FileWriteException.class)
        .isThrownBy(() -> AtomicFileWriter.write(folder.resolve("no/a.txt"), "x"))
        .withMessageContaining("NoSuchFileException");
  }

  @Test
  void aDeviceIsWrittenToAndMayBeFull() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    assertThatExceptionOfType(FileWriteException.class)
        .isThrownBy(() -> AtomicFileWriter.write(full, "x"))
        .withMessageContaining("No space left on device");
    AtomicFileWriter.write(Path.of("/dev/null"), "x");
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  /** A disk of 64 KiB, if this user may mount one. */
  @Test
  void aFullDiskKeepsTheOldFile() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(done("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()));
    try {
      Path file = disk.resolve("a.html");
      AtomicFileWriter.write(file, "before");
      for (int bytes : new int[] {70_000, 1_000_000}) {
        assertThatExceptionOfType(FileWriteException.class)
            .isThrownBy(() -> AtomicFileWriter.write(file, "x".repeat(bytes)))
            .withMessageContaining("No space left on device");
        assertThat(Files.readString(file)).isEqualTo("before");
        assertThat(names(disk)).containsExactly("a.html");
      }
      AtomicFileWriter.write(file, "x".repeat(40_000));
      assertThat(Files.size(file)).isEqualTo(40_000);
    } finally {
      assertThat(done("umount", disk.toString())).isTrue();
    }
  }

  private static boolean done(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
