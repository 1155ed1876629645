package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Broken programs that were once judged correct, each with its repair: a wait may find a newer
 * value that releases less, and coherence order is not execution order.
 */
class CoherenceTest {
  private static final String WORDS =
      """
      form contended
      scratch data[64]
      scratch flag[64]
      scratch x[8]
      scratch y[8]
      scratch mine[64]
      scratch out[64]
      signal S[2]
      signal T[2]
      """;

  /** World; the repair, as {@code broken => repaired}; and the lanes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1x1 | 2 relaxed => 2 release | lane b: sm(32) { store data[0] <- epoch sync store flag[0] <- 1 release } lane a: sm(32) { wait flag[0] >= 1 acquire store flag[0] <- 2 relaxed } lane c: sm(32) { wait flag[0] >= 1 acquire load v <- data[0] check v == epoch else 1 }
          1x1 | set 2 relaxed => set 2 release | lane b: sm(32) { store data[0] <- epoch sync signal S[0]@r set 1 release } lane a: sm(32) { await S[0]@r >= 1 acquire signal S[0]@r set 2 relaxed } lane c: sm(32) { await S[0]@r >= 1 acquire load v <- data[0] check v == epoch else 1 }
          1x2 | f == 1 { => f == 1 { order sys | lane b: sm(32) { if r == 0 { store data[0] <- epoch sync store flag[0] <- 1 release } } lane a: sm(32) { if r == 1 { atomic mine[0] <- flag@0[0] add 0 load f <- mine[0] if f == 1 { atomic flag@0[0] set 2 } } } lane c: sm(32) { if r == 0 { wait flag[0] >= 1 acquire load v <- data[0] check v == epoch else 1 } }
          1x1 | order gpu => order sc gpu | lane a: sm(32) { store x[0] <- 1 relaxed order gpu atomic mine[0] <- y[0] add 0 load v <- mine[0] store out[0] <- v relaxed store out[8] <- 1 release } lane b: sm(32) { store y[0] <- 1 relaxed order gpu atomic mine[8] <- x[0] add 0 load q <- mine[8] wait out[8] >= 1 acquire load p <- out[0] relaxed if p == 0 { check q == 1 else 1 } }
          1x1 | 1 release => 1 relaxed order sc gpu | lane a: sm(32) { store x[0] <- 1 release atomic mine[0] <- y[0] add 0 load v <- mine[0] store out[0] <- v relaxed store out[8] <- 1 relaxed order gpu store out[16] <- 1 relaxed } lane b: sm(32) { store y[0] <- 1 release atomic mine[8] <- x[0] add 0 load q <- mine[8] wait out[16] >= 1 relaxed order gpu load p <- out[0] relaxed if p == 0 { check q == 1 else 1 } }
          1x1 | 1 release => 1 relaxed order sc gpu | lane a: sm(32) { store x[0] <- 1 release store y[0] <- 2 relaxed order gpu store out[0] <- 1 relaxed } lane b: sm(32) { store y[0] <- 1 release store x[0] <- 2 relaxed wait out[0] >= 1 relaxed order gpu load p <- x[0] relaxed load q <- y[0] relaxed if p == 1 { check q != 1 else 1 } }
          1x1 | order gpu => order sc gpu | lane a: sm(32) { store x[0] <- 1 relaxed order gpu atomic mine[0] <- y[0] cas 5, 6 load v <- mine[0] store out[0] <- v relaxed store out[8] <- 1 release } lane b: sm(32) { store y[0] <- 1 relaxed order gpu atomic mine[8] <- x[0] cas 5, 6 load q <- mine[8] wait out[8] >= 1 acquire load p <- out[0] relaxed if p == 0 { check q == 1 else 1 } }
          1x1 | order gpu => order sc gpu | lane sleeper: sm(32) { atomic x[0] add 1 order gpu atomic mine[0] <- y[0] fetch load v <- mine[0] if v == 0 { wait flag[0] >= 1 relaxed } } lane waker: sm(32) { store y[0] <- 1 relaxed order gpu atomic mine[8] <- x[0] fetch load w <- mine[8] if w > 0 { store flag[0] <- 1 relaxed } }
          1x2 | order sys => order sc sys | lane a: sm(32) { if r == 0 { store x[0] <- 1 relaxed order sys atomic mine[0] <- y@1[0] add 0 load v <- mine[0] store out[0] <- v relaxed store out[8] <- 1 release } if r == 1 { store y[0] <- 1 relaxed order sys atomic mine[0] <- x@0[0] add 0 load q <- mine[0] atomic mine[8] <- out@0[8] fetch load d <- mine[8] if d == 1 { order sys atomic mine[16] <- out@0[0] fetch load p <- mine[16] if p == 0 { check q == 1 else 1 } } } }
          1x1 | order cta => order gpu | lane l: sm(32) { atomic mine[0] <- x[0] add 1 load v <- x[0] relaxed order cta if v == 2 { load d <- data[0] check d == 1 else 1 } } lane s: sm(32) { store data[0] <- 1 sync store x[0] <- 1 release }
          """)
  void aMistakeIsFoundAndItsRepairHolds(String world, String repair, String lanes) {
    List<String> change = List.of(repair.split(" => ", -1));
    assertThat(lanes).contains(change.getFirst());
    assertThat(checked(world, lanes).violation()).as(lanes).isPresent();
    Verdict repaired = checked(world, lanes.replace(change.getFirst(), change.getLast()));
    assertThat(repaired.violation()).as("%s%n%s", lanes, repaired.violation()).isEmpty();
  }

  private static Verdict checked(String world, String lanes) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(WORDS + lanes), topology.world(), Map.of());
    return new Checker(
            Strategy.SYNCHRONISATION,
            new Budget(100_000, 100_000, 100_000, Long.MAX_VALUE),
            1,
            Checker.strict(Profile.parse("L2"), 1))
        .explore(program, topology)
        .verdict();
  }
}
