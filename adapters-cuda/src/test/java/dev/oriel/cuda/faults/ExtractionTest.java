package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JCuda's library is extracted whole by any number of concurrent processes. */
final class ExtractionTest {
  private static final int PROCESSES = 8;

  @TempDir static Path folder;

  @BeforeAll
  static void compile() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
  }

  private static void allOpen(Path temporary) throws IOException, InterruptedException {
    List<Process> started = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      started.add(FakedProcess.start(folder, temporary, ExtractingProcess.class));
    }
    for (Process process : started) {
      assertThat(FakedProcess.output(process)).containsExactly("gpus 2");
    }
  }

  /** The one file that was extracted; no other file is left. */
  private static Path library(Path temporary) throws IOException {
    try (Stream<Path> all = Files.walk(temporary)) {
      List<Path> files =
          all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
              .filter(path -> !path.toString().contains("hsperfdata"))
              .toList();
      assertThat(files).hasSize(1);
      return files.getFirst();
    }
  }

  @Test
  void processesThatStartAtOnceAllLoadAWholeFile(@TempDir Path temporary)
      throws IOException, InterruptedException {
    allOpen(temporary);
    assertThat(library(temporary).toString()).matches(".*/[0-9a-f]{64}/libJCudaDriver-.*");
  }

  @Test
  void aPartialFileIsReplaced(@TempDir Path temporary) throws IOException, InterruptedException {
    assertThat(FakedProcess.output(FakedProcess.start(folder, temporary, ExtractingProcess.class)))
        .containsExactly("gpus 2");
    Path library = library(temporary);
    byte[] whole = Files.readAllBytes(library);
    Files.write(library, Arrays.copyOf(whole, whole.length / 2));
    allOpen(temporary);
    assertThat(Files.readAllBytes(library(temporary))).isEqualTo(whole);
  }

  @Test
  void aFolderThatOthersMayWriteToIsRefused(@TempDir Path temporary)
      throws IOException, InterruptedException {
    Path own = temporary.resolve("oriel-" + System.getProperty("user.name"));
    Files.createDirectory(own);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(FakedProcess.output(FakedProcess.start(folder, temporary, ExtractingProcess.class)))
        .singleElement()
        .asString()
        .startsWith("true no JCuda library: reason=folder is not this user's alone: path=" + own);
  }
}
