package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.kernel.HardwareTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts of the library for machines are the same in locales with other digits. The output of the
 * command is the same in every locale.
 */
final class LocaleTest {
  private final Locale usual = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(usual);
  }

  private static String printed(String command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Main.run(command.split(" "), new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(err.toString()).isEmpty();
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show allgather --as ptx",
        "show ll128-reducescatter --as ptx --type fp8_e4m3 --op sum",
        "show moe-dispatch --as ptx",
        "show allgather --as text",
        "show alltoallv --as nvlink",
        "show weighted-moe-combine --as rdma"
      })
  void printedTheSame(String command) {
    Locale.setDefault(Locale.ROOT);
    String root = printed(command);
    Locale.setDefault(Locale.of("ar", "EG"));
    assertThat("%d".formatted(1)).isNotEqualTo("1");
    assertThat(printed(command)).isEqualTo(root);
  }

  @Test
  void sampledKernelsAreTheSame() throws IOException {
    Path file =
        Path.of("../adapters-sim/src/test/resources/litmus/cluster-scope-same-cluster.litmus");
    HardwareTest test =
        HardwareTest.of(
            LitmusParser.parse(Files.readString(file)),
            new LitmusChecker(MemoryModel.parse("ptx-7.5")));
    Locale.setDefault(Locale.ROOT);
    String root = test.ptx("sm_90");
    Locale.setDefault(Locale.of("ar", "EG"));
    assertThat(test.ptx("sm_90")).isEqualTo(root);
  }
}
