package dev.oriel.cuda.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * If any call of the driver fails, its reason is reported and all resources are freed. Tried for
 * each call of each scenario, with a test driver in place of NVIDIA's.
 */
final class FaultsTest {
  @TempDir static Path folder;

  @BeforeAll
  static void compile() throws IOException, InterruptedException {
    FakedProcess.driver(folder);
  }

  private static List<String> faults(Scenario scenario) throws IOException, InterruptedException {
    return FakedProcess.output(
        FakedProcess.start(folder, folder, FaultyProcess.class, scenario.name()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BROKEN")
  @Sampled(every = 5)
  void noResourceIsLeftIfAnyCallFails(Scenario scenario) throws IOException, InterruptedException {
    List<String> lines = faults(scenario);
    System.out.println(
        "%s: %s of the driver, each of which failed".formatted(scenario, lines.getFirst()));
    assertThat(lines).hasSize(1).first().asString().matches("calls [1-9][0-9]+");
  }

  @Test
  void leaksAreDetected() throws IOException, InterruptedException {
    assertThat(faults(Scenario.BROKEN))
        .anyMatch(line -> line.contains("held=[context 1; event 2; executable graph 1; ]"))
        .anyMatch(line -> line.contains("used where there is none: cuStream"));
  }
}
