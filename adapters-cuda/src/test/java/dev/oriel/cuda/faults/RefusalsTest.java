package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.registration.MemoryKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of a host whose driver cannot be used; nothing is left then. */
final class RefusalsTest {
  @TempDir Path folder;

  private List<String> answers(String which, String... flags)
      throws IOException, InterruptedException {
    FakedProcess.driver(folder, flags);
    return FakedProcess.output(FakedProcess.start(folder, folder, RefusingProcess.class, which));
  }

  @Test
  void anOldDriverIsReportedByItsVersion() throws IOException, InterruptedException {
    assertThat(answers("lacking", "-DOLD", "-DVERSION=11020"))
        .hasSize(3)
        .allMatch(line ->
            line.endsWith(
                ": host no CUDA driver: reason=it is too old: version=11.2, needed=12.0; install an NVIDIA driver for CUDA 12.0 or later, or choose another machine |"));
  }

  @Test
  void aMissingFunctionIsReportedWhereItIsCalled() throws IOException, InterruptedException {
    assertThat(answers("lacking", "-DOLD"))
        .anyMatch(line -> line.startsWith("open: fine"))
        .anyMatch(line -> line.startsWith("share: fine"))
        .contains(
            "stream: host CUDA driver lacks a function: call=cuStreamGetCaptureInfo_v2; install a newer driver |");
  }

  @Test
  void eachReasonHasItsRemedy() throws IOException, InterruptedException {
    assertThat(answers("refusing"))
        .hasSize(14)
        .allMatch(line -> line.endsWith(" |"))
        .anyMatch(line -> line.matches("cuInit 100: host .*CUDA_ERROR_NO_DEVICE; check CUDA_V.*"))
        .anyMatch(line -> line.matches("cuInit 803: host .*DRIVER_MISMATCH; the driver's libr.*"))
        .anyMatch(line -> line.matches("cuInit 802: host .*SYSTEM_NOT_READY; start the fabric.*"))
        .anyMatch(line -> line.matches("cuDevicePrimaryCtxRetain 46: host .*gpu=0.*another proc.*"))
        .anyMatch(line -> line.matches("cuMemCreate 2: CUDA refused.*bytes=65536.*OUT_OF_MEMORY.*"))
        .anyMatch(line -> line.startsWith("no GPUs: host "))
        .anyMatch(line -> line.startsWith("apart: host "))
        .anyMatch(line ->
            line.startsWith("torn: host no atomics between GPUs: from gpu=0, to gpu=1, asked for="))
        .contains("torn, stores: fine |", "whole: fine |")
        .anyMatch(line -> line.startsWith("torn, sampled: host no atomics between GPUs: from"))
        .anyMatch(line -> line.startsWith("one GPU: host not enough GPUs: ranks=2, gpus=1"))
        .anyMatch(line -> line.startsWith("shared GPU: "))
        .anyMatch(line -> line.startsWith("more processes than GPUs: host set-up failed"));
  }

  /** Kinds of memory that peers cannot map are refused on every rank; nothing is left. */
  @Test
  void eachKindOfMemoryIsSharedOrRefusedOnEveryRank() throws IOException, InterruptedException {
    List<String> answers = answers("kinds");
    assertThat(answers).hasSize(MemoryKind.values().length + 2);
    for (MemoryKind kind : MemoryKind.values()) {
      assertThat(answers)
          .anyMatch(line ->
              line.startsWith(kind + ": ")
                  && line.endsWith(" |")
                  && (kind.obstacle().isEmpty()
                      ? line.equals(kind + ": fine |")
                      : line.contains("on both ranks: ")
                          && line.contains("kind=%s: %s".formatted(kind, kind.obstacle().get()))));
    }
    assertThat(answers)
        .anyMatch(line ->
            line.startsWith("freed: on both ranks: ")
                && line.contains("rank=1")
                && line.contains("no memory at that address")
                && line.endsWith(" |"))
        .anyMatch(
            line -> line.startsWith("another GPU: memory of another GPU: ") && line.endsWith(" |"));
  }

  /** Refuses ranks that would wait for each other's time slices on their GPU. */
  @Test
  void ranksShareGpusOnlyIfAllTheirLanesAreResident() throws IOException, InterruptedException {
    assertThat(answers("sharing"))
        .hasSize(3)
        .anyMatch(line ->
            line.equals(
                "apart: host not enough GPUs: ranks=4, gpus=2; use a smaller world, or let ranks share GPUs |"))
        .contains("shared: fine |")
        .anyMatch(line ->
            line.startsWith(
                "crowded: lanes do not fit at once on a GPU where nothing else runs: lanes=6, ranks=2, resident=5, "));
  }

  @Test
  void accessBetweenGpusIsShown() throws IOException, InterruptedException {
    assertThat(answers("shown"))
        .containsExactly(
            "gpu=0, peers=[1 atomics, 2 stores]",
            "gpu=1, peers=[0 atomics, 2 atomics]",
            "gpu=2, peers=[0 atomics, 1 atomics]",
            "apart gpu=0, peers=[1 nothing, 2 nothing]",
            "driver 13.0",
            "shown: fine |");
  }

  /** The driver's behaviour is undefined if it gets a handle that was destroyed. */
  @Test
  void closedObjectsAreNotUsed() throws IOException, InterruptedException {
    List<String> lines = answers("ended");
    assertThat(lines)
        .contains(
            "elapsed: graph is destroyed; capture anew",
            "replayed: graph is destroyed; capture anew",
            "broken: ",
            "held: ");
    for (String what : List.of("replayed in it", "captured", "looked at")) {
      assertThat(lines)
          .anyMatch(line -> line.startsWith(what + ": stream is closed: gpu=0, stream="));
    }
  }
}
