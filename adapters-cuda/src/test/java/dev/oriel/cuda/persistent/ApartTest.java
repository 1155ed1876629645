package dev.oriel.cuda.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.window.SuiteProcess;
import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.ports.contract.RankProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks in processes of their own. They run on the GPUs of this host if {@link TestDevices#GPUS}
 * gives their number, else on memory of the host; only the kernels differ.
 */
@EnabledOnOs(OS.LINUX)
final class ApartTest {
  private static final int ON_HOST = 4;
  private static final long SECONDS = 400;

  private static List<String> options(String... more) {
    String gpus = "-D" + TestDevices.GPUS + "=" + Integer.getInteger(TestDevices.GPUS, 0);
    String thorough = "-Doriel.thorough=" + Thorough.ON;
    return Stream.concat(Stream.of(gpus, thorough), Stream.of(more)).toList();
  }

  private static int world() {
    return Integer.getInteger(TestDevices.GPUS, ON_HOST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.oriel.cuda.window.ApartWindowSuite",
        "dev.oriel.cuda.window.ApartUserMemorySuite",
        "dev.oriel.cuda.persistent.ApartPersistentSuite"
      })
  @Sampled(every = 2)
  void theContractHoldsAmongProcesses(String suite) throws IOException, InterruptedException {
    try (RankProcesses processes =
        RankProcesses.start(world(), options(SuiteProcess.class.getName(), suite))) {
      for (int rank = 0; rank < world(); rank++) {
        String output = processes.output(rank, SECONDS);
        System.out.println(output.lines().filter(line -> line.startsWith("suite=")).toList());
        assertThat(processes.get(rank).exitValue()).as("rank=%d%n%s", rank, output).isZero();
        // High ranks are in few worlds, rank 0 is in all.
        assertThat(output).containsPattern(rank == 0 ? "passed=[1-9][0-9], failed=0" : "failed=0");
      }
    }
  }

  /**
   * One rank waits for a slot, another in a call: both get the same cause, long before their
   * deadlines.
   */
  @Test
  void aKilledProcessEndsAllWaitsWithOneCause() throws IOException {
    try (RankProcesses processes =
        RankProcesses.start(world(), options(WaitingProcess.class.getName()))) {
      List<BufferedReader> outputs =
          IntStream.range(0, world()).mapToObj(rank -> processes.get(rank).inputReader()).toList();
      for (BufferedReader output : outputs) {
        assertThat(output.readLine()).isEqualTo("waiting");
      }
      long start = System.nanoTime();
      processes.get(1).destroyForcibly();
      for (int rank = 0; rank < world(); rank++) {
        if (rank != 1) {
          assertThat(outputs.get(rank).readLine())
              .startsWith("world was aborted: rank=1, cause=" + InstanceEnd.lost(1).cause());
        }
      }
      assertThat(System.nanoTime() - start).isLessThan(WaitingProcess.LONG.toNanos() / 2);
    }
  }
}
