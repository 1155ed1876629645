package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * The number of tokens per expert: a hook turns each token into a row with a single one, and the
 * sum of these rows is the count. A result that depends on many elements needs a reduction.
 */
class ExpertCountsProperties {
  private static final String COUNTS =
      """
      form expert_counts
      param T <= 64
      input token[256]
      output counts[16]
      scratch row[1024]
      hook chosen = experts(4)

      lane main: sm(32) {
        move row[0] <- chosen (token[0]) bytes 16 * T
        sync
        move counts[0] <- sum int32 in int32 (for t < T: row[16 * t]) bytes 16
      }
      """;

  @Property(tries = 50)
  void countsEqualThoseOfALoop(
      @ForAll @Size(min = 1, max = 64) List<@IntRange(max = 3) Integer> experts) {
    ByteBuffer tokens = ByteBuffer.allocate(4 * experts.size()).order(ByteOrder.LITTLE_ENDIAN);
    int[] expected = new int[4];
    for (int expert : experts) {
      tokens.putInt(expert);
      expected[expert]++;
    }
    Map<String, Long> params = Map.of("T", (long) experts.size());
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance =
            executor.prepare(
                Program.bind(FormParser.parse(COUNTS), 1, params), Topology.parse("1x1"))) {
      instance.write(0, "token", 0, tokens.array());
      instance.launch(Duration.ofSeconds(5));
      ByteBuffer counts =
          ByteBuffer.wrap(instance.read(0, "counts", 0, 16)).order(ByteOrder.LITTLE_ENDIAN);
      for (int expert = 0; expert < 4; expert++) {
        assertThat(counts.getInt(4 * expert)).isEqualTo(expected[expert]);
      }
    }
  }
}
