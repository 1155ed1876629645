package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processes whose CUDA driver is the one of {@code src/test/c/driver.c}. */
public final class FakedProcess {
  /** The libraries' sources, by a path that is valid in every module. */
  private static final Path SOURCES = Path.of("..", "adapters-cuda", "src", "test", "c");

  private static final long SECONDS = 300;

  /** A platform for which JCuda has a library. */
  private static final String PLATFORM = "Linux amd64";

  private FakedProcess() {}

  /** Compiles the driver; skips the calling test, with the reason, if that is impossible. */
  public static void driver(Path folder, String... flags) throws IOException, InterruptedException {
    compile(folder, "driver.c", "libcuda.so.1", flags);
  }

  /** Compiles the library that manages GPUs, for processes that have the driver's folder. */
  public static void management(Path folder, String... flags)
      throws IOException, InterruptedException {
    compile(folder, "nvml.c", "libnvidia-ml.so.1", flags);
  }

  private static void compile(Path folder, String source, String library, String... flags)
      throws IOException, InterruptedException {
    String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!platform.equals(PLATFORM)) {
      skip("no JCuda library for this platform: platform=" + platform + ", needed=" + PLATFORM);
    }
    List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1"));
    command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-Wl,-soname," + library));
    command.addAll(List.of(flags));
    command.addAll(
        List.of(
            "-o",
            folder.resolve(library).toString(),
            SOURCES.resolve(source).toString(),
            "-lpthread"));
    Path log = folder.resolve("log");
    Process gcc;
    try {
      gcc =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      skip("no C compiler: looked for=gcc; install gcc");
      return;
    }
    if (!gcc.waitFor(SECONDS, TimeUnit.SECONDS)) {
      gcc.destroyForcibly();
      throw new IOException("gcc does not end");
    }
    assertThat(gcc.exitValue()).as(Files.readString(log)).isZero();
  }

  private static void skip(String reason) {
    System.out.println("skipped: " + reason);
    abort(reason);
  }

  /**
   * Starts a process.
   *
   * @param folder of the driver, and of programs that the process must find before others
   * @param temporary where the process has its temporary files
   */
  public static Process start(Path folder, Path temporary, Class<?> main, String... arguments)
      throws IOException {
    return start(folder, temporary, Map.of(), main, arguments);
  }

  /** Starts one of several processes of a launcher, whose variables name it. */
  public static Process start(
      Path folder, Path temporary, Map<String, String> launch, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + temporary,
            "-Djava.library.path=" + System.getProperty("java.library.path", ""),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(ORIEL|OMPI|PMI|PMIX|SLURM|MPI)_.*"));
    builder.environment().putAll(launch);
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    builder.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
    return builder.start();
  }

  /** The output of a process, which must succeed in time. */
  public static List<String> output(Process process) throws InterruptedException {
    Thread watch =
        Thread.startVirtualThread(() -> {
          try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
              process.destroyForcibly();
            }
          } catch (InterruptedException e) {
            process.destroyForcibly();
          }
        });
    List<String> lines = process.inputReader().lines().toList();
    int exit = process.waitFor();
    watch.join();
    assertThat(exit).as(() -> String.join("\n", lines)).isZero();
    return lines;
  }
}
