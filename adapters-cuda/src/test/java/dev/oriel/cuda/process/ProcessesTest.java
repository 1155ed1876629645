package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.contract.RankProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real processes pass each other open files, and notice when one is killed. */
@EnabledOnOs(OS.LINUX)
final class ProcessesTest {
  @Test
  void filesArriveAndAllOthersNameAKilledProcess() throws IOException {
    try (RankProcesses processes = RankProcesses.start(3, List.of(MeshProcess.class.getName()))) {
      List<BufferedReader> outputs =
          IntStream.range(0, 3).mapToObj(rank -> processes.get(rank).inputReader()).toList();
      assertThat(outputs.get(0).readLine()).isEqualTo("visitors [rank 1, rank 2]");
      assertThat(outputs.get(1).readLine()).isEqualTo("visitors [rank 0, rank 2]");
      assertThat(outputs.get(2).readLine()).isEqualTo("visitors [rank 0, rank 1]");
      processes.get(1).destroyForcibly();
      for (int survivor : new int[] {0, 2}) {
        assertThat(outputs.get(survivor).readLine())
            .isEqualTo("ended " + InstanceEnd.lost(1).cause());
      }
    }
  }
}
