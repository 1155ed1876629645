package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.faults.FakedProcess;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ranks of one host whose shared memory is in pages of the host, in one process, on a driver that
 * shows two GPUs. Such pages do not keep lines whole, and two GPUs do not change their words
 * atomically.
 */
class HostMemoryTest {
  @TempDir Path folder;

  private Process run(String program, String world) throws IOException {
    String command = " --machine cuda --network soft_host --share --launches 1 --world ";
    return FakedProcess.start(
        folder, folder, Main.class, ("run " + program + command + world).split(" ", -1));
  }

  private void assertRefused(String program, String world, String reason) throws Exception {
    Process process = run(program, world);
    assertThat(process.inputReader().lines()).last().asString().startsWith("oriel: " + reason);
    assertThat(process.waitFor()).isEqualTo(ExitCodes.ENVIRONMENT);
  }

  private String adds() throws IOException {
    Path adds = folder.resolve("adds.oriel");
    Files.writeString(
        adds, "form adds signal S[1] lane main: sm(32) { signal S[0]@peers add 1 release }");
    return adds.toString();
  }

  @Test
  void whatPagesOfTheHostLackIsRefused() throws Exception {
    FakedProcess.driver(folder);
    assertRefused("ll128-allgather", "1x2", "no whole lines in the host's memory: gpu=");
    assertRefused(adds(), "1x2", "no atomics in the host's memory: gpu=");
  }

  /** In this world ranks 0 and 2 share a host and a GPU. */
  @Test
  void changesByOneGpuAreAtomic() throws Exception {
    FakedProcess.driver(folder);
    assertThat(FakedProcess.output(run(adds(), "0,2/1,3")))
        .anyMatch(line -> line.startsWith("checked        1 launch ended, nothing promised"));
    assertRefused("ll128-allgather", "0,2/1,3", "no whole lines in the host's memory: gpu=0");
  }
}
