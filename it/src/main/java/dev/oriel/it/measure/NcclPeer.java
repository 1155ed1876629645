package dev.oriel.it.measure;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * NCCL's collectives on the same GPUs, one process each, by PyTorch. It uses registered symmetric
 * memory, graphs of calls, and the setting that keeps events out of graphs. Without this tuning it
 * is several times slower at small sizes, which would make the comparison unfair.
 */
final class NcclPeer {
  private static final String SCRIPT = "/peers/nccl.py";
  private static final long TIMEOUT_SECONDS = 300;
  private static final int SHOWN = 2000;
  private static final long LONGEST = 1L << 20;

  /** Multicast is off, since the programs under comparison do not use it either. */
  private static final Map<String, String> SETTINGS =
      Map.of("NCCL_GRAPH_MIXING_SUPPORT", "0", "NCCL_NVLS_ENABLE", "0", "OMP_NUM_THREADS", "1");

  private final int world;
  private final int calls;
  private final int replays;
  private String version = "not run";

  NcclPeer(int world, int calls, int replays) {
    this.world = world;
    this.calls = calls;
    this.replays = replays;
  }

  /** The microseconds a call of one collective, for each replay. */
  record Reading(String collective, long bytes, List<Double> micros) {}

  /** The configuration, for readers who want to repeat it. */
  String description() {
    return "NCCL %s, %d processes, symmetric memory, settings=%s, graphs of %d calls, replays=%d"
        .formatted(
            version,
            world,
            SETTINGS.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList(),
            calls,
            replays);
  }

  /**
   * Measures each collective of NCCL at each size, and passes on each reading as soon as it is
   * measured.
   *
   * @throws MachineException if PyTorch or NCCL is missing, or does not end
   */
  void measure(
      List<String> collectives, List<Long> sizes, long bytesOfGraph, Consumer<Reading> each) {
    Path script = null;
    Path log = null;
    try {
      script = Files.createTempFile("oriel-peer", ".py");
      log = Files.createTempFile("oriel-peer", ".log");
      try (InputStream in =
          Objects.requireNonNull(NcclPeer.class.getResourceAsStream(SCRIPT), SCRIPT)) {
        Files.write(script, in.readAllBytes());
      }
      run(command(script, collectives, sizes, bytesOfGraph), log, each);
    } catch (IOException e) {
      throw new MachineException(
          "cannot run the peer: reason=%s; --peers needs python3 with PyTorch on the PATH"
              .formatted(e.getMessage()),
          e);
    } finally {
      delete(script);
      delete(log);
    }
  }

  private List<String> command(
      Path script, List<String> collectives, List<Long> sizes, long bytesOfGraph) {
    return List.of(
        "python3",
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        Integer.toString(world),
        script.toString(),
        Integer.toString(calls),
        Integer.toString(replays),
        Long.toString(bytesOfGraph),
        sizes.stream().map(String::valueOf).collect(Collectors.joining(",")),
        String.join(",", collectives));
  }

  private void run(List<String> command, Path log, Consumer<Reading> each) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().putAll(SETTINGS);
    Process process = builder.start();
    // If this command is stopped, no workers may remain on the GPUs.
    Thread hook = new Thread(() -> stop(process));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      boolean ended = false;
      long heard = 0;
      while (!ended && System.nanoTime() - end < 0) {
        ended = process.waitFor(1, TimeUnit.SECONDS);
        heard = hear(log, heard, each);
      }
      String text = end(log);
      if (!ended || process.exitValue() != 0) {
        throw new MachineException(
            "the peer failed: command=%s, exit=%s, end of its output=%s"
                .formatted(
                    String.join(" ", command),
                    ended ? process.exitValue() : "none within " + TIMEOUT_SECONDS + " s",
                    text.substring(Math.max(0, text.length() - SHOWN))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MachineException("interrupted while the peer ran", e);
    } finally {
      stop(process);
      unless(hook);
    }
  }

  private static void stop(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Removes the hook, unless it already runs. */
  private static void unless(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM ends; the hook has stopped the workers, or will.
    }
  }

  /** The log, or the end of a very long one. */
  private static String end(Path log) throws IOException {
    return new String(bytes(log, Math.max(0, Files.size(log) - LONGEST)), StandardCharsets.UTF_8);
  }

  /** Passes on the readings in whole lines after a place; returns the place after them. */
  private long hear(Path log, long from, Consumer<Reading> each) throws IOException {
    byte[] bytes = bytes(log, from);
    int whole = bytes.length;
    while (whole > 0 && bytes[whole - 1] != '\n') {
      whole--;
    }
    new String(bytes, 0, whole, StandardCharsets.UTF_8).lines().forEach(line -> say(line, each));
    return from + whole;
  }

  private static byte[] bytes(Path log, long from) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(LONGEST, file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return bytes;
    }
  }

  private void say(String line, Consumer<Reading> each) {
    String[] words = line.strip().split("\\s+", -1);
    if (words[0].equals("oriel-nccl")) {
      version = words[1];
    } else if (words[0].equals("oriel-reading")) {
      List<Double> micros = Arrays.stream(words).skip(3).map(Double::valueOf).toList();
      each.accept(new Reading(words[1].toLowerCase(Locale.ROOT), Long.parseLong(words[2]), micros));
    }
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
