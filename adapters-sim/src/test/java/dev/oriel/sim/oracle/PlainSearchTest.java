package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the machine with a {@link PlainSearch} on random programs. {@code -Pthorough
 * -Doriel.oracle.times=100} runs a hundred times as many programs, no two alike.
 */
class PlainSearchTest {
  private static final long TIMES = Long.getLong("oriel.oracle.times", 1);

  /** Shape, profile, number of programs, and the most steps of a plain search. */
  private static final List<Row> ROWS =
      List.of(
          new Row("1x2", "L2", 3600, 1000),
          new Row("1x2", "L1", 200, 1000),
          new Row("1x2", "L3", 200, 1000),
          new Row("1x3", "L2", 1300, 1000),
          new Row("2x1", "L2", 1500, 600),
          new Row("2x1", "L1", 700, 600),
          new Row("2x1", "L3", 700, 600),
          new Row("2x1", "rdma-strict", 600, 600),
          new Row("2x1", "rdma-multirail", 300, 600),
          new Row("3x1", "L2", 300, 600),
          new Row("3x1", "L3", 100, 600),
          new Row("2x1", "L2,proxy=1", 500, 600),
          new Row("2x1", "rdma-strict,proxy=1", 300, 600),
          new Row("3x1", "L2,proxy=1", 150, 600));

  record Row(String shape, String profile, int programs, long maxSteps) {
    /** The number of programs to draw. */
    long drawn() {
      return TIMES * Thorough.count(programs / 10, programs);
    }
  }

  /** In one total order: shape and number of programs. */
  private static final List<Row> ORDERED =
      List.of(new Row("1x2", "L0", 500, 1000), new Row("2x1", "L0", 300, 1000));

  /** Texts already drawn for any row of these, so no program counts twice. */
  private static final Set<String> DRAWN = ConcurrentHashMap.newKeySet();

  static List<Row> rows() {
    return ROWS;
  }

  static List<Row> ordered() {
    return ORDERED;
  }

  /** The rows assert their own counts; this adds them up. */
  @Test
  void allRowsTogetherHaveTenThousandPrograms() {
    assertThat(Stream.of(ROWS, ORDERED).flatMap(List::stream).mapToInt(Row::programs).sum())
        .isGreaterThanOrEqualTo(10_000);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void bothLevelsOfTheMachineAgreeWithThePlainSearch(Row row) {
    Map<Kind, Integer> kinds = compareAll(drawn(row), DRAWN, row);
    if (row.drawn() >= 100) {
      assertThat(kinds).isNotEmpty();
    }
    if (row.drawn() >= 350) {
      assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK);
    }
  }

  /** Programs that no other row draws. */
  private static LongFunction<String> drawn(Row row) {
    int world = Math.max(row.shape.charAt(0) - '0', row.shape.charAt(2) - '0');
    long from = (long) (row.shape + row.profile).hashCode() << 24;
    return seed -> PlainPrograms.text(from + seed, world, row.shape.charAt(0) > '1');
  }

