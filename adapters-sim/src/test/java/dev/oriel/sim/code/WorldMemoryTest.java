package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.ports.MachineException;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bytes of a state have numbers; a world with too many bytes is rejected. */
class WorldMemoryTest {
  private static final String FORM =
      """
      form f
      param B <= 1000000000000
      window w[B]
      alias v of w
      scratch s[n]
      lane main: sm(32) { sync }
      """;

  private static void require(long bytes, int world) {
    Program program = Program.bind(FormParser.parse(FORM), world, Map.of("B", bytes));
    WorldMemory.require(
        program.form().buffers(), IntStream.range(0, world).mapToObj(program::rank).toList());
  }

  @Test
  void tooManyBytesAreRejected() {
    require((1L << 30) - 3, 2);
    assertThatThrownBy(() -> require((1L << 30) - 2, 2))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "world too large for memory of every rank: ranks=2, bytes=2147483648, max=2147483647; use fewer ranks or smaller parameters");
    assertThatThrownBy(() -> require(1_000_000_000_000L, 3))
        .hasMessageContaining("ranks=3, bytes=3000000000009,");
  }
}
