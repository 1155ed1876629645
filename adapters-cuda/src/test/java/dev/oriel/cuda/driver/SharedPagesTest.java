package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.oriel.ports.contract.RankThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class SharedPagesTest {
  @Test
  void writesOfOneProcessAreReadByTheOther() {
    try (SharedPages mine = SharedPages.MAKER.share(100);
        OpenDescriptor file = mine.export();
        SharedPages theirs = SharedPages.MAKER.open(file, mine.bytes())) {
      assertThat(theirs.read(0, 100)).containsOnly(0);
      assertThat(theirs.address()).isNotEqualTo(mine.address());
      mine.write(8, new byte[] {1, 2, 3});
      mine.set(0, 77);
      assertThat(theirs.get(0)).isEqualTo(77);
      assertThat(theirs.read(8, 4)).containsExactly(1, 2, 3, 0);
      theirs.set(16, -1);
      assertThat(mine.get(16)).isEqualTo(-1);
      assertThatIllegalStateException().isThrownBy(theirs::export);
    }
  }

  /** The other process keeps its mapping, whatever happens to the one that made the pages. */
  @Test
  void pagesOutliveTheirCreator() {
    SharedPages mine = SharedPages.MAKER.share(8);
    try (OpenDescriptor file = mine.export();
        SharedPages theirs = SharedPages.MAKER.open(file, 8)) {
      mine.set(0, 5);
      mine.close();
      mine.close();
      assertThat(theirs.get(0)).isEqualTo(5);
    }
    assertThatIllegalStateException().isThrownBy(() -> mine.get(0));
  }

  @Test
  void oneDecisionOfManyHolds() {
    for (int round = 0; round < 200; round++) {
      try (SharedPages pages = SharedPages.MAKER.share(8)) {
        List<Long> seen =
            RankThreads.all(
                IntStream.rangeClosed(1, 4).boxed().toList(),
                rank -> {
                  pages.decide(0, rank);
                  return pages.get(0);
                });
        assertThat(seen).containsOnly(seen.getFirst()).doesNotContain(0L);
      }
    }
  }

  @Test
  void noFileStaysOpen() throws IOException {
    long before = files();
    try (SharedPages mine = SharedPages.MAKER.share(4096);
        OpenDescriptor file = mine.export()) {
      SharedPages.MAKER.open(file, 4096).close();
      assertThat(files()).isEqualTo(before + 2);
    }
    assertThat(files()).isEqualTo(before);
  }

  private static long files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.filter(SharedPagesTest::isPages).count();
    }
  }

  private static boolean isPages(Path link) {
    try {
      return Files.readSymbolicLink(link).toString().startsWith("/memfd:oriel");
    } catch (IOException e) {
      return false;
    }
  }
}