  /**
   * If all accesses are in one total order, there are no races, and the order of plain accesses is
   * no matter of synchronisation. The level of synchronisation may omit those orders. Awaits that
   * may miss a value are detected separately, and end differently.
   */
  @ParameterizedTest
  @MethodSource("ordered")
  void inOneTotalOrderTheMachineInterleavesSteps(Row row) {
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    LongFunction<String> texts = drawn(row);
    int compared = 0;
    int missed = 0;
    int skipped = 0;
    for (long seed = 0; compared < row.drawn(); seed++) {
      String text = texts.apply(seed);
      try {
        if (!DRAWN.add(text)) {
          continue;
        }
        OrderedComparison both = OrderedComparison.of(text, row.shape, row.maxSteps);
        compared++;
        missed += both.missed() ? 1 : 0;
        skipped += both.leavesOut() ? 1 : 0;
        assertThat(both.disagreement()).as("%s seed=%d%n%s", row, seed, text).isEmpty();
        both.plain().found.forEach(k -> kinds.merge(k, 1, Integer::sum));
      } catch (PlainSearch.TooLargeException | ProgramException e) {
        // Another is drawn in its place.
      }
    }
    System.out.printf(
        "%s: distinct=%d, awaits that may be missed=%d, synchronisation leaves out=%d, found=%s%n",
        row, compared, missed, skipped, kinds);
    assertThat(skipped).isLessThan(compared / 10);
    assertThat(kinds).containsKeys(Kind.DEADLOCK, Kind.VALUE);
    assertThat(missed).isLessThan(compared / 10);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 600", "2, 2, 600", "3, 3, 300", "4, 2, 600"})
  void bothLevelsAgreeOnBlocksOfOneGpu(int lanes, int cluster, int programs) {
    Map<Kind, Integer> kinds =
        compareAll(
            seed -> PlainBlocks.text(seed, lanes, cluster),
            ConcurrentHashMap.newKeySet(),
            new Row("1x1", "L2", programs, 1000));
    assertThat(kinds).isNotEmpty();
    if (Thorough.ON) {
      assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK, Kind.SCOPE);
    }
  }

