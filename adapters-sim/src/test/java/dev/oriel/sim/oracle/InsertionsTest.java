package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.ExhaustiveEndings.Judged;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * More order at any place of a random program removes outcomes and adds none. With detectors that
 * end no other's executions it adds no finding: no race, no wrong value, no deadlock. There is one
 * exception: an await may miss a value that is overwritten. A search for everything reports that
 * first. With more order a lane may be ordered after the second value, so it misses the first and
 * waits for ever.
 *
 * <p>{@code -Pthorough -Doriel.insertions.times=10} runs ten times as many programs.
 */
class InsertionsTest {
  private static final List<Insertion> INSERTIONS = List.of(Insertion.values());

  private static final long SEED = Long.getLong("oriel.insertions.seed", 1);
  private static final int TIMES = Integer.getInteger("oriel.insertions.times", 1);

  /** A program, the same program with more order, and its world and profile. */
  private record Pair(String shape, String profile, Insertion insertion, String text, String more) {
    /** Empty if it cannot be bound, or if no place qualifies for a change. */
    static Optional<Pair> draw(String shape, String profile, long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L + shape.hashCode());
      Insertion insertion = INSERTIONS.get(random.nextInt(INSERTIONS.size()));
      String drawn = text(shape, seed, random);
      boolean inserts = random.nextInt(3) == 0;
      int world = (shape.charAt(0) - '0') * (shape.charAt(2) - '0');
      String text = inserts ? drawn : insertion.less(drawn, random);
      String more = inserts ? insertion.more(drawn, world, random) : drawn;
      return more.equals(text)
          ? Optional.empty()
          : Optional.of(new Pair(shape, profile, insertion, text, more));
    }

    private static String text(String shape, long seed, Random random) {
      int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
      if (world == 1) {
        return PlainBlocks.text(seed, 2 + random.nextInt(2), 1 + random.nextInt(2));
      }
      boolean rdma = shape.charAt(0) > '1';
      return switch (random.nextInt(4)) {
        case 0 -> PlainPrograms.text(seed, world, rdma);
        case 1 ->
            rdma
                ? UnorderedPutPrograms.text(seed, world, 4, 2 + random.nextInt(3))
                : PlainCells.text(seed, world);
        default -> SignallingPrograms.text(seed, world, rdma);
      };
    }

    private String program(String what, String of) {
      return shape + " " + profile + " " + what + "\n" + of;
    }

