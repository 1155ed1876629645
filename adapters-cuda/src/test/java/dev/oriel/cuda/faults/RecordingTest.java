package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launches are in the application's streams, and no resource that they need is freed. */
final class RecordingTest {
  @Test
  void launchesAreInTheCallersStreamOrGraph(@TempDir Path folder)
      throws IOException, InterruptedException {
    FakedProcess.driver(folder);
    List<String> lines =
        FakedProcess.output(FakedProcess.start(folder, folder, RecordingProcess.class));
    assertThat(lines).hasSize(12);
    assertThat(lines.getFirst()).startsWith("stream is being captured: rank=0, stream=");
    assertThat(lines.subList(1, 5))
        .containsExactly("captured 0", "replayed 4", "Done[]", "eager 5");
    assertThat(lines.get(5))
        .startsWith("launches are in the caller's streams: unsettled streams=[");
    assertThat(lines.get(6)).isEqualTo("Done[]");
    assertThat(lines.get(7)).contains("unsettled streams=[], graphs=1; settle");
    assertThat(lines.get(8)).startsWith("instance has ended: program=").contains("enough");
    assertThat(lines.subList(9, 12)).containsExactly("Done[]", "fine", "held []");
  }
}
