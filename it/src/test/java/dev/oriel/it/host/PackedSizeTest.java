package dev.oriel.it.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only bytes that remain after compression count. */
class PackedSizeTest {
  private static final int BYTES = 100_000;

  @TempDir Path folder;

  @Test
  void countsBytesAfterCompression() throws IOException {
    byte[] random = new byte[BYTES];
    new SplittableRandom(1).nextBytes(random);
    Files.write(folder.resolve("zeros"), new byte[BYTES]);
    Files.write(Files.createDirectory(folder.resolve("below")).resolve("random"), random);
    PackedSize size = PackedSize.of(folder);
    assertThat(size.files()).isEqualTo(2);
    assertThat(size.bytes()).isEqualTo(2 * BYTES);
    assertThat(size.packed()).isBetween((long) BYTES, BYTES + 1000L);
    assertThat(size.refusal(size.packed())).isEmpty();
    assertThat(size.refusal(size.packed() - 1))
        .get()
        .asString()
        .startsWith("bundle too large: packed=%d, max=".formatted(size.packed()));
    assertThat(size).hasToString("2 files, 0.2 MB, packed 0.1 MB");
  }
}
