package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Compiles the tests' C programs with the verbs headers of this machine, if it has them. */
public final class CPrograms {
  private static final Path SOURCES = Path.of("src", "test", "c");
  private static final int SECONDS = 60;

  private CPrograms() {}

  /** Compiles and runs; skips the calling test, with the reason, if there is no compiler. */
  public static List<String> run(String source, String input)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("oriel");
    Path program = folder.resolve("program");
    Path in = Files.writeString(folder.resolve("in"), input);
    Path out = folder.resolve("out");
    try {
      if (finish(in, out, "gcc", "--version") != 0) {
        skip("no C compiler: looked for=gcc; install gcc");
      }
      Files.writeString(in, "#include <infiniband/verbs.h>\n");
      if (finish(in, out, "gcc", "-E", "-x", "c", "-o", "/dev/null", "-") != 0) {
        skip("no verbs headers: looked for=infiniband/verbs.h; install libibverbs-dev");
      }
      Path file = SOURCES.resolve(source);
      int compiled =
          finish(
              in,
              out,
              "gcc",
              "-Wall",
              "-Wextra",
              "-Werror",
              "-o",
              program.toString(),
              file.toString());
      assertThat(compiled).as(() -> read(out)).isZero();
      Files.writeString(in, input);
      assertThat(finish(in, out, program.toString())).as(() -> read(out)).isZero();
      return Files.readAllLines(out);
    } finally {
      for (Path path : List.of(program, in, out, folder)) {
        Files.deleteIfExists(path);
      }
    }
  }

  private static int finish(Path in, Path out, String... command)
      throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
    } catch (IOException e) {
      return -1;
    }
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("program did not end: command=" + List.of(command));
    }
    return process.exitValue();
  }

  private static void skip(String reason) {
    System.out.println("skipped: " + reason);
    abort(reason);
  }

  private static String read(Path out) {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
