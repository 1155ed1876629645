package dev.oriel.it.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code oriel export --as mscclpp}, by the command. */
class PlanExportTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int export(String program, String world, String bytes, Path to, String... more) {
    String[] all = {
      "export",
      program,
      "--world",
      world,
      "--set",
      "B=" + bytes,
      "--as",
      "mscclpp",
      "--to",
      to.toString()
    };
    String[] arguments = new String[all.length + more.length];
    System.arraycopy(all, 0, arguments, 0, all.length);
    System.arraycopy(more, 0, arguments, all.length, more.length);
    return oriel(arguments);
  }

  @Test
  void aPlanIsWrittenAndHolds() {
    Path file = folder.resolve("gather.json");
    assertThat(export("push-allgather", "1x2", "1024,4096", file, "--unproved"))
        .as(err.toString())
        .isEqualTo(ExitCodes.FINE);
    assertThat(out.toString().lines())
        .containsExactly(
            "exported push_all_gather for 2 ranks: " + file,
            "case     B=1024, not proved",
            "case     B=4096, not proved",
            "sizes    2048 to 8192 bytes in the larger buffer of a rank, in 8 chunks",
            "check    oriel check " + file);
    assertThat(oriel("check", file.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("nothing found");
    assertThat(oriel("check", file.toString(), "--graph-replay", "1")).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void aRunningSumOfPacketsInPlaceIsAPlan() {
    Path file = folder.resolve("reduce.json");
    assertThat(export("allreduce", "1x2", "1024", file, "--unproved", "--in-place"))
        .isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", file.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", file.toString(), "--graph-replay", "1"))
        .isEqualTo(ExitCodes.VIOLATION);
  }

  @Test
  void whatAPlanCannotSayIsNamedByLine() {
    Path file = folder.resolve("none.json");
    assertThat(export("bruck-allgather", "1x2", "1024", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains(
            "bruck-allgather:20:3: plain bytes in scratch whose halves take turns",
            "operation=move row[mine] <- in[o] bytes m",
            "  move row[mine] <- in[o] bytes m");
    assertThat(export("pull-allreduce", "1x4", "1024", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("sum in an order that the executor has not");
    assertThat(export("copy-allgather", "1x2", "1024", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("copy-allgather:13:1: lane that is no thread block");
    assertThat(export("push-allgather", "1x2", "1000", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("size that an execution plan cannot cut");
    assertThat(file).doesNotExist();
    assertThat(export("pull-allreduce", "1x4", "1024", file, "--unproved", "--type", "int32"))
        .as(err.toString())
        .isEqualTo(ExitCodes.FINE);
    assertThat(oriel("check", file.toString())).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void onlyProvedProgramsOnOneHostAreExportedToNewFiles() throws IOException {
    Path file = folder.resolve("plan.json");
    assertThat(export("push-allgather", "1x2", "1024", file)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no certificate");
    assertThat(export("push-allgather", "2x1", "1024", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("world cannot be exported: hosts=2");
    assertThat(file).doesNotExist();
    Files.writeString(file, "mine");
    assertThat(export("push-allgather", "1x2", "1024", file, "--unproved"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("file exists");
    assertThat(Files.readString(file)).isEqualTo("mine");
    assertThat(oriel("export", "push-allgather", "--as", "xml", "--to", "x"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("use one of folder, mscclpp");
  }
}
