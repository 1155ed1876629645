package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If one rank of several processes lacks something, each rank reports it, and nothing is left. */
final class RanksTest {
  private static final int WORLD = 2;

  @TempDir Path folder;

  private List<String> linesOf(String which, String... flags)
      throws IOException, InterruptedException {
    FakedProcess.driver(folder, flags);
    return FakedProcess.output(FakedProcess.start(folder, folder, RanksProcess.class, which));
  }

  private static void each(List<String> lines, String what, String message) {
    for (int rank = 0; rank < WORLD; rank++) {
      String line = "%s: rank=%d ".formatted(what, rank);
      assertThat(lines)
          .filteredOn(l -> l.startsWith(line))
          .singleElement()
          .asString()
          .matches(".*: rank=. " + message);
    }
    assertThat(lines).contains(what + ": held []");
  }

  @Test
  void everyRankReportsWhyNoneCanContinue() throws IOException, InterruptedException {
    List<String> lines = linesOf("refused");
    each(lines, "fine", "Done\\[\\]");
    each(lines, "apart", "host .*no peer access: from gpu=0, to gpu=1; see nvidia-smi topo -m.*");
    each(
        lines,
        "memory",
        ".*call=cuMemCreate .*OUT_OF_MEMORY; use smaller sizes, or end other processes.*");
    each(
        lines,
        "mapping",
        ".*call=cuMemMap.*OUT_OF_MEMORY; use smaller sizes, or end other processes.*");
    each(
        lines,
        "module",
        ".*call=load kernel=.*OUT_OF_MEMORY; use smaller sizes, or end other processes.*");
    each(
        lines,
        "held",
        "(host )?.*gpu=., call=open.*DEVICE_UNAVAILABLE; another process has the GPU.*");
    each(
        lines,
        "room",
        ".*lanes do not fit at once on a GPU where nothing else runs: lanes=2, ranks=1, resident=1, threads=32, cluster=1; use fewer.*");
    each(lines, "one lane", "Done\\[\\]");
    each(
        lines,
        "clusters",
        ".*lanes do not fit at once .*: lanes=4, ranks=1, resident=2, threads=32, cluster=2; use fewer.*");
    each(lines, "two clusters", "Done\\[\\]");
  }

  @Test
  void missingAtomicsRejectOnlyProgramsThatNeedThem() throws IOException, InterruptedException {
    List<String> lines = linesOf("refused");
    each(lines, "counting", "Done\\[\\]");
    for (int from = 0; from < WORLD; from++) {
      each(
          lines,
          "torn from " + from,
          "(host )?.*no atomics between GPUs: from gpu=%d, to gpu=%d, asked for=lane main: .*add.*; use a program that only stores to peers .*oriel doctor, nvidia-smi topo -p2p a.*"
              .formatted(from, 1 - from));
      each(lines, "stores, torn from " + from, "Done\\[\\]");
    }
  }

  @Test
  void anOldDriverIsReportedByEveryRank() throws IOException, InterruptedException {
    each(
        linesOf("old", "-DOLD", "-DVERSION=11020"),
        "old",
        "host .*reason=it is too old: version=11.2, needed=12.0; install an NVIDIA driver.*");
  }
}
