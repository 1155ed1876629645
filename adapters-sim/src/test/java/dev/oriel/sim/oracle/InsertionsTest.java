package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.Ends.Judged;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
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
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What orders more takes outcomes away and adds none, wherever it is put in a random program. Under
 * every detector that ends no other's executions nothing new is found: no race, no wrong value, no
 * deadlock. But for one case: an await of a value that is overwritten may be missed, which a search
 * for everything finds before; who comes to know of the second value does miss it, and waits for
 * ever.
 *
 * <p>{@code -Doriel.insertions.times=10} is a soak: so many times more programs.
 */
class InsertionsTest {
  private static final long SEED = Long.getLong("oriel.insertions.seed", 1);
  private static final int TIMES = Integer.getInteger("oriel.insertions.times", 1);

  /** A program, the same with more order, and where both are executed. */
  private record Pair(String shape, String profile, Insertion insertion, String text, String more) {
    /** Empty if it cannot be bound, or has nothing to be changed. */
    static Optional<Pair> draw(String shape, String profile, long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L + shape.hashCode());
      Insertion insertion = Insertion.values()[random.nextInt(Insertion.values().length)];
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
      return rdma && random.nextInt(3) == 0
          ? LoosePrograms.text(seed, world, 4, 3 + random.nextInt(3))
          : PlainPrograms.text(seed, world, rdma);
    }

    private String program(String what, String of) {
      return shape + " " + profile + " " + what + "\n" + of;
    }

    /** Both searched for values, for anything, and for races alone; empty if that is too much. */
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

  /** What a program comes to, and what it comes to with more order. */
  private record Compared(
      Pair pair,
      Judged values,
      Judged orderedValues,
      Judged all,
      Judged orderedAll,
      Judged races,
      Judged orderedRaces) {

    /** What more order added, if anything. */
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

    /** Whether more order took anything away. */
    boolean less() {
      return !values.equals(orderedValues)
          || !races.equals(orderedRaces)
          || !all.found().equals(orderedAll.found());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1x1, L2, 350", "1x1, L1, 60", "1x1, L0, 60",
    "1x2, L2, 200", "1x2, L1, 60", "1x2, L0, 60", "1x2, L3, 60", "1x3, L2, 60",
    "2x1, L2, 200", "2x1, L1, 100", "2x1, L0, 60", "2x1, L3, 150", "2x1, rdma-strict, 100",
    "2x1, rdma-multirail, 100", "2x1, 'L2,whole=1', 60", "2x1, 'L2,platform=1', 60",
    "2x1, 'L2,proxy=1', 40", "1x2, 'L2,cells=1', 60", "3x1, L2, 30", "3x1, L3, 30"
  })
  void moreOrderAddsNothing(String shape, String profile, int pairs) {
    UnaryOperator<String> ends = new Ends();
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
    assertThat(tried).hasSizeGreaterThanOrEqualTo(7);
    assertThat(fewer.values().stream().mapToInt(n -> n).sum()).isPositive();
  }

  /** Of each operation that orders, one that takes order away instead, or never ends. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ORDER    | 1x2 | Clocks      | s.clocks.copy(fenced, s.clocks, leader);              | s.clocks.copy(leader, s.clocks, fenced);
          SYNC     | 1x2 | Clocks      | order(s, worker, leader);                             | s.clocks.copy(leader, s.clocks, worker);
          QUIET    | 2x1 | Readiness   | yield queue < 0 \\|\\| completions.completed(s, queue);   | yield queue >= 0 && completions.completed(s, queue);
          FLUSH    | 2x1 | ReadStage   | return waits \\|\\| (looseWaits && !loose) ? -1 : n;      | return -1;
          FENCE    | 2x1 | QueueOrder  | behind(s, agents.place[queue], arranged);              | s.clocks.copy(agents.place[queue], s.clocks, arranged);
          BULK     | 1x2 | Clocks      | s.settled[unit] = tick(s, unit);                       | s.clocks.copy(agents.leader[lane], s.clocks, unit);
          SCOPE    | 1x1 | Words       | scope < apart)) {                                      | scope > apart)) {
          STRONG   | 1x2 | Heads       | heads[v] = releases && v <= reach ? all : fenced(s, lane, v); | heads[v] = !releases && v <= reach ? all : fenced(s, lane, v);
          BLOCKING | 2x1 | Readiness   | yield queue < 0 \\|\\| completions.completed(s, queue);   | yield queue < 0 \\|\\| !completions.completed(s, queue);
          """)
  void whatTakesOrderAwayIsCaught(
      Insertion insertion, String shape, String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(
            MutantLoader.Engine.ENDS,
            new EngineMutant(file, line.replace("\\", ""), becomes.replace("\\", "")));
    Optional<String> caught = Optional.empty();
    for (long seed = SEED << 20; caught.isEmpty() && seed < (SEED << 20) + 20_000; seed++) {
      Optional<Pair> pair =
          Pair.draw(shape, "L2", seed).filter(p -> p.insertion == insertion);
      caught = pair.flatMap(p -> p.under(changed)).flatMap(Compared::added);
    }
    assertThat(caught).isPresent();
    System.out.printf("%s by seed=%d: %s%n", line, SEED, caught.get());
  }
}
