package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.faults.FakedProcess;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command with more ranks than GPUs, on a driver that shows two and whose kernels do nothing.
 */
class SharedGpusTest {
  @TempDir Path folder;

  private Process run(String... options) throws IOException {
    String[] all = new String[options.length + 6];
    String[] run = {"run", "barrier", "--machine", "cuda", "--world", "1x4"};
    System.arraycopy(run, 0, all, 0, run.length);
    System.arraycopy(options, 0, all, run.length, options.length);
    return FakedProcess.start(folder, folder, Main.class, all);
  }

  @Test
  void ranksShareGpusOnRequest() throws Exception {
    FakedProcess.driver(folder);
    assertThat(FakedProcess.output(run("--share")))
        .contains(
            "checked        3 launches ended, nothing promised: no ensure says what must come out");
    Process apart = run();
    assertThat(apart.inputReader().lines())
        .last()
        .asString()
        .startsWith("oriel: not enough GPUs: ranks=4, gpus=2; use a smaller world");
    assertThat(apart.waitFor()).isEqualTo(ExitCodes.ENVIRONMENT);
  }
}
