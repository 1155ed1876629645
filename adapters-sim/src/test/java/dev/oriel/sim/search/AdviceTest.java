package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Profile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A correct hand-over that lacks one edge: the report names that edge, or a cheaper one. */
class AdviceTest {
  private static final String TEXT =
      """
      form handover
      input in[8]
      scratch box[8]
      output out[8]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(64) {
        signal READY[0]@((r - 1) % n) set epoch release
        await READY[0]@((r + 1) % n) reached epoch acquire
        move box@((r + 1) % n)[0] <- in[0] bytes 8
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r - 1) % n) reached epoch acquire
        move out[0] <- box[0] bytes 8
        flush peers local
      }
      """;

  @ParameterizedTest
  @CsvSource({
    "'signal DATA[0]@((r + 1) % n) set epoch release', 'signal DATA[0]@((r + 1) % n) set epoch relaxed', 1x2, release in place",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', 'await DATA[0]@((r - 1) % n) reached epoch relaxed', 1x2, acquire in place",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', 'await DATA[0]@((r - 1) % n) reached epoch relaxed', 2x1, acquire in place",
    "'flush peers local', '', 2x1, a flush of the peer",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', '', 1x2, no single edge",
    "'reached epoch acquire\n  move out[0] <- box[0] bytes 8', 'reached epoch acquire\n  move out[0] <- box[0] bytes 8\n  move box[0] <- in[0] bytes 8', 1x1, a sync"
  })
  void namesTheCheapestEdge(String line, String replacement, String shape, String advice) {
    assertThat(TEXT).contains(line);
    Topology topology = Topology.parse(shape);
    Program program =
        Program.bind(Parser.parse(TEXT.replace(line, replacement)), topology.world(), Map.of());
    var verdict =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.RDMA_STRICT, 2))
            .check(program, topology);
    assertThat(verdict.violation()).isPresent();
    assertThat(verdict.violation().get().kind()).isEqualTo("race");
    assertThat(verdict.violation().get().message()).contains(advice);
  }
}
