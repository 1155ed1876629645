package dev.oriel.it.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.faults.FakedProcess;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark with ranks as processes, on a driver whose kernels do nothing. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BenchCudaTest {
  @TempDir static Path folder;

  @BeforeAll
  static void driver() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
  }

  private static Process bench(String... arguments) throws IOException {
    String[] all = new String[arguments.length + 4];
    all[0] = "bench";
    all[1] = "cuda";
    all[2] = "--world";
    all[3] = "1x2";
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    return FakedProcess.start(folder, folder, Main.class, all);
  }

  /** A barrier has no output, so these empty kernels suffice. */
  @Test
  void measuresRanksInOneProcessAndInSeparateOnes() throws Exception {
    assertThat(FakedProcess.output(bench("--collective", "barrier", "--replays", "3")))
        .anyMatch(line -> line.matches("barrier +0  one   barrier 0\\.\\d\\d \\(.*\\)"))
        .anyMatch(line -> line.matches("barrier +0  each  barrier 0\\.\\d\\d \\(.*\\)"))
        .contains("gpu      gpu=1, name=fake 1, capability=90")
        .last()
        .isEqualTo("steady   replays=12, preparations=0");
  }

  /** An interrupted run keeps its measurements so far, including the peer's. */
  @Test
  void everyMeasurementIsPrintedAtOnce() throws Exception {
    Path peer = folder.resolve("python3");
    Files.writeString(
        peer,
        "#!/bin/sh\necho oriel-nccl 9.9\necho oriel-reading barrier 0 4.5 3.5\nexec sleep 300\n");
    assertThat(peer.toFile().setExecutable(true)).isTrue();
    Process bench = bench("--collective", "barrier", "--replays", "3", "--peers");
    List<String> lines = new ArrayList<>();
    String line = bench.inputReader().readLine();
    while (line != null && !line.startsWith("round 1  barrier               0  each")) {
      lines.add(line);
      line = bench.inputReader().readLine();
    }
    char[] last =
        new char["round 1  barrier               0        nccl 4.50 (3.50 to 4.50)".length()];
    for (int read = 0; read < last.length; ) {
      read += bench.inputReader().read(last, read, last.length - read);
    }
    assertThat(bench.isAlive()).isTrue();
    bench.destroy();
    assertThat(lines)
        .last()
        .asString()
        .matches("round 1  barrier +0  one   barrier 0\\.\\d\\d \\(.*\\)");
    assertThat(new String(last))
        .isEqualTo("round 1  barrier               0        nccl 4.50 (3.50 to 4.50)");
    assertThat(bench.waitFor()).isNotZero();
  }

  /** Times of kernels that do nothing are rejected. */
  @Test
  void measuredResultsAreChecked() throws Exception {
    for (String way : List.of("one", "each")) {
      Process bench = bench("--collective", "allgather", "--bytes", "8", "--processes", way);
      assertThat(bench.inputReader().lines())
          .last()
          .asString()
          .contains("wrong output: program=allgather, params={B=8}: wrong byte: rank=")
          .doesNotContain("peer/ours");
      assertThat(bench.waitFor()).isEqualTo(ExitCodes.VIOLATION);
    }
  }

  /** Neither a choice nor costs come from kernels that do nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tune allgather --measure --keep FILE --world 1x2 --bytes 8 --replays 2",
        "calibrate --keep FILE --world 1x2 --bytes 8,64 --replays 2"
      })
  void noChoiceIsMadeByWrongResults(String line) throws Exception {
    Path kept = folder.resolve("kept");
    String[] arguments = line.replace("FILE", kept.toString()).split(" ", -1);
    Process command = FakedProcess.start(folder, folder, Main.class, arguments);
    assertThat(command.inputReader().lines())
        .last()
        .asString()
        .contains("wrong output: program=", ", params={B=8}: wrong byte: rank=");
    assertThat(command.waitFor()).isEqualTo(ExitCodes.VIOLATION);
    assertThat(kept).doesNotExist();
  }

  @Test
  void aRankThatDiesEndsItWithTheReason() throws Exception {
    Process bench = endless();
    List<ProcessHandle> ranks = ranks(bench);
    assertThat(ranks.getLast().destroyForcibly()).isTrue();
    assertThat(bench.inputReader().lines())
        .last()
        .asString()
        .contains("oriel: ranks ended: ", "exit=137");
    assertThat(bench.waitFor()).isEqualTo(ExitCodes.ENVIRONMENT);
    for (ProcessHandle rank : ranks) {
      assertThat(rank.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  /** However it ends, its ranks release their GPUs. */
  @Test
  void ranksEndWithTheCommand() throws Exception {
    Process bench = endless();
    List<ProcessHandle> ranks = ranks(bench);
    bench.destroyForcibly();
    for (ProcessHandle rank : ranks) {
      assertThat(rank.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  private static Process endless() throws IOException {
    return bench("--collective", "barrier", "--replays", "1000000000", "--processes", "each");
  }

  /** Both ranks, once they have connected and the command has reported it. */
  private static List<ProcessHandle> ranks(Process bench) throws IOException {
    String line = bench.inputReader().readLine();
    while (line != null && !line.startsWith("method ")) {
      line = bench.inputReader().readLine();
    }
    List<ProcessHandle> ranks = bench.children().toList();
    assertThat(ranks).hasSize(2);
    return ranks;
  }
}
