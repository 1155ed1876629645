package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.DriverLibrary;
import dev.oriel.cuda.faults.FakedProcess;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.ibverbs.ucx.UcxPresence;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command in several processes, started as by a launcher; if it needs GPUs, on a driver whose
 * kernels do nothing.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LaunchedProcessesTest {
  private static final int WORLD = 2;

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private void start(String... arguments) throws IOException {
    int port = freePort();
    for (int rank = 0; rank < WORLD; rank++) {
      start(rank, port, arguments);
    }
  }

  private void start(int rank, int port, String... arguments) throws IOException {
    startOf(WORLD, rank, port, arguments);
  }

  private void startOf(int world, int rank, int port, String... arguments) throws IOException {
    Map<String, String> launch =
        Map.of(
            "OMPI_COMM_WORLD_RANK",
            Integer.toString(rank),
            "OMPI_COMM_WORLD_SIZE",
            Integer.toString(world),
            "OMPI_COMM_WORLD_LOCAL_RANK",
            Integer.toString(rank % WORLD),
            "OMPI_COMM_WORLD_LOCAL_SIZE",
            Integer.toString(WORLD),
            "UCX_TLS",
            "tcp,self",
            "ORIEL_ADDRESS",
            "127.0.0.1",
            "ORIEL_PORT",
            Integer.toString(port));
    processes.add(FakedProcess.start(folder, folder, launch, Main.class, arguments));
  }

  /** The output of each process; all must end with that exit code. */
  private List<String> said(int exit) throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    for (Process process : processes) {
      said.add(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      assertThat(process.waitFor()).as(said.getLast()).isEqualTo(exit);
    }
    return said;
  }

  @Test
  void eachProcessIsARankAndOneReports() throws Exception {
    FakedProcess.driver(folder);
    start("run", "barrier", "--machine", "cuda", "--world", "1x2", "--graph", "3");
    List<String> said = said(ExitCodes.FINE);
    assertThat(said.getFirst())
        .contains("3 launches ended, nothing promised", "every replay ended, nothing promised");
    assertThat(said.getLast()).isEmpty();
  }

  /** Ranks 0 and 1 share a host, and UCX reaches rank 2. Kernels that do nothing move no byte. */
  @ParameterizedTest
  @ValueSource(strings = {"ucx", "ucx_gpu"})
  void aNetworkConnectsHostsOfSeveralRanks(String network) throws Exception {
    UcxPresence.assume();
    FakedProcess.driver(folder);
    int port = freePort();
    for (int rank = 0; rank < 3; rank++) {
      startOf(
          3,
          rank,
          port,
          "run barrier --machine cuda --network %s --share --world 2+1 --launches 3"
              .formatted(network)
              .split(" ", -1));
    }
    assertThat(said(ExitCodes.FINE).getFirst()).contains("3 launches ended, nothing promised");
  }

  /** Words and lines in pages of the host are not what they are over NVLink. */
  @ParameterizedTest
  @CsvSource({
    "ll128-allgather, no whole lines in the host's memory: gpu=",
    "adds, no atomics in the host's memory: gpu="
  })
  void whatTheHostsMemoryLacksIsRefusedByEachProcess(String program, String refused)
      throws Exception {
    UcxPresence.assume();
    FakedProcess.driver(folder);
    Path adds = folder.resolve("adds.oriel");
    Files.writeString(
        adds, "form adds signal S[1] lane main: sm(32) { signal S[0]@peers add 1 release }");
    String name = program.equals("adds") ? adds.toString() : program;
    start("run", name, "--machine", "cuda", "--network", "ucx", "--world", "1x2");
    assertThat(said(ExitCodes.ENVIRONMENT)).allMatch(text -> text.contains(refused));
  }

  /** A problem of one rank is printed by its own process, since no other one would. */
  @Test
  void eachProcessReportsProblemsOfItsRank() throws Exception {
    FakedProcess.driver(folder);
    start(
        "suite --machine cuda --worlds 1x2 --only push-allgather --bytes 8 --launches 1"
            .split(" ", -1));
    List<String> said = said(ExitCodes.VIOLATION);
    assertThat(said.getFirst()).contains("suite: cases=");
    assertThat(said.getLast())
        .contains("  wrong: push-allgather, B=8, launch=1: ")
        .doesNotContain("suite: ");
  }

  @Test
  void differentProgramsAreRejectedByEachProcess() throws Exception {
    FakedProcess.driver(folder);
    int port = freePort();
    start(0, port, "run", "barrier", "--machine", "cuda", "--world", "1x2");
    start(1, port, "run", "dissemination-barrier", "--machine", "cuda", "--world", "1x2");
    assertThat(said(ExitCodes.WRONG_USE))
        .allMatch(text -> text.contains("oriel: ranks prepare other programs: rank=1, digest="));
  }

  /** A process that cannot read its certificates must not leave the others waiting. */
  @Test
  void ifOneProcessHasNoCertificateAllRefuse() throws Exception {
    FakedProcess.driver(folder);
    Path proof = folder.resolve("barrier.proof");
    PrintWriter none = new PrintWriter(Writer.nullWriter());
    assertThat(
            Main.run(
                "prove barrier --world 1x2 --keep".concat(" " + proof).split(" ", -1), none, none))
        .isZero();
    int port = freePort();
    String run = "run barrier --machine cuda --world 1x2 --proved ";
    start(0, port, (run + proof).split(" ", -1));
    start(1, port, (run + folder.resolve("other.proof")).split(" ", -1));
    assertThat(said(ExitCodes.WRONG_USE))
        .allMatch(text -> text.contains("cannot read a certificate: path="));
  }

  @Test
  void aMissingRankIsNamedAtTheDeadline() throws Exception {
    start(
        1, freePort(), "run", "barrier", "--machine", "cuda", "--world", "1x2", "--deadline", "1");
    assertThat(said(ExitCodes.ENVIRONMENT).getFirst())
        .contains("rank 0 could not be joined before the deadline: missing=[0]");
    processes.clear();
    start(
        0, freePort(), "run", "barrier", "--machine", "cuda", "--world", "1x2", "--deadline", "1");
    assertThat(said(ExitCodes.ENVIRONMENT).getFirst())
        .contains("ranks did not join before the deadline: missing=[1], joined=1, world=2");
  }

  /** Several processes that each use all GPUs would disturb, or wait for, each other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "run barrier --machine cuda --world 1x2 --share",
        "suite --machine cuda --worlds 2x1 --network soft",
        "bench cuda --world 1x2",
        "bench calls",
        "kills barrier --world 1x2",
        "sample nothing.litmus"
      })
  @Sampled(every = 6)
  void commandsForAllRanksAreRejectedInSeveralProcesses(String command) throws Exception {
    start(0, freePort(), command.split(" ", -1));
    assertThat(said(ExitCodes.WRONG_USE).getFirst())
        .contains("started in several processes: launcher=OPEN_MPI, rank=0, world=2; ");
  }

  @Test
  void processesConnectAndFailAlikeWithoutAGpu() throws Exception {
    assumeTrue(DriverLibrary.absence().isPresent(), "there is a CUDA driver here");
    start("run", "allgather", "--machine", "cuda", "--world", "1x2");
    List<String> said =
        said(ExitCodes.ENVIRONMENT).stream()
            .flatMap(text -> text.lines().filter(line -> line.startsWith("oriel: ")))
            .toList();
    assertThat(said).hasSize(WORLD);
    assertThat(said.getFirst())
        .contains("set-up failed: rank=0", "no CUDA driver", "failing=[0, 1]");
    assertThat(said.getLast()).isEqualTo(said.getFirst());
  }
}
