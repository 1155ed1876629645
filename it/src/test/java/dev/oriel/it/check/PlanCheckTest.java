package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.domain.mscclpp.ExecutionPlanJson;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans in MSCCL XML, by the commands. */
class PlanCheckTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String file(PlanXml plan) throws IOException {
    return file("plan.xml", plan.text());
  }

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int check(String path) {
    return oriel("check", path, "--strategy", "synchronisation");
  }

  private String printed() {
    return out.toString().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void aRingHoldsInBothPlaces(int gpus) throws IOException {
    assertThat(check(file(PlanXml.ringAllGather(gpus)))).isEqualTo(ExitCodes.FINE);
    assertThat(printed())
        .contains(
            "program a_plan-out-of-place-split-1, a_plan-in-place-split-1",
            "world 1x%d".formatted(gpus),
            "every order of synchronisation in each of 2 combinations",
            "verdict nothing found",
            "flags between blocks as runtimes write them",
            "queues of another depth than 2")
        .doesNotContain("try --world");
    assertThat(check(file(PlanXml.ringAllReduce(gpus)))).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void aMissingContributionIsAWrongByte() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 2, 1);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 1, 1, 1)
          .tb(1 - g, 1 - g, 0, "s i0", "r > s0 announced")
          .tb(-1, -1, 0, "cpy s0 > o0 after 0.1");
    }
    assertThat(check(file(plan))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "VIOLATION (value)",
            "rank=0, launch=1, buffer=io, offset=0",
            "the contribution of rank 0 is missing",
            "move step0: io[0] <- s[0] bytes 4 [gpu 0, tb 1, step 0]");
  }

  @Test
  void blocksThatWaitForEachOtherDeadlock() throws IOException {
    PlanXml plan =
        PlanXml.of("custom", 1, 2)
            .gpu(0, 2, 2, 0)
            .tb(-1, -1, 0, "cpy i0 > o0 after 1.0 announced")
            .tb(-1, -1, 0, "cpy i1 > o1 after 0.0 announced");
    assertThat(check(file(plan))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "VIOLATION (deadlock)",
            "places line=4, rank=0, lane=tb0: gpu 0, tb 0, step 0: cpy o[0] from i[0], after tb 1, step 0",
            "line=7, rank=0, lane=tb1: gpu 0, tb 1, step 0: cpy o[1] from i[1], after tb 0, step 0");
  }

  /** Two transfers are in flight; with one chunk in each, both gpus have one more to send. */
  @Test
  void aPlanMayDeadlockForLargeMessagesAlone() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 2, 4);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 4, 4, 4)
          .tb(1 - g, 1 - g, 0, "s i0 x4", "r > s0 x4 announced")
          .tb(-1, -1, 0, "re s0 > o0 x4 after 0.1");
    }
    assertThat(check(file(plan.with("maxBytes=\"2097152\"")))).isEqualTo(ExitCodes.FINE);
    assertThat(check(file(plan.with("maxBytes=\"0\"")))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "program a_plan-in-place-split-1",
            "after 1 other combination in which nothing was found",
            "VIOLATION (deadlock)",
            "gpu 0, tb 0, step 0: s i[0], 4 chunks");
  }

  /** With 2 slots, a gpu sends 3 pieces before it receives any if a transfer carries 2 of 5. */
  @Test
  void aFailureNamesItsSizesAndLaunches() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 2, 5).with("minBytes=\"20\" maxBytes=\"0\"");
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 5, 5, 5)
          .tb(1 - g, 1 - g, 0, "s i0 x5", "r > s0 x5 announced")
          .tb(-1, -1, 0, "re s0 > o0 x5 after 0.1");
    }
    String path = file(plan);
    // Of 2 MiB, a transfer carries 3 chunks up to 699,050 bytes each.
    String sizes = "deadlock from 3495251 bytes on; safe up to 3495250 bytes; 1 launch shows it";
    assertThat(check(path)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("sizes " + sizes);
    assertThat(oriel("check", path, "--json")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("\"sizes\":\"" + sizes + "\"");
    assertThat(check(folder.toString())).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains(sizes);
    String wrong = file("wrong.xml", plan.text().replaceFirst("type=\"re\"", "type=\"cpy\""));
    assertThat(check(wrong)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("value up to 3495250 bytes; safe from 3495251 bytes on");
    String few = file("few.xml", plan.with("minBytes=\"4000000\" maxBytes=\"0\"").text());
    assertThat(check(few)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("sizes deadlock at every size; 1 launch shows it");
  }

  /** An execution plan is looked at with some sizes only. */
  @Test
  void sizesOfExecutionPlansAreThoseThatWereLookedAt() throws IOException {
    String missing =
        ExecutionPlanJson.putAllGather()
            .text()
            .replaceFirst("  \\{\"name\": \"nop\"\\},\n(?=  \\{\"name\": \"signal)", "");
    assertThat(check(file("plan.json", missing))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("sizes race at every size; 1 launch shows it");
  }

  /** A flag that orders no data signals the block that adds. */
  @Test
  void dataMayArriveAfterAFlagAsWritten() throws IOException {
    String path = file(PlanXml.exchangeAllReduce());
    assertThat(check(path)).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", path, "--as-written")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "program a_plan-in-place-split-1-as-written",
            "VIOLATION (race)",
            "gpu 0, tb 0, step 1: r s[0]",
            "gpu 0, tb 1, step 0: re o[0] from s[0], after tb 0, step 1",
            "sizes race at every size; 1 launch shows it");
    String token =
        out.toString().lines().filter(line -> line.startsWith("token")).findFirst().orElseThrow();
    assertThat(oriel("replay", token.substring(9), path, "--as-written"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel("replay", token.substring(9), path)).isEqualTo(ExitCodes.WRONG_USE);
    // The data may also be missing, not only unordered.
    assertThat(oriel("check", path, "--as-written", "--no-races", "--strategy", "full"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("VIOLATION (value)");
    assertThat(oriel("check", path, "--no-races", "--strategy", "full", "--launches", "1"))
        .isEqualTo(ExitCodes.FINE);
  }

  @Test
  void plansWithoutFlagsHoldAsWritten() throws IOException {
    for (String protocol : java.util.List.of("Simple", "LL", "LL128")) {
      String path = file(PlanXml.ringAllReduce(3).protocol(protocol));
      assertThat(oriel("check", path, "--as-written")).isEqualTo(ExitCodes.FINE);
      assertThat(printed())
          .contains("-as-written", "release and acquire (without --as-written)")
          .contains("every order of synchronisation, decided by one execution");
      assertThat(oriel("check", folder.toString(), "--as-written")).isEqualTo(ExitCodes.FINE);
      assertThat(printed()).contains("3 gpus, %s, as written".formatted(protocol));
    }
  }

  @Test
  void onlyPlansInXmlHaveFlagsAsWritten() throws IOException {
    String json = file("plan.json", ExecutionPlanJson.putAllGather().text());
    for (String program : java.util.List.of(json, "ring")) {
      assertThat(oriel("check", program, "--as-written")).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString()).contains("no flags between blocks: option=--as-written");
    }
  }

  /** Other strategies are as asked, and other programs have other worlds to look at. */
  @Test
  void onlyPlansAreDecidedByOneExecution() throws IOException {
    String decided = "decided by one execution";
    assertThat(oriel("check", file(PlanXml.exchangeAllReduce()))).isEqualTo(ExitCodes.FINE);
    assertThat(printed()).contains(decided).doesNotContainPattern("\\d drawn");
    assertThat(oriel("check", file(PlanXml.exchangeAllReduce()), "--strategy", "random"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(printed()).containsPattern("\\d drawn").doesNotContain(decided);
    assertThat(oriel("check", "ring", "--world", "1x2")).isEqualTo(ExitCodes.FINE);
    assertThat(printed()).containsPattern("\\d drawn").doesNotContain(decided);
  }

  /** The second exchange overwrites scratch that the other block may not have read yet. */
  @Test
  void scratchThatIsReusedTooEarlyIsARace() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 2, 2);
    PlanXml repaired = PlanXml.of("allreduce", 2, 2);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 2, 2, 1)
          .tb(1 - g, 1 - g, 0, "s i0", "s i1", "r > s0 announced", "r > s0 announced")
          .tb(-1, -1, 0, "re s0 > o0 after 0.2 announced", "re s0 > o1 after 0.3");
      repaired
          .gpu(g, 2, 2, 1)
          .tb(1 - g, 1 - g, 0, "s i0", "s i1", "r > s0 announced", "r > s0 after 1.0 announced")
          .tb(-1, -1, 0, "re s0 > o0 after 0.2 announced", "re s0 > o1 after 0.3");
    }
    assertThat(check(file(plan))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "VIOLATION (race)",
            "gpu 0, tb 0, step 3: r s[0]",
            "gpu 0, tb 1, step 0: re o[0] from s[0], after tb 0, step 2");
    assertThat(check(file(repaired))).isEqualTo(ExitCodes.FINE);
  }

  /** A counter orders all that its sender did before; packets order nothing but themselves. */
  @Test
  void packetsOrderNoOtherMemory() throws IOException {
    PlanXml plan =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 1)
            .tb(1, -1, 0, "cpy i0 > s0", "s i0")
            .tb(-1, 1, 0, "r > o1", "cpy s0 > o0")
            .gpu(1, 2, 2, 1)
            .tb(0, 0, 0, "rcs > o0");
    assertThat(check(file(plan))).isEqualTo(ExitCodes.FINE);
    assertThat(printed()).contains("nothing promised");
    assertThat(check(file(plan.protocol("LL")))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("VIOLATION (race)", "gpu 0, tb 1, step 1: cpy o[0] from s[0]");
  }

  @Test
  void mistakesOfTheTextNeedNoExecution() throws IOException {
    PlanXml plan =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0")
            .tb(1, -1, 0, "s i1")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0", "r > o1");
    assertThat(check(file(plan))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "program a_plan, custom, 2 gpus, Simple",
            "no execution: the text of the plan shows the mistake",
            "VIOLATION (connection)",
            "2 blocks send from gpu 0 to gpu 1 on channel 0",
            "places line=3: gpu 0, tb 0 line=6: gpu 0, tb 1");
    assertThat(oriel("check", file(plan), "--json")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .startsWith("{")
        .contains("\"kind\":\"connection\"", "\"line\":6", "\"verdict\":\"violation\"");
  }

  /** Each gpu begins with its own contribution, and then adds that of the next one. */
  @Test
  void ordersOfAdditionsThatDifferAreNoted() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 3, 1);
    for (int g = 0; g < 3; g++) {
      int next = (g + 1) % 3;
      int last = (g + 2) % 3;
      plan.gpu(g, 1, 1, 2)
          .tb(next, next, 0, "s i0", "r > s0 announced")
          .tb(last, last, 0, "s i0", "r > s1 announced")
          .tb(-1, -1, 0, "nop after 0.1", "re s0 > o0 after 1.1", "re s1 > o0");
    }
    assertThat(check(file(plan))).isEqualTo(ExitCodes.FINE);
    assertThat(printed()).contains("note gpus add chunk 0 in 3 different orders, so floating");
    assertThat(check(folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("note: gpus add chunk 0 in 3 different orders");
    // A sum of two numbers has one order, and a ring's sums are sent to all.
    assertThat(check(file(PlanXml.exchangeAllReduce()))).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).doesNotContain("note");
    assertThat(check(file(PlanXml.ringAllReduce(4)))).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).doesNotContain("note");
  }

  @Test
  void unsupportedStepsAreNoVerdict() throws IOException {
    PlanXml plan = PlanXml.of("custom", 1, 1).gpu(0, 1, 1, 0).tb(-1, -1, 0, "ra i0 > o0");
    assertThat(check(file(plan))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("1 of type ra");
  }

  @Test
  void otherCommandsTakePlans() throws IOException {
    String path = file(PlanXml.ringAllGather(3));
    assertThat(oriel("show", path)).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).startsWith("form a_plan-out-of-place-split-1");
    assertThat(oriel("show", path, "--in-place")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).startsWith("form a_plan-in-place-split-1");
    assertThat(oriel("run", path, "--machine", "sequential")).isEqualTo(ExitCodes.FINE);
    String only = file(PlanXml.ringAllGather(3).outOfPlace());
    assertThat(oriel("check", only, "--in-place")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("plan for no call in place");
    assertThat(oriel("check", path, "--world", "1x4")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a plan has one world", "ngpus=3");
    assertThat(oriel("check", path, "--bytes", "8")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a plan has no size");
  }

  /** The token names one of the plan's programs. */
  @Test
  void aFailureIsReplayedFromTheFile() throws IOException {
    PlanXml plan = PlanXml.of("allreduce", 2, 4);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 4, 4, 4)
          .tb(1 - g, 1 - g, 0, "s i0 x4", "r > s0 x4 announced")
          .tb(-1, -1, 0, "re s0 > o0 x4 after 0.1");
    }
    String path = file(plan);
    assertThat(check(path)).isEqualTo(ExitCodes.VIOLATION);
    String token =
        out.toString()
            .lines()
            .filter(line -> line.startsWith("token"))
            .findFirst()
            .orElseThrow()
            .substring(9);
    assertThat(oriel("replay", token, path)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("VIOLATION (deadlock)", "gpu 1, tb 0, step 0: s i[0]");
    String other = file("other.xml", PlanXml.ringAllReduce(2).text());
    assertThat(oriel("replay", token, other)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("token of another program");
  }

  @Test
  void executionPlansAreChecked() throws IOException {
    assertThat(check(file("plan.json", ExecutionPlanJson.putAllGather().text())))
        .isEqualTo(ExitCodes.FINE);
    assertThat(printed())
        .contains(
            "program a_plan-chunk-1", "world 1x3", "verdict nothing found", "graphs that are");
    // Peers may leave the launch before the switch has stored.
    String relaxed = ExecutionPlanJson.switchAllReduce("rlxsignal", "rlxwait").text();
    assertThat(check(file("plan.json", relaxed))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("VIOLATION (race)", "tb 0, op 3: glres to i@gpus [0, 1][");
    String ordered = ExecutionPlanJson.switchAllReduce("signal", "wait").text();
    assertThat(check(file("plan.json", ordered))).isEqualTo(ExitCodes.FINE);
    assertThat(check(file("plan.json", ordered.replace("glres", "glre"))))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("operations=2 of glre;");
  }

  /** All threads put, and thread 0 signals: only a nop orders them. */
  @Test
  void aMissingNopIsARace() throws IOException {
    String plan = ExecutionPlanJson.putAllGather().text();
    String missing =
        plan.replaceFirst("  \\{\"name\": \"nop\"\\},\n(?=  \\{\"name\": \"signal)", "");
    assertThat(missing).isNotEqualTo(plan);
    assertThat(check(file("plan.json", missing))).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed()).contains("VIOLATION (race)", "gpu 0, tb 0, op 3: put to o@gpu 1[0]");
  }

  @Test
  void flushesThatTheExecutorLeavesOutAreNoted() throws IOException {
    assertThat(check(file("plan.json", ExecutionPlanJson.portAllGather().text())))
        .isEqualTo(ExitCodes.FINE);
    assertThat(printed())
        .contains("note gpu 0, tb 0, op 6: MSCCL++'s executor returns from flush at once");
  }

  @Test
  void aFileBesideAMisspelledNameIsSuggested() throws IOException {
    String handshake = file("handshake.oriel", "form handshake");
    String without = folder.resolve("handshake").toString();
    for (String name : List.of(without, folder.resolve("handshak.oriel").toString())) {
      assertThat(oriel("check", name)).isEqualTo(ExitCodes.WRONG_USE);
      assertThat(err.toString())
          .contains("no such program or file: name=" + name + "; did you mean " + handshake + "?");
    }
    assertThat(oriel("check", folder.resolve("other.oriel").toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).doesNotContain("did you mean");
  }

  @Test
  void aFolderIsATable() throws IOException {
    Files.createDirectories(folder.resolve("sub"));
    file("sub/ring.xml", PlanXml.ringAllGather(2).text());
    assertThat(check(folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .contains("holds      allgather, 2 gpus, Simple    sub", "1 files: 1 holds");
    file("bad.xml", "<algo");
    assertThat(check(folder.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString()).contains("refused", "bad.xml", "2 files: 1 holds, 1 refused");
    file(
        "ends.xml",
        PlanXml.of("custom", 2, 1)
            .protocol("LL")
            .gpu(0, 1, 1, 0)
            .tb(1, -1, 0, "s i0")
            .gpu(1, 1, 1, 0)
            .text());
    file("notes.txt", "no plan");
    file("pom.xml", "<project/>");
    file("package.json", "{}");
    assertThat(check(folder.toString())).isEqualTo(ExitCodes.VIOLATION);
    assertThat(printed())
        .contains(
            "VIOLATION custom, 2 gpus, LL ends.xml from gpu 0 to gpu 1 on channel 0, 1 transfers are sent and 0 are received",
            "5 files: 1 holds, 1 VIOLATION, 1 refused, 2 skipped");
    assertThat(oriel("check", folder.toString(), "--json")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString())
        .startsWith("{")
        .contains(
            "{\"file\":\"sub/ring.xml\",\"program\":\"allgather, 2 gpus, Simple\",\"reason\":\"\",\"verdict\":\"holds\"}",
            "\"verdict\":\"refused\"",
            "\"verdict\":\"violation\"");
    Path projects = Files.createDirectory(folder.resolve("projects"));
    file("projects/pom.xml", "<project/>");
    assertThat(check(projects.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(out.toString())
        .contains("skipped", "no plan: neither <algo> nor", "1 files: 1 skipped");
    assertThat(oriel("check", folder.toString(), "--bytes", "8")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(oriel("check", Files.createDirectory(folder.resolve("none")).toString()))
        .isEqualTo(ExitCodes.WRONG_USE);
  }

  @Test
  void aFileOf100MegabytesIsNotRead() throws IOException {
    Path large = folder.resolve("large.xml");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(100L << 20);
    }
    assertThat(check(large.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("program file too long", "bytes=104857600, max=16777216");
  }
}
