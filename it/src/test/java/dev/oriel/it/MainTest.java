package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.DriverLibrary;
import dev.oriel.it.measure.ResourceMeter;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final String HANDSHAKE =
      """
      form handshake
      param B <= 4096
      input in[B]
      output out[B]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void checkPrintsAVerdictOnShippedPrograms(String world) {
    assertThat(oriel("check", "allgather", "--world", world)).isZero();
    assertThat(oriel("check", "sendrecv", "--world", world, "--set", "B=1000")).isZero();
    assertThat(out.toString())
        .contains("verdict        nothing found")
        .doesNotContain("digests", "model", "fingerprints");
  }

  /** Input repeated in a message must reach the terminal as plain text. */
  @Test
  void aMessageIsOneLineWithoutControlCharacters() {
    assertThat(oriel("check", "allgather", "--world", "1x2\nverdict  nothing found"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(oriel("check", "a\u001b[31mb\u202ec")).isEqualTo(ExitCodes.WRONG_USE);
    List<String> lines = err.toString().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst()).contains("text=1x2?verdict");
    assertThat(lines.get(1)).contains("name=a?[31mb?c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check %s", "sim ring --links %s", "merge %s", "sample %s"})
  void aFileThatIsNoTextIsRejectedAsSuch(String command, @TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("bytes.oriel"), new byte[] {(byte) 0xff, 0});
    assertThat(oriel(command.formatted(file).split(" ", -1))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(file.toString(), "it is no text in UTF-8; check the file");
  }

  /** Opening a pipe blocks until a writer opens it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aPipeIsRejected(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("part.json");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> assertThat(oriel("merge", pipe.toString())).isEqualTo(ExitCodes.WRONG_USE));
    assertThat(err.toString()).contains("no such file: path=" + pipe, "oriel check --json");
  }

  @Test
  void checkReadsAProgramFromAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("handshake.oriel"), HANDSHAKE);
    assertThat(oriel("check", file.toString(), "--world", "1x3")).isZero();
    assertThat(oriel("check", file.toString(), "--world", "2x2")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "signal DATA[0]@succ set epoch release, signal DATA[0]@succ set epoch relaxed, race",
    "await READY[0]@succ reached epoch acquire, sync, race",
    "await DATA[0]@pred reached epoch acquire, await DATA[0]@pred reached epoch + 1 acquire, deadlock"
  })
  void aViolationIsExitCodeOneWithAReasonAndATrace(
      String line, String replacement, String kind, @TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(folder.resolve("broken.oriel"), HANDSHAKE.replace(line, replacement));
    assertThat(oriel("check", file.toString(), "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("VIOLATION (" + kind + ")").contains("trace");
  }

  @ParameterizedTest
  @CsvSource({
    "check allgather --world 0x3, hosts=0",
    "check allgather --world nonsense, nonsense",
    "check allgather --strategy guess, synchronisation",
    "check allgather --profile L9, rdma-strict",
    "'check allgather --profile L2,depth=0', depth",
    "check allgather --timeouts sometimes, quiescence",
    "check allgather --faults crash, rank",
    "check allgather --shard 3/2, --shard",
    "check allgather --shard 1/2, --json FILE",
    "check allgather --picture x.png, .html",
    "replay nonsense allgather, not a token",
    "merge nowhere.json, nowhere.json",
    "merge, FILE",
    "check nothing, allgather",
    "check, no program",
    "check --matrix allgather, --matrix",
    "check --matrix --world 1x2, --matrix",
    "check --matrix --json x.json, --matrix",
    "check ring --type fp32, does not reduce",
    "check ring-allreduce --op avg, an average in steps",
    "check allreduce --type fp31, bf16",
    "check allreduce --set B=6, length is not whole elements",
    "check allgather --set B=many, B",
    "check allgather --set B=-1, max=262144",
    "check allgather --set C=3, unknown parameter",
    "run allgather --graph 10, --machine cuda",
    "run allgather --launches 0, min=1",
    "run allgather --replays 0, min=1",
    "run allgather --graph -1, min=0",
    "run allgather --deadline 0, min=1",
    "check allgather --launches 0, min=1",
    "check allgather --executions -5, min=1",
    "check allgather --states 0, min=1",
    "sim ring --links nowhere, h200",
    "sim ring --launches 0, min=1",
    "sim ring --word foo=3, known: none",
    "check ring --set B=5 --set B=6, parameter=B",
    "check allgather --launches 2147483647, max=1048576",
    "bench plan ring --world 1x2 --ranks 5, 'value=5, world=2; give 0 to 1'",
    "bench plan ring --world 1x2 --ranks -1, value=-1",
    "bench, sim",
    "bench sim --runs 0, min=1",
    "bench sim --case ring, PROGRAM:HxG",
    "bench sim --case rung:1x2, allgather",
    "frobnicate, frobnicate",
    "'', check"
  })
  void wrongUseIsExitCodeTwoAndNamesTheFix(String line, String message) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
    assertThat(oriel(arguments)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: ").contains(message);
  }

  @Test
  void aTextErrorNamesLineAndColumn(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(folder.resolve("bad.oriel"), "form x\nlane main: sm(32) {\n  mov\n}\n");
    assertThat(oriel("check", file.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .isEqualTo(
            """
            oriel: %s:3:3: unexpected text: found='mov'; did you mean move?
                mov
                ^
            """
                .formatted(file));
  }

  @Test
  void aHostWithoutADriverIsExitCodeThree() {
    assumeTrue(DriverLibrary.absence().isPresent(), "this host has a CUDA driver");
    assertThat(oriel("run", "allgather", "--machine", "cuda")).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(err.toString()).contains("libcuda.so.1").contains("install");
  }

  @Test
  void runChecksEveryByteOnTheSequentialMachine() {
    assertThat(oriel("run", "sendrecv", "--world", "2x2", "--set", "B=40001")).isZero();
    assertThat(out.toString()).contains("every output byte as promised");
  }

  @ParameterizedTest
  @CsvSource({
    "allreduce --type bf16 --op avg --world 1x3 --set B=1002",
    "ring-allreduce --type int8 --op max --world 2x2 --set B=77",
    "reducescatter --type fp16 --op prod --world 2x2 --set B=100",
    "gather --world 1x3 --set B=100 --set root=2",
    "tree-broadcast --world 1x5 --set B=100 --set root=3"
  })
  void runChecksReductionsToTheBit(String line) {
    assertThat(oriel(("run " + line).split(" ", -1))).isZero();
    assertThat(out.toString()).contains("every output byte as promised");
  }

  @Test
  void explainNamesTheReasonOfAWaitAndDraws(@TempDir Path folder) {
    Path page = folder.resolve("page.html");
    String[] line =
        ("explain rail-allgather --world 2x2 --set B=8 --rank 3 --picture " + page).split(" ");
    assertThat(oriel(line)).isZero();
    assertThat(out.toString())
        .contains("{B=8, domain=2}", "rank 3 of 4", "lane near[0, 0]", "rank 2 makes it 3")
        .doesNotContain("rank 0 of 4");
    assertThat(page).isNotEmptyFile();
    assertThat(oriel("explain", "log", "--rank", "2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no such rank: option=--rank, value=2, world=2");
  }

  /**
   * Only the code of one rank is expanded: time and memory do not depend on the size of the world.
   */
  @Test
  void planningOfManyRanksIsFast() {
    ResourceMeter meter = ResourceMeter.start();
    assertThat(oriel("bench", "plan", "rail-allgather", "--world", "8192x8")).isZero();
    ResourceMeter.Reading took = meter.read();
    assertThat(out.toString()).contains("rank 65535 of 65536, lanes=160");
    assertThat(took.allocated()).isLessThan(1_000_000_000);
    assertThat(took.cpuSeconds()).isLessThan(2);
  }

  @ParameterizedTest
  @CsvSource({
    "text, form ll_all_gather",
    "nvlink, bar",
    "rdma, post",
    "mixed, unless",
    "ptx, .entry"
  })
  void showPrintsAProgramInEveryForm(String as, String part) {
    assertThat(oriel("show", "allgather", "--as", as)).isZero();
    assertThat(out.toString()).contains(part);
  }

  @ParameterizedTest
  @CsvSource({
    "allgather, 1x4, the NVLink port",
    "allreduce, 1x4, the NVLink port",
    "ring-allreduce, 2x2, messages in 3 launches: ",
    "sendrecv, 2x2, messages in 3 launches: ",
    "ring, 3x1, the RDMA port",
    "log, 2x3, busiest"
  })
  void simPredictsShippedPrograms(String program, String world, String message) {
    assertThat(oriel("sim", program, "--world", world, "--set", "B=1000")).isZero();
    assertThat(out.toString())
        .contains(" us for a launch, predicted; ", "links          h200")
        .contains(message);
  }

  @Test
  void simNamesLanesThatWaitForEver(@TempDir Path folder) throws IOException {
    String wrong = "await READY[0]@succ reached epoch + 1 acquire";
    String text = HANDSHAKE.replace("await READY[0]@succ reached epoch acquire", wrong);
    Path file = Files.writeString(folder.resolve("stuck.oriel"), text);
    assertThat(oriel("sim", file.toString(), "--world", "1x3")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("deadlock").contains("rank=2, lane=main: await READY[0]");
  }

  @Test
  void simReadsCostsFromAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("some.links"), "links some\nnvlink latency 1\n");
    assertThat(oriel("sim", "ring", "--links", file.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("cost missing: links=some, name=nvlink bandwidth");
  }

  @Test
  void benchSimPrintsItsMachine() {
    assertThat(oriel("bench", "sim", "--case", "ring:16x1", "--links", "flat50", "--search", "500"))
        .isZero();
    assertThat(out.toString())
        .contains("cores=", "predicted_us=17.002", "best", "search", "executions_per_s", "runs=3");
  }

  @Test
  void simRejectsAnUnobservableLoop(@TempDir Path folder) throws IOException {
    String text = "form d lane m: sm(32) { for a < 4000000000 { for b < 2 { sync } } }";
    Path file = Files.writeString(folder.resolve("long.oriel"), text);
    assertThat(oriel("sim", file.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("rank=0, lane=m, instructions=1000000; let its loop end");
  }

  /** The bytes to number are counted before anything is allocated for them. */
  @Test
  void aWorldOfTooMuchMemoryIsRejectedQuickly() {
    ResourceMeter meter = ResourceMeter.start();
    assertThat(oriel("check", "allgather", "--world", "1x1000")).isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(meter.read().cpuSeconds()).isLessThan(10);
    assertThat(err.toString())
        .containsPattern(
            "world (too large for memory of every rank|larger than this JVM's memory):");
  }

  /** A defect of the command is no result about a program. */
  @Test
  void anErrorIsOneLineAndNoViolation() {
    PrintWriter broken =
        new PrintWriter(out) {
          @Override
          public void write(String text, int at, int length) {
            throw new StackOverflowError("too deep");
          }
        };
    assertThat(Main.run(new String[] {"doctor"}, broken, new PrintWriter(err, true)))
        .isEqualTo(ExitCodes.ENVIRONMENT);
    assertThat(err.toString())
        .isEqualTo(
            "oriel: internal error: java.lang.StackOverflowError: too deep; report it with the command that you gave%n"
                .formatted());
  }

  @Test
  void doctorListsTheEnvironment() {
    assertThat(oriel("doctor")).isZero();
    assertThat(out.toString()).contains("java").contains("sim").contains("cuda");
  }

  @Test
  void bundleRejectsAnExistingFolder(@TempDir Path folder) {
    assertThat(oriel("bundle", folder.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("folder exists");
  }
}
