package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.ports.contract.ShippedPrograms;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

class CheckMatrixTest {
  /** One parity is too few if any rank can overtake another. */
  private static final Form BROKEN =
      ShippedPrograms.edited("ll_all_reduce", "let half = (epoch & 1) * n", "let half = 0");

  private static final CheckMatrix BOTH =
      new CheckMatrix(
          List.of(
              new CheckMatrix.Entry("allreduce", ShippedPrograms.form("ll_all_reduce")),
              new CheckMatrix.Entry("broken", BROKEN)));

  private final StringWriter text = new StringWriter();
  private final MatrixReport report = new MatrixReport(BOTH, new PrintWriter(text, true));

  @Test
  void aBrokenProgramIsListedWithItsCommand() {
    assertThat(report.table()).isFalse();
    List<String> lines = text.toString().lines().toList();
    assertThat(lines.getFirst()).startsWith("program ").endsWith("2x4");
    assertThat(lines).filteredOn(l -> l.startsWith("allreduce ")).hasSize(4);
    assertThat(lines)
        .filteredOn(l -> l.startsWith("allreduce ") && !l.contains("proxy"))
        .allSatisfy(l -> assertThat(l.split(" +")).endsWith("ok", "ok", "ok").hasSize(11));
    assertThat(lines)
        .filteredOn(l -> l.startsWith("allreduce ") && l.contains("L2,proxy=1"))
        .singleElement()
        .satisfies(l -> assertThat(l.split(" +")).endsWith("ok", "-", "ok", "-", "ok"));
    assertThat(lines)
        .anySatisfy(l -> assertThat(l).startsWith("broken ").contains("L2", "overwrite"));
    assertThat(lines)
        .contains(
            "  oriel check broken --world 1x2 --set B=4 --profile L2 --strategy synchronisation");
    assertThat(lines.getLast()).startsWith("checks: 248, ").doesNotContain(" 0 do not");
  }

  @Test
  void programsWithMappedMemoryAreCheckedOnOneHost() {
    assertThat(CheckMatrix.worlds(ShippedPrograms.form("pull_all_reduce")))
        .containsExactly("1x1", "1x2", "1x3", "1x4", "1x8");
    assertThat(CheckMatrix.worlds(BROKEN)).isEqualTo(CheckMatrix.WORLDS);
  }

  @Test
  void jsonHasTheSameResults() {
    assertThat(report.json()).isFalse();
    assertThat(text.toString())
        .contains("\"checked\":248", "\"outcome\":\"holds\"", "\"outcome\":\"overwrite\"")
        .doesNotContain("\"failed\":0");
  }

  @Test
  void everyShippedProgramIsInTheTable() {
    List<String> names =
        CheckMatrix.shipped(CommandSpec.create()).entries().stream()
            .map(CheckMatrix.Entry::name)
            .toList();
    assertThat(names).containsAll(ProgramTexts.names());
    assertThat(names).contains("allreduce --type bf16 --op sum").hasSize(74);
  }
}
