package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A correct program remains correct with one more operation that only orders, at any place: as in
 * {@code InsertionsTest} for random programs, here for shipped ones.
 */
class MoreOrderTest {
  private static final long SEED = Long.getLong("oriel.order.seed", 1);
  private static final int PLACES = Integer.getInteger("oriel.order.places", 4);
  private static final Budget BUDGET = new Budget(1, 20_000, 20_000, 200_000_000);
  private static final Map<String, Integer> TRIED = new TreeMap<>();

  private static final List<Op> ORDERING =
      FormParser.parse(
              """
              form ordering
              lane main: sm(32) {
                sync
                order sys
                order sc gpu
                order bulk
                fence
                quiet
                flush peers local
                flush peers remote
              }
              """)
          .lanes()
          .getFirst()
          .body();

  static List<Correct> programs() {
    return CorrectPrograms.all();
  }

  private static TrialSetting setting(Correct program, String world) {
    Topology topology = Topology.parse(world);
    return new TrialSetting(
        topology, program.params(), Profile.RDMA_STRICT, 2, 1, BUDGET, BUDGET, SEED);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void holdsWithMoreOrder(Correct program) {
    Random random = new Random(SEED * 31 + program.toString().hashCode());
    // On a GPU's threads, which may execute all of them.
    List<RewriteSite> spots =
        RewriteSite.of(program.form()).stream()
            .filter(spot -> spot.lane().engine() instanceof LaneFamily.Engine.Sm)
            .toList();
    List<String> worlds = program.worlds();
    for (int i = 0; i < PLACES && !spots.isEmpty(); i++) {
      RewriteSite spot = spots.get(random.nextInt(spots.size()));
      Op more = ORDERING.get(random.nextInt(ORDERING.size()));
      Form form =
          spot.replaced(random.nextBoolean() ? List.of(more, spot.op()) : List.of(spot.op(), more));
      String world = worlds.get(i % Math.min(2, worlds.size()));
      Verdict verdict;
      try {
        verdict = setting(program, world).check(form, Strategy.SYNCHRONISATION, DetectorSet.ALL);
      } catch (ProgramException refused) {
        TRIED.merge("refused", 1, Integer::sum);
        continue;
      }
      assertThat(verdict.violation())
          .as(
              "%s in %s with %s at %s, seed=%d",
              program, world, FormPrinter.head(more), spot.place(), SEED)
          .isEmpty();
      TRIED.merge(FormPrinter.head(more), 1, Integer::sum);
    }
  }

  @AfterAll
  static void saysWhatWasTried() {
    System.out.printf("more order in correct programs: seed=%d, tried=%s%n", SEED, TRIED);
    assertThat(TRIED.getOrDefault("refused", 0)).isLessThan(20);
  }
}
