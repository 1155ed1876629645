package dev.oriel.it.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oriel.it.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exported folders, launched by C and by Python. A test driver does in place of a GPU what the
 * kernel of {@code push_all_gather} does; {@code ExportedKernels} on a GPU host runs real ones.
 */
class ExportCommandTest {
  private static final long SECONDS = 120;

  @TempDir static Path folder;

  private record CommandRun(int code, String out, String err) {
    static CommandRun of(String... arguments) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int code = Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
      return new CommandRun(code, out.toString(), err.toString());
    }
  }

  @BeforeAll
  static void exports() throws IOException, InterruptedException {
    CommandRun run =
        CommandRun.of(
            "export",
            "push-allgather",
            "--world",
            "1x3",
            "--set",
            "B=64,1000",
            "--unproved",
            "--to",
            program().toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("exported push_all_gather for 3 ranks", "case     B=64, not proved", "B=1000");
    Path driver = Path.of("src", "test", "c", "gathering_driver.c");
    run(
        Map.of(),
        0,
        List.of(
            "gcc",
            "-shared",
            "-fPIC",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wl,-soname,libcuda.so.1",
            "-o",
            folder.resolve("libcuda.so.1").toString(),
            driver.toString()));
  }

  private static Path program() {
    return folder.resolve("gather");
  }

  /** Runs a command with the test driver; skips the calling test if its tool is missing. */
  private static String run(Map<String, String> more, int code, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    builder.environment().keySet().removeAll(List.of("RANK", "WORLD_SIZE", "MASTER_PORT"));
    builder.environment().putAll(more);
    Path log = Files.createTempFile(folder, "log", "");
    Process process;
    try {
      process = builder.redirectOutput(log.toFile()).start();
    } catch (IOException e) {
      String reason =
          "no %s here: install it to test exported programs".formatted(command.getFirst());
      System.out.println("skipped: " + reason);
      abort(reason);
      throw e;
    }
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException("does not end: " + command + Files.readString(log));
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(code);
    return Files.readString(log);
  }

  private static String python(Map<String, String> more, int code, String... options)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("python3", program().resolve("oriel_launch.py").toString()));
    command.addAll(List.of("--self-test", "--launches", "20", "--replays", "10"));
    command.addAll(List.of(options));
    return run(more, code, command);
  }

  @Test
  void pythonLaunchesAndReplaysEveryCase() throws Exception {
    assertThat(python(Map.of(), 0).lines())
        .containsExactly(
            "ok: push_all_gather {'B': 64}, ranks=3, launches=20, replays=10, memory=shared by the driver",
            "ok: push_all_gather {'B': 1000}, ranks=3, launches=20, replays=10, memory=shared by the driver");
  }

  @Test
  void cLaunchesEveryCase() throws Exception {
    Path test = program().resolve("self_test");
    run(
        Map.of(),
        0,
        List.of(
            "gcc",
            "-std=c11",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wpedantic",
            "-Wno-unused-function",
            "-o",
            test.toString(),
            program().resolve("self_test.c").toString(),
            "-ldl"));
    assertThat(run(Map.of(), 0, List.of(test.toString(), program().toString(), "20")).lines())
        .containsExactly(
            "ok: push_all_gather B=64, ranks=3, launches=20",
            "ok: push_all_gather B=1000, ranks=3, launches=20");
    assertThat(
            run(
                Map.of("GATHERING_BLOCKS", "11"),
                1,
                List.of(test.toString(), program().toString(), "20")))
        .contains("lanes do not fit at once on this GPU: lanes=12, room=11");
  }

  /** Both survivors say which signal of the killed rank they wait for. */
  @Test
  void survivorsNameTheRankThatTheyWaitFor() throws Exception {
    String said = python(Map.of(), 1, "--kill", "1", "--patience", "1");
    assertThat(said)
        .contains(
            "oriel: rank 0: lane push[0, 0] gave up waiting while it waited for signal READY[0] of rank 1",
            "oriel: rank 2: lane push[1, 0] gave up waiting while it waited for signal READY[0] of rank 1");
  }

  /** Packets bear no name of a rank, so the export has the ranks. */
  @Test
  void packetsThatALaneWaitsForNameTheirSender() throws Exception {
    Path packets = folder.resolve("packets");
    CommandRun export =
        CommandRun.of(
            "export",
            "allgather",
            "--world",
            "1x3",
            "--set",
            "B=64",
            "--unproved",
            "--to",
            packets.toString());
    assertThat(export.code()).as(export.err()).isZero();
    Path script =
        Files.writeString(
            folder.resolve("places.py"),
            """
            import sys
            sys.path.insert(0, sys.argv[1])
            import oriel_launch
            about = oriel_launch.Program(sys.argv[1]).about
            handle = oriel_launch.Handle.__new__(oriel_launch.Handle)
            handle.rank, handle._about, handle._world = 0, about, 3
            handle._rank = about["cases"][0]["ranks"][0]
            handle._own, handle._own_bytes, handle._base = 0, 0, [0]
            start = handle._rank["offsets"][about["buffers"].index("ll")]
            for at in range(0, 768, 64):
                print(handle._place(start + at))
            """);
    String python = run(Map.of(), 0, List.of("python3", script.toString(), packets.toString()));
    Path source =
        Files.writeString(
            folder.resolve("places.c"),
            """
            #include "ll_all_gather.h"
            int main(void) {
              oriel_handle h = {.program = &oriel_ll_all_gather, .layout = &oriel_ll_all_gather_cases[0].ranks[0]};
              uint32_t ll = 0;
              while (strcmp(h.program->buffers[ll], "ll")) ll++;
              for (uint64_t at = 0; at < 768; at += 64) {
                char text[160];
                oriel_describe(&h, h.layout->offsets[ll] + at, text, sizeof text);
                puts(text);
              }
              return 0;
            }
            """);
    Path compiled = folder.resolve("places");
    run(
        Map.of(),
        0,
        List.of(
            "gcc",
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-function",
            "-I" + packets,
            "-o",
            compiled.toString(),
            source.toString(),
            "-ldl"));
    String c = run(Map.of(), 0, List.of(compiled.toString()));
    assertThat(c).isEqualTo(python);
    assertThat(c.lines())
        .containsExactly(
            "bytes at ll[0]",
            "bytes at ll[64]",
            "bytes at ll[128] from rank 1",
            "bytes at ll[192] from rank 1",
            "bytes at ll[256] from rank 1 or 2",
            "bytes at ll[320] from rank 1 or 2",
            "bytes at ll[384] from rank 1 or 2",
            "bytes at ll[448] from rank 1 or 2",
            "bytes at ll[512] from rank 1 or 2",
            "bytes at ll[576] from rank 1 or 2",
            "bytes at ll[640] from rank 2",
            "bytes at ll[704] from rank 2");
  }

  /** Not only the rank that cannot open ends: all do, with its reason. */
  @Test
  void aRankThatCannotOpenIsNamedOnAll() throws Exception {
    assertThat(python(Map.of("GATHERING_BLOCKS", "11"), 1))
        .contains("rank 0 cannot open push_all_gather: lanes do not fit at once on this GPU");
    assertThat(python(Map.of("LD_LIBRARY_PATH", "/nonexistent"), 1))
        .contains("rank 0 cannot open push_all_gather: no CUDA driver");
  }

  /** The same program with other sizes has other places in memory. */
  @Test
  void ranksThatOpenOtherExportsAreRefused() throws Exception {
    Path other = folder.resolve("other");
    CommandRun export =
        CommandRun.of(
            "export",
            "push-allgather",
            "--world",
            "1x3",
            "--set",
            "B=128,1000",
            "--unproved",
            "--to",
            other.toString());
    assertThat(export.code()).as(export.err()).isZero();
    StringBuilder script = new StringBuilder();
    for (int rank = 0; rank < 3; rank++) {
      script.append(
          "RANK=%d WORLD_SIZE=3 python3 %s/oriel_launch.py --self-test --group other-%d & "
              .formatted(rank, rank == 1 ? other : program(), ProcessHandle.current().pid()));
    }
    assertThat(run(Map.of(), 0, List.of("bash", "-c", script + "wait")))
        .contains("ranks 0 and 1 open different programs or cases")
        .contains("ranks 1 and 0 open different programs or cases");
  }

  /** Rank 1 never launches: rank 0 is asked what it waits for, and may then launch no more. */
  @Test
  void aHungLaunchSaysWhatItWaitsFor() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("hung.py"),
            """
            import os, sys, threading, time
            sys.path.insert(0, sys.argv[1])
            import oriel_launch
            rank = int(sys.argv[2])
            group = oriel_launch.Group("hung-" + sys.argv[3], rank, 3)
            handle = oriel_launch.Program(sys.argv[1]).open(
                rank, 3, all_gather=group.all_gather, patience=60, B=64)
            if rank == 0:
                launch = threading.Thread(target=handle.launch)
                launch.start()
                time.sleep(0.5)
                print("why:", handle.why())
                launch.join()
                try:
                    handle.launch()
                except oriel_launch.OrielError as e:
                    print("then:", e)
            handle.close()
            try:
                handle.buffer("in")
            except oriel_launch.OrielError as e:
                print("closed:", e)
            """);
    StringBuilder ranks = new StringBuilder();
    for (int rank = 0; rank < 3; rank++) {
      ranks.append(
          "python3 %s %s %d %d & "
              .formatted(script, program(), rank, ProcessHandle.current().pid()));
    }
    assertThat(run(Map.of(), 0, List.of("bash", "-c", ranks + "wait")))
        .contains(
            "why: rank 0: lane push[0, 0] was asked to end while it waited for signal READY[0] of rank 1",
            "then: rank 0 was asked to end",
            "closed: the handle is closed");
  }

  @Test
  void aWrongByteIsFound() throws Exception {
    Path data = program().resolve("push_all_gather.self_test");
    byte[] bytes = Files.readAllBytes(data);
    byte[] altered = bytes.clone();
    altered[altered.length - 1] ^= 1;
    Files.write(data, altered);
    try {
      assertThat(python(Map.of(), 1)).contains("wrong byte: rank=2, buffer=out, offset=2999");
    } finally {
      Files.write(data, bytes);
    }
  }

  @Test
  void whatIsNotProvedNeedsAWord() {
    CommandRun run = CommandRun.of("export", "allgather", "--to", folder.resolve("no").toString());
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("no certificate: program=ll_all_gather", "--unproved");
    assertThat(folder.resolve("no")).doesNotExist();
  }

  @Test
  void whatIsProvedSaysUnderWhichRules() throws IOException {
    Path proof = folder.resolve("barrier.proof");
    CommandRun prove =
        CommandRun.of("prove", "barrier", "--world", "1x2", "--keep", proof.toString());
    assertThat(prove.code()).as(prove.err()).isZero();
    Path to = folder.resolve("barrier");
    CommandRun run =
        CommandRun.of(
            "export",
            "barrier",
            "--world",
            "1x2",
            "--proved",
            proof.toString(),
            "--to",
            to.toString());
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains(", proved under ");
    assertThat(Files.readString(to.resolve("signal_barrier.json"))).contains("\"proved\":\"");
    assertThat(
            CommandRun.of(
                    "export",
                    "barrier",
                    "--world",
                    "1x3",
                    "--proved",
                    proof.toString(),
                    "--to",
                    folder.resolve("other").toString())
                .err())
        .contains("world not proved");
  }

  @Test
  void worldsOfSeveralHostsAreRefused() {
    for (String world : List.of("2x1", "1x9")) {
      CommandRun run =
          CommandRun.of(
              "export", "barrier", "--world", world, "--to", folder.resolve("no").toString());
      assertThat(run.err()).contains("world cannot be exported");
    }
    assertThat(
            CommandRun.of(
                    "export",
                    "copy-allgather",
                    "--unproved",
                    "--to",
                    folder.resolve("no").toString())
                .err())
        .contains("copy engines run these lanes");
  }
}
