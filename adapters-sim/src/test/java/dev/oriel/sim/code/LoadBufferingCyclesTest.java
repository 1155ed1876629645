package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.LoadStorePairs.Access;
import dev.oriel.sim.code.LoadStorePairs.Pair;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Load buffering is named where some cycle of distinct lanes allows it. The oracle looks at every
 * path of pairs, and removes none.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
class LoadBufferingCyclesTest {
  private static final int WORLD = 3;

  private static final List<String> STEPS =
      List.of(
          "read x%3$d <- S[%1$d]@%2$d relaxed",
          "read x%3$d <- S[%1$d]@%2$d acquire",
          "read x%3$d <- S[0]@%2$d relaxed",
          "signal S[%d]@%d set 1 relaxed",
          "signal S[0]@%2$d set 1 relaxed",
          "signal S[0]@%2$d set 1 relaxed",
          "signal S[%d]@%d set 1 release",
          "wait win[8 * %1$d] >= 0 relaxed",
          "load x%3$d <- win[8 * %1$d] relaxed",
          "atomic win@%2$d[8 * %1$d] add 1",
          "atomic own[0] <- win@%2$d[8 * %1$d] add 1",
          "order gpu",
          "order sc sys");

  @Test
  void aCycleIsFoundIfThereIsOne() {
    SplittableRandom random = new SplittableRandom(7);
    int cycles = 0;
    int programs = Thorough.count(2_000, 20_000);
    for (int i = 0; i < programs; i++) {
      String text = text(random);
      Program program = Program.bind(FormParser.parse(text), WORLD, Map.of());
      Topology topology = Topology.grid(1, WORLD);
      WorldCode code =
          new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
      boolean cycle = new Paths(code).any();
      assertThat(LoadBuffering.of(code).isPresent()).as(text).isEqualTo(cycle);
      cycles += cycle ? 1 : 0;
    }
    assertThat(cycles).isGreaterThan(programs / 200);
  }

  private static String text(SplittableRandom random) {
    String ranks =
        IntStream.range(0, WORLD)
            .mapToObj(r ->
                "if r == %d {\n%s\n}"
                    .formatted(
                        r,
                        IntStream.range(0, 2 + random.nextInt(3))
                            .mapToObj(step ->
                                STEPS
                                    .get(random.nextInt(STEPS.size()))
                                    .formatted(
                                        random.nextInt(2),
                                        (r + 1 + random.nextInt(2)) % WORLD,
                                        step))
                            .collect(Collectors.joining("\n"))))
            .collect(Collectors.joining("\n"));
    return "form cycles\nwindow win[16]\nscratch own[8]\nsignal S[2]\nlane main: sm(32) {\n%s\n}\n"
        .formatted(ranks);
  }

  /** All paths of pairs through distinct lanes. */
  private static final class Paths {
    private final WorldCode world;
    private final List<Pair> pairs = new ArrayList<>();

    Paths(WorldCode world) {
      this.world = world;
      for (int l = 0; l < world.lanes().size(); l++) {
        new LoadStorePairs(world.operands(), world.lanes().get(l), l)
            .all()
            .forEach(found -> pairs.add(found.pair()));
      }
    }

    boolean any() {
      return pairs.stream().filter(Pair::independent).anyMatch(first -> goesOn(List.of(first)));
    }

    private boolean goesOn(List<Pair> path) {
      Pair last = path.getLast();
      for (Pair next : pairs) {
        if (next.lane() == last.lane() || !meet(last, next)) {
          continue;
        }
        if (next.equals(path.getFirst()) && unordered(path) >= 2) {
          return true;
        }
        if (path.stream().noneMatch(pair -> pair.lane() == next.lane())) {
          List<Pair> longer = new ArrayList<>(path);
          longer.add(next);
          if (goesOn(longer)) {
            return true;
          }
        }
      }
      return false;
    }

    private long unordered(List<Pair> cycle) {
      return IntStream.range(0, cycle.size())
          .filter(i -> !orders(cycle.get(i), cycle.get((i + 1) % cycle.size())))
          .count();
    }

    private boolean meet(Pair pair, Pair next) {
      return pair.store().place().meets(next.load().place())
          && (!next.load().place().strictFence() || orders(pair, next));
    }

    private boolean orders(Pair pair, Pair next) {
      boolean near = world.lanes().get(pair.lane()).rank() == world.lanes().get(next.lane()).rank();
      int apart = (near ? Scope.GPU : Scope.SYS).ordinal();
      return orders(pair.store(), pair.unfenced(), apart)
          && orders(next.load(), next.unfenced(), apart);
    }

    private static boolean orders(Access access, BitSet unfenced, int apart) {
      return (access.orders() && access.scope() >= apart) || !unfenced.get(apart);
    }
  }
}
