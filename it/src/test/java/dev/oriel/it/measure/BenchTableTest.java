package dev.oriel.it.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One line per row and process mode, with the peer next to both, compared with the best program.
 */
class BenchTableTest {
  private static final CudaBench.Row ROW = new CudaBench.Row(BenchSubject.ALLGATHER, 8);

  private final BenchTable table = new BenchTable();

  private void add(ProcessDistribution way, String program, Double... micros) {
    table.add(way, new CudaBench.Reading(ROW, program, List.of(micros), 0));
  }

  @Test
  void readingsOfAllRoundsAreNextToThePeers() {
    add(ProcessDistribution.ONE, "ring", 5.0, 6.0, 4.0);
    add(ProcessDistribution.ONE, "allgather", 2.0, 2.5);
    add(ProcessDistribution.EACH, "allgather", 3.0);
    add(ProcessDistribution.EACH, "allgather");
    add(ProcessDistribution.ONE, "allgather", 2.25);
    table.addPeer(ROW, List.of(3.0, 4.5, 3.5));
    table.addPeer(new CudaBench.Row(BenchSubject.ALLREDUCE, 1 << 30), List.of(9.0));
    assertThat(table.lines())
        .containsExactly(
            "allgather             8  one   ring 5.00 (4.00 to 6.00)  allgather 2.25 (2.00 to 2.50)  nccl 3.50 (3.00 to 4.50)  peer/ours=1.56",
            "allgather             8  each  allgather 3.00 (3.00 to 3.00)  nccl 3.50 (3.00 to 4.50)  peer/ours=1.17 (within the spread)",
            "allreduce     1073741824        nccl 9.00 (9.00 to 9.00)");
  }
}
