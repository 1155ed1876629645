package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.cuda.process.AllocationExchange.MappedAllocation;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Needs no GPU: memory is given by numbers. */
class CallerBuffersTest {
  private static final RankProgram TWO =
      Program.bind(ShippedPrograms.form("push_all_gather"), 2, Map.of("B", 64L)).rank(1);

  private static Map<String, Long> addresses(long in, long out) {
    return CallerBuffers.addresses(
        TWO, Map.of("in", new MappedAllocation(in, 64), "out", new MappedAllocation(out, 128)));
  }

  @Test
  void adjacentBuffersAreSeparate() {
    assertThat(addresses(4096, 4096 + 64)).hasSize(2);
    assertThat(addresses(4096 + 128, 4096)).hasSize(2);
  }

  @Test
  void buffersThatOverlapAreRefusedByName() {
    for (long in : new long[] {4096, 4096 + 64, 4096 + 112, 4096 - 48}) {
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> addresses(in, 4096))
          .withMessageContaining("memory overlaps: rank=1, buffers=out and in")
          .withMessageContaining("InPlace.of");
    }
  }

  @Test
  void aFormInPlaceHasOneBuffer() {
    RankProgram one = Program.bind(InPlace.of(TWO.program().form()), 2, Map.of("B", 64L)).rank(1);
    assertThat(CallerBuffers.addresses(one, Map.of("out", new MappedAllocation(4096, 128))))
        .isEqualTo(Map.of("out", 4096L));
  }
}
