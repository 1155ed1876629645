package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launches after the first make no objects, and each has the required attributes. */
final class SteadyTest {
  /**
   * New recordings: the number of objects that the driver makes for each of 49 on each of 2 GPUs,
   * and the preparations counted.
   */
  private static final int ANEW = 49 * 2;

  @TempDir static Path folder;

  private static List<String> lines = List.of();

  @BeforeAll
  static void launch() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
    lines = FakedProcess.output(FakedProcess.start(folder, folder, SteadyProcess.class));
  }

  @Test
  void noObjectsAreCreatedFromTheSecondLaunchOn() {
    assertThat(lines).hasSize(3 * 6 + 2 + 1).last().isEqualTo("held []");
    for (String name : List.of("push_all_gather", "ll_all_gather", "copy_all_gather")) {
      for (String way :
          List.of("launched", "replayed", "put into streams", "in the caller's graphs")) {
        assertThat(lines).contains("%s %s: made 0, counted 0".formatted(name, way));
      }
    }
    assertThat(lines).contains("persistent calls: made 0, counted 0");
  }

  /** New objects are counted: a capture, which becomes the graph, its executable, two events. */
  @Test
  void newObjectsAreCounted() {
    for (String name : List.of("push_all_gather", "ll_all_gather", "copy_all_gather")) {
      assertThat(lines)
          .contains("%s recorded anew: made %d, counted %d".formatted(name, 4 * ANEW, 3 * ANEW));
    }
  }

  /**
   * System fences of a launch need not order the stores of other work (10: memory-sync domain, 1:
   * remote). A kernel may begin before its predecessor has ended (6). A stage of a chain never
   * does: its predecessors are copies.
   */
  @Test
  void launchesCarryTheirAttributes() {
    assertThat(lines)
        .contains(
            "push_all_gather attributes 6=1; 10=1; ",
            "ll_all_gather attributes 6=1; 10=1; ",
            "copy_all_gather attributes 10=1; ",
            "persistent calls attributes 6=1; 10=1; ");
  }

  /** Graphs have no such edges before CUDA 12.3. */
  @Test
  void olderDriversStartNoKernelEarly(@TempDir Path old) throws IOException, InterruptedException {
    FakedProcess.driver(old, "-DVERSION=12020");
    assertThat(FakedProcess.output(FakedProcess.start(old, old, SteadyProcess.class)))
        .filteredOn(line -> line.contains("attributes"))
        .hasSize(4)
        .allMatch(line -> line.endsWith(" attributes 10=1; "));
  }
}
