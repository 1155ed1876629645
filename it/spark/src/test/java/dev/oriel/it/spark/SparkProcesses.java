package dev.oriel.it.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The processes of a cluster on this host: a master, workers, and their executors. */
final class SparkProcesses implements AutoCloseable {
  static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  /** Set by the build for this process; workers start executors from there. */
  private static final Path HOME = Path.of(System.getenv("SPARK_HOME"));

  private final Path logs;
  private final List<Process> started = new ArrayList<>();

  SparkProcesses(Path logs) {
    this.logs = logs;
  }

  /** Makes the folder of an installation: its jars are those of the class path. */
  @SuppressWarnings("StringSplitter")
  static void install() throws IOException {
    Path jars = Files.createDirectories(HOME.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      Path link = jars.resolve(jar.getFileName());
      if (entry.endsWith(".jar") && !Files.exists(link)) {
        Files.createSymbolicLink(link, jar.toAbsolutePath());
      }
    }
  }

  /** Starts a master; returns its address when it accepts workers. */
  String master() throws IOException, InterruptedException {
    Path log = start("master", "org.apache.spark.deploy.master.Master", "--port", "0");
    return awaited(log, "Starting Spark master at ");
  }

  /** Starts a worker with one core and so many MiB, and returns when the master knows it. */
  void worker(String master, int memory) throws IOException, InterruptedException {
    Path log =
        start(
            "worker" + started.size(),
            "org.apache.spark.deploy.worker.Worker",
            "--cores",
            "1",
            "--memory",
            memory + "m",
            "--work-dir",
            logs.resolve("work").toString(),
            master);
    String _ = awaited(log, "Successfully registered with master ");
  }

  private Path start(String name, String main, String... arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    words.add(
        "-Dlog4j2.configurationFile="
            + Path.of("src/test/resources/cluster.properties").toAbsolutePath());
    words.addAll(
        List.of(
            "-cp", HOME.resolve("jars") + "/*", main, "--host", "127.0.0.1", "--webui-port", "0"));
    words.addAll(List.of(arguments));
    Path log = logs.resolve(name + ".log");
    started.add(
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start());
    return log;
  }

  private String awaited(Path log, String text) throws IOException, InterruptedException {
    for (int i = 0; i < 600; i++) {
      for (String line : Files.readAllLines(log)) {
        int at = line.indexOf(text);
        if (at >= 0) {
          return line.substring(at + text.length()).strip();
        }
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new AssertionError("not said: %s%n%s".formatted(text, Files.readString(log)));
  }

  /** Kills one of this process's descendants of that kind; returns whether there was one. */
  static boolean kill(String kind) {
    return ProcessHandle.current()
        .descendants()
        .filter(is(kind))
        .findFirst()
        .filter(ProcessHandle::destroyForcibly)
        .isPresent();
  }

  private static Predicate<ProcessHandle> is(String kind) {
    return process -> {
      try {
        return Files.readString(
                Path.of("/proc", Long.toString(process.pid()), "cmdline"),
                StandardCharsets.ISO_8859_1)
            .contains(kind);
      } catch (IOException e) {
        return false;
      }
    };
  }

  /** Kills a worker and its executor at once, as the loss of a host does. */
  void loseHost(int number) {
    ProcessHandle worker = started.get(1 + number).toHandle();
    Stream.concat(worker.descendants(), Stream.of(worker))
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    for (Process process : started.reversed()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    for (Process process : started) {
      try {
        boolean _ = process.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The text of a file in the logs. */
  String log(String name) {
    try {
      return Files.readString(logs.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