    /**
     * Searches both for values, for everything, and for races only; empty if a search is too large.
     */
    Optional<Compared> under(UnaryOperator<String> ends) {
      Judged[] both = new Judged[2 * LOOKED_FOR.size()];
      for (int i = 0; i < both.length; i++) {
        String what = LOOKED_FOR.get(i / 2);
        try {
          both[i] = Judged.of(ends, program(what, i % 2 == 0 ? text : more));
        } catch (ProgramException refused) {
          return Optional.empty();
        }
        if (both[i].cut()) {
          return Optional.empty();
        }
      }
      return Optional.of(new Compared(this, both[0], both[1], both[2], both[3], both[4], both[5]));
    }
  }

  private static final List<String> LOOKED_FOR = List.of("values", "all", "races");

  /** The results of a program, and its results with more order. */
  private record Compared(
      Pair pair,
      Judged values,
      Judged orderedValues,
      Judged all,
      Judged orderedAll,
      Judged races,
      Judged orderedRaces) {

    /** The results that more order added, if any. */
    Optional<String> added() {
      Set<String> found = new TreeSet<>(orderedValues.found());
      found.removeAll(values.found());
      if (all.found().contains("OVERWRITE")) {
        found.remove("DEADLOCK");
      }
      Set<String> outcomes = new TreeSet<>(orderedValues.outcomes());
      outcomes.removeAll(values.outcomes());
      boolean raced = !orderedRaces.found().isEmpty() && races.found().isEmpty();
      boolean dirty = !orderedAll.found().isEmpty() && all.found().isEmpty();
      return found.isEmpty() && outcomes.isEmpty() && !raced && !dirty
          ? Optional.empty()
          : Optional.of(
              "%s added found=%s outcomes=%s races=%s anything=%s%n%s%n%s"
                  .formatted(
                      pair.insertion,
                      found,
                      outcomes,
                      raced,
                      dirty ? orderedAll.found() : "no",
                      pair.program("", pair.text),
                      pair.more));
    }

    /** Whether more order removed any result. */
    boolean less() {
      return !values.equals(orderedValues)
          || !races.equals(orderedRaces)
          || !all.found().equals(orderedAll.found());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1x1, L2, 80",
    "1x1, L1, 30",
    "1x1, L0, 30",
    "1x2, L2, 120",
    "1x2, L1, 40",
    "1x2, L0, 40",
    "1x2, L3, 40",
    "1x2, 'L2,cells=1', 40",
    "1x3, L2, 30",
    "2x1, L2, 120",
    "2x1, L1, 40",
    "2x1, L0, 40",
    "2x1, L3, 60",
    "2x1, rdma-strict, 60",
    "2x1, rdma-multirail, 40",
    "2x1, 'L2,whole=1', 30",
    "2x1, 'L2,platform=1', 30",
    "2x1, 'L2,proxy=1', 20",
    "3x1, L2, 10",
    "3x1, L3, 10"
  })
  void moreOrderAddsNothing(String shape, String profile, int all) {
    int pairs = Thorough.count(all / 8, all);
    UnaryOperator<String> ends = new ExhaustiveEndings();
    Map<Insertion, Integer> tried = new EnumMap<>(Insertion.class);
    Map<Insertion, Integer> fewer = new EnumMap<>(Insertion.class);
    Set<String> distinct = new HashSet<>();
    for (long seed = SEED << 20; distinct.size() < TIMES * pairs; seed++) {
      Optional<Pair> drawn = Pair.draw(shape, profile, seed);
      Optional<Compared> compared =
          drawn.filter(p -> !distinct.contains(p.text + p.more)).flatMap(p -> p.under(ends));
      if (compared.isEmpty()) {
        continue;
      }
      Pair pair = drawn.get();
      distinct.add(pair.text + pair.more);
      assertThat(compared.get().added()).as("seed=%d", seed).isEmpty();
      tried.merge(pair.insertion, 1, Integer::sum);
      fewer.merge(pair.insertion, compared.get().less() ? 1 : 0, Integer::sum);
    }
    System.out.printf(
        "more order: %s %s seed=%d distinct=%d tried=%s changed=%s%n",
        shape, profile, SEED, distinct.size(), tried, fewer);
    if (pairs >= 80) {
      assertThat(tried).hasSize(Insertion.values().length);
      assertThat(fewer.values().stream().mapToInt(n -> n).sum()).isGreaterThan(pairs / 20);
    }
  }

  private static Arguments mutant(
      Insertion insertion, String shape, String file, String line, String becomes) {
    return Arguments.of(insertion, shape, new EngineMutant(file, line, becomes));
  }

  /** For each operation that orders, a mutant that removes order instead, or never ends. */
  static List<Arguments> mutants() {
    return List.of(
        mutant(
            Insertion.ORDER,
            "1x2",
            "ComponentClocks",
            "s.clocks.copy(fenced, s.clocks, leader);",
            "s.clocks.copy(leader, s.clocks, fenced);"),
        mutant(
            Insertion.SYNC,
            "1x2",
            "ComponentClocks",
            "if (leader == worker) {",
            "if (leader == worker || tick(s, leader) % 3 == 2) {"),
        mutant(
            Insertion.QUIET,
            "2x1",
            "LaneReadiness",
            "yield queue < 0 || completions.completed(s, queue);",
            "yield queue < 0;"),
        mutant(
            Insertion.FLUSH,
            "2x1",
            "ReadStage",
            "return waits || (unorderedWaits && !unordered) ? -1 : n;",
            "return -1;"),
        mutant(Insertion.FENCE, "2x1", "PlaceStage", "if (first && left-- == 0) {", "if (false) {"),
        mutant(
            Insertion.BULK,
            "1x2",
            "ComponentClocks",
            "before(s, lane, agents.unit[lane]);",
            "if (tick(s, agents.leader[lane]) % 3 != 1) before(s, lane, agents.unit[lane]);"),
        mutant(Insertion.SCOPE, "1x1", "SyncWords", "scope < apart);", "scope > apart);"),
        mutant(
            Insertion.STRONG,
            "1x2",
            "SyncWords",
            "boolean acquired = level <= reach;",
            "boolean acquired = level > reach;"),
        mutant(
            Insertion.BLOCKING,
            "2x1",
            "LaneReadiness",
            "yield queue < 0 || completions.completed(s, queue);",
            "yield queue < 0;"));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 3)
  void operationsThatRemoveOrderAreCaught(Insertion insertion, String shape, EngineMutant mutant)
      throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.ENDS, mutant);
    Optional<String> caught = Optional.empty();
    for (long seed = SEED << 20; caught.isEmpty() && seed < (SEED << 20) + 5_000; seed++) {
      Optional<Pair> pair = Pair.draw(shape, "L2", seed).filter(p -> p.insertion == insertion);
      caught = pair.flatMap(p -> p.under(changed)).flatMap(Compared::added);
    }
    assertThat(caught).isPresent();
    System.out.printf("%s: seed=%d%n%s%n", mutant, SEED, caught.get());
  }
}
