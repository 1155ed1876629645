package dev.oriel.it.measure;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * NCCL's collectives on the same GPUs, one process each, by PyTorch: registered symmetric memory,
 * graphs of calls, the setting that keeps events out of graphs. Untuned it is several times slower
 * at small sizes, which would flatter everybody else.
 */
final class NcclPeer {
  private static final String SCRIPT = "/peers/nccl.py";
  private static final long PATIENCE_SECONDS = 300;
  private static final int SHOWN = 2000;
  private static final long LONGEST = 1L << 20;

  /** Multicast is left off, since what it is compared with does not use it either. */
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

  /** What one collective took, in microseconds a call, of each replay. */
  record Reading(String collective, long bytes, List<Double> micros) {}

  /** What was run, for those who want to repeat it. */
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
   * Measures each of the collectives that NCCL has at each size.
   *
   * @throws MachineException if PyTorch or NCCL is not there, or does not end
   */
  List<Reading> measure(List<String> collectives, List<Long> sizes, long bytesOfGraph) {
    Path script = null;
    Path log = null;
    try {
      script = Files.createTempFile("oriel-peer", ".py");
      log = Files.createTempFile("oriel-peer", ".log");
      try (InputStream in =
          Objects.requireNonNull(NcclPeer.class.getResourceAsStream(SCRIPT), SCRIPT)) {
        Files.write(script, in.readAllBytes());
      }
      return readings(output(command(script, collectives, sizes, bytesOfGraph), log));
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

  private static List<String> output(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().putAll(SETTINGS);
    Process process = builder.start();
    // Who stops this command must not leave workers on the GPUs.
    Thread hook = new Thread(() -> stop(process));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      String text = end(log);
      if (!ended || process.exitValue() != 0) {
        throw new MachineException(
            "the peer failed: command=%s, exit=%s, end of its output=%s"
                .formatted(
                    String.join(" ", command),
                    ended ? process.exitValue() : "none within " + PATIENCE_SECONDS + " s",
                    text.substring(Math.max(0, text.length() - SHOWN))));
      }
      return text.lines().toList();
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

  /** Takes the hook back, unless it already runs. */
  private static void unless(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM ends: the hook has stopped the workers, or does.
    }
  }

  /** The log, or of a very long one its end. */
  private static String end(Path log) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(LONGEST, file.length())];
      file.seek(file.length() - bytes.length);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private List<Reading> readings(List<String> lines) {
    List<Reading> readings = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words[0].equals("oriel-nccl")) {
        version = words[1];
      } else if (words[0].equals("oriel-reading")) {
        List<Double> micros = new ArrayList<>();
        for (int i = 3; i < words.length; i++) {
          micros.add(Double.parseDouble(words[i]));
        }
        readings.add(
            new Reading(words[1].toLowerCase(Locale.ROOT), Long.parseLong(words[2]), micros));
      }
    }
    return readings;
  }

  private static void delete(@org.jspecify.annotations.Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
