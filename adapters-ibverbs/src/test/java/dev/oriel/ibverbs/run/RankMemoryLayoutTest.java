package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The layout of memory, including parts that are longer than an array. */
final class RankMemoryLayoutTest {
  private static final long LONG = 3L << 30;

  @Test
  void allMemoryExceptInputsAndOutputsIsZeroed() {
    RankProgram rank =
        Program.bind(
                FormParser.parse(
                    """
                    form long
                    input in[256]
                    window box[3221225472]
                    output out[256]
                    signal S[1]
                    lane main: sm(32) {
                      signal S[0]@((r + 1) % n) set epoch release
                    }
                    """),
                2,
                Map.of())
            .rank(0);
    RankMemoryLayout places = RankMemoryLayout.of(rank);
    assertThat(places.zeroed(rank))
        .isEqualTo(
            Map.of(places.offset("box"), LONG, places.slots(), places.bytes() - places.slots()));
  }
}