  /** A change of a word carries on releases, each as far as its own scope reaches. */
  @Test
  void bothLevelsAgreeOnArrivalsInAnyScope() {
    Map<Kind, Integer> kinds =
        compareAll(
            PlainArrivals::text, ConcurrentHashMap.newKeySet(), new Row("1x1", "L2", 4000, 6000));
    assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK);
  }

  /** Only system scope reaches a thread of the host, or what it writes. */
  @ParameterizedTest
  @CsvSource({"2, 900", "3, 400"})
  void bothLevelsAgreeOnAHostThreadBesideBlocks(int lanes, int programs) {
    Map<Kind, Integer> kinds =
        compareAll(
            seed -> PlainHosts.text(seed, lanes),
            ConcurrentHashMap.newKeySet(),
            new Row("1x1", "L2", programs, 1000));
    assertThat(kinds).containsKey(Kind.SCOPE);
    if (Thorough.ON) {
      assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK);
    }
  }

  /** What one thread does releases nothing of the others, and orders none of them. */
  @ParameterizedTest
  @CsvSource({
    "1x2, L2, 900, 1000",
    "1x3, L2, 300, 1000",
    "1x2, L3, 200, 1000",
    "2x1, L2, 600, 600",
    "2x1, L3, 200, 600"
  })
  void bothLevelsAgreeOnWhatOneThreadDoes(String shape, String profile, int programs, long most) {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    Map<Kind, Integer> kinds =
        compareAll(
            seed -> PlainThreads.text(seed, world, shape.charAt(0) > '1'),
            ConcurrentHashMap.newKeySet(),
            new Row(shape, profile, programs, most));
    assertThat(kinds).isNotEmpty();
    if (Thorough.ON) {
      assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK);
    }
  }

  /**
   * If fewer blocks are resident than a rank has, they begin in order or in any order, a cluster at
   * once. Some programs deadlock only then.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, 600, 1000",
    "3, 1, 1, 300, 3000",
    "3, 1, 2, 300, 3000",
    "4, 2, 2, 200, 3000",
    "4, 2, 3, 200, 3000"
  })
  void bothLevelsAgreeOnBlocksThatAreNotAllResident(
      int lanes, int cluster, int resident, int programs, long maxSteps) {
    LongFunction<String> texts = seed -> PlainBlocks.text(seed, lanes, cluster);
    for (String order : List.of("", ",anystart=1")) {
      Map<Kind, Integer> kinds =
          compareAll(
              texts,
              ConcurrentHashMap.newKeySet(),
              new Row("1x1", "L2,resident=" + resident + order, programs, maxSteps));
      if (Thorough.ON) {
        assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK);
      }
    }
  }

  /**
   * Programs that the two once judged differently. A put that returns at once reads its source at
   * any later time. A later atomic does not wait for that, so its result must not overwrite the
   * source. A write to the source races with the fetch in either order, even if another rank waits
   * in vain. Over RDMA a releasing signal begins with a fence for all agents. After that fence a
   * single thread is ordered after its relaxed await's message. In a block only the awaiting thread
   * is, and a releasing store on a mapped link is no fence.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2x1 | RACE | host   | put box@1[8] <- mine[8] bytes 8 nb: atomic mine[8] <- flag@1[0] add 1    |
          2x1 | RACE | host   | put box@1[8] <- mine[8] bytes 8 nb: atomic mine[8] <- flag@1[0] add 1 nb |
          2x1 |      | host   | put box@1[8] <- mine[8] bytes 8: atomic mine[8] <- flag@1[0] add 1       |
          2x1 | RACE | host   | put box@1[8] <- mine[8] bytes 8 nb: store mine[8] <- 9                  | wait flag[0] reached 1 acquire
          2x1 |      | host   | move box@1[0] <- mine[0] bytes 8: signal S[0]@1 set 1 release | await S[0]@0 reached 1 relaxed: signal S[0]@0 set 1 release: load x <- box[0]
          2x1 | RACE | sm(32) | move box@1[0] <- mine[0] bytes 8: signal S[0]@1 set 1 release | await S[0]@0 reached 1 relaxed: signal S[0]@0 set 1 release: load x <- box[0]
          1x2 | RACE | host   | move box@1[0] <- mine[0] bytes 8: signal S[0]@1 set 1 release | await S[0]@0 reached 1 relaxed: signal S[0]@0 set 1 release: load x <- box[0]
          2x1 | RACE | host   | move box@1[0] <- mine[0] bytes 8: signal S[0]@1 set 1 release | await S[0]@0 reached 1 relaxed: load x <- box[0]
          """)
  void programsOnceJudgedDifferentlyAreJudgedAlike(
      String shape, Kind found, String engine, String first, String second) {
    String text =
        "form two\nscratch box[32]\nscratch flag[32]\nscratch mine[32]\nsignal S[1]\nlane main: %s {\n  if r == 0 {\n%s\n  }\n  if r == 1 {\n%s\n  }\n}\n"
            .formatted(
                engine,
                first.replace(": ", "\n"),
                second == null ? "" : second.replace(": ", "\n"));
    PlainComparison both = PlainComparison.of(text, shape, Profile.L2, 20_000);
    assertThat(both.disagreement()).isEmpty();
    assertThat(both.full().found).isEqualTo(found == null ? Set.of() : Set.of(found));
  }

  /** Some programs have no findings only because 16 bytes are stored at once. */
  @ParameterizedTest
  @CsvSource({"1x2, 1500", "1x3, 700"})
  void bothLevelsAgreeOnStoresOfWholeCells(String shape, int programs) {
    int world = shape.charAt(2) - '0';
    LongFunction<String> texts = seed -> PlainCells.text(seed, world);
    Map<Kind, Integer> torn =
        compareAll(texts, ConcurrentHashMap.newKeySet(), new Row(shape, "L2", programs, 1000));
    Map<Kind, Integer> whole =
        compareAll(
            texts, ConcurrentHashMap.newKeySet(), new Row(shape, "L2,cells=1", programs, 1000));
    assertThat(whole).containsKey(Kind.RACE);
    int races = torn.getOrDefault(Kind.RACE, 0);
    assertThat(whole.get(Kind.RACE)).isLessThan(races * 9 / 10);
  }

  /** Some programs have no findings only because writes are placed from front to back. */
  @ParameterizedTest
  @CsvSource({"2x1, L2, 400", "2x1, L1, 200", "2x1, rdma-strict, 200", "2x1, L3, 200"})
  void bothLevelsAgreeOnWritesFromFrontToBack(String shape, String profile, int programs) {
    LongFunction<String> texts = seed -> PlainMessages.text(seed, shape.charAt(0) - '0');
    Map<Kind, Integer> unordered =
        compareAll(texts, ConcurrentHashMap.newKeySet(), new Row(shape, profile, programs, 600));
    Map<Kind, Integer> ordered =
        compareAll(
            texts,
            ConcurrentHashMap.newKeySet(),
            new Row(shape, profile + ",whole=1", programs, 600));
    assertThat(ordered).containsKey(Kind.RACE);
    assertThat(ordered.get(Kind.RACE)).isLessThan(unordered.get(Kind.RACE));
  }

  /**
   * Where interfaces write from front to back, a wait may find what one writes. Two interfaces that
   * write the word without an order race nevertheless, as do a write and an atomic.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put box@2[0] <- mine[0] bytes 8 nb | put box@2[0] <- mine[0] bytes 8 nb | RACE
          put box@2[0] <- mine[0] bytes 8 nb | atomic box@2[0] add 1              | RACE
          atomic box@2[0] add 1              | atomic box@2[0] add 1              |
          put box@2[0] <- mine[0] bytes 8 nb | sync                               |
          """)
  void unorderedWritesOfAnAwaitedWordRace(String one, String other, Kind found) throws Exception {
    String text =
        "form met\nscratch box[32]\nscratch flag[32]\nscratch mine[32]\nsignal S[1]\nlane main: host {\n  if r == 0 {\n%s\n  }\n  if r == 1 {\n%s\n  }\n  if r == 2 {\nwait box[0] >= 0 relaxed\n  }\n}\n"
            .formatted(one, other);
    String profile = "L2,whole=1";
    PlainComparison both = PlainComparison.of(text, "3x1", Profile.parse(profile), 3_000_000);
    assertThat(both.disagreement()).isEmpty();
    assertThat(both.full().found).isEqualTo(found == null ? Set.of() : Set.of(found));
    UnaryOperator<String> changed =
        MutantLoader.battery(
            MutantLoader.Engine.ENDS,
            new EngineMutant(
                "RaceDetector",
                "if (((then | tick) & ShadowLayout.PUT) == 0 || poll(then) || poll(tick)) {",
                "if (true) {"));
    String head = "3x1 " + profile + " race\n";
    assertThat(ExhaustiveEndings.Judged.of(new ExhaustiveEndings(), head + text).found())
        .isEqualTo(found == null ? Set.of() : Set.of("RACE"));
    assertThat(ExhaustiveEndings.Judged.of(changed, head + text).found()).isEmpty();
  }

  /** Compares that many programs whose texts are new. */
  private static Map<Kind, Integer> compareAll(
      LongFunction<String> texts, Set<String> drawn, Row row) {
    AtomicInteger compared = new AtomicInteger();
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    // Binding rejects some, some are too large for a plain search, and some are known. In parallel,
    // the selection differs from run to run.
    LongStream seeds = LongStream.range(0, row.drawn() * 8);
    (Thorough.ON ? seeds.parallel() : seeds)
        .filter(seed -> compared.get() < row.drawn())
        .forEach(seed -> {
          String text = texts.apply(seed);
          if (!drawn.add(text)) {
            return;
          }
          compare(text, row)
              .ifPresent(result -> {
                compared.incrementAndGet();
                Optional<String> wrong = result.disagreement();
                assertThat(wrong).as("%s seed=%d%n%s", row, seed, text).isEmpty();
                synchronized (kinds) {
                  result.plain().found.forEach(k -> kinds.merge(k, 1, Integer::sum));
                }
              });
        });
    System.out.printf("%s: distinct=%d, found=%s%n", row, compared.get(), kinds);
    assertThat(compared.get()).isGreaterThanOrEqualTo((int) row.drawn());
    return kinds;
  }

  private static Optional<PlainComparison> compare(String text, Row row) {
    try {
      Profile profile = Profile.parse(row.profile);
      return Optional.of(PlainComparison.of(text, row.shape, profile, row.maxSteps));
    } catch (PlainSearch.TooLargeException | ProgramException e) {
      return Optional.empty();
    }
  }
}
