package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.machine.Profile;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The machine against a {@link PlainSearch} on random programs. {@code -Doriel.oracle.times=100} is
 * a soak: so many times more programs, none of them the same.
 */
class PlainSearchTest {
  private static final long TIMES = Long.getLong("oriel.oracle.times", 1);

  @ParameterizedTest
  @CsvSource({
    "1x2, L2, 4800, 1000",
    "1x3, L2, 1400, 1000",
    "2x1, L2, 2200, 600",
    "2x1, rdma-strict, 1200, 600",
    "3x1, L2, 500, 600",
    "2x1, 'L2,proxy=1', 1200, 600",
    "2x1, 'rdma-strict,proxy=1', 600, 600",
    "3x1, 'L2,proxy=1', 250, 600"
  })
  void bothLevelsOfTheMachineFindWhatItFinds(
      String shape, String profile, int programs, long maxSteps) {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    boolean rdma = shape.charAt(0) > '1';
    Map<Kind, Integer> kinds =
        compareAll(
            seed -> PlainPrograms.text(seed, world, rdma), shape, profile, programs, maxSteps);
    assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK, Kind.VALUE);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 600", "2, 2, 600", "3, 3, 300", "4, 2, 600"})
  void soTheyDoOfBlocksOfOneGpu(int lanes, int cluster, int programs) {
    Map<Kind, Integer> kinds =
        compareAll(seed -> PlainBlocks.text(seed, lanes, cluster), "1x1", "L2", programs, 1000);
    assertThat(kinds).containsKeys(Kind.RACE, Kind.DEADLOCK, Kind.SCOPE);
  }

  /** Of those of which nothing is found, some hold since 16 bytes are stored at once. */
  @ParameterizedTest
  @CsvSource({"1x2, 1500", "1x3, 700"})
  void soTheyDoWhereStoresAreWhole(String shape, int programs) {
    int world = shape.charAt(2) - '0';
    LongFunction<String> texts = seed -> PlainCells.text(seed, world);
    Map<Kind, Integer> torn = compareAll(texts, shape, "L2", programs, 1000);
    Map<Kind, Integer> whole = compareAll(texts, shape, "L2,cells=1", programs, 1000);
    assertThat(whole).containsKey(Kind.RACE);
    int races = torn.getOrDefault(Kind.RACE, 0);
    assertThat(whole.get(Kind.RACE)).isLessThan(races * 9 / 10);
  }

  private static Map<Kind, Integer> compareAll(
      LongFunction<String> texts, String shape, String profile, int programs, long maxSteps) {
    AtomicInteger compared = new AtomicInteger();
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    // Some are refused at binding or too large for a search that is so plain.
    LongStream.range(0, TIMES * programs * 3)
        .parallel()
        .filter(seed -> compared.get() < TIMES * programs)
        .forEach(seed -> {
          String text = texts.apply(seed);
          compare(text, shape, profile, maxSteps)
              .ifPresent(result -> {
                compared.incrementAndGet();
                Optional<String> wrong = result.disagreement();
                assertThat(wrong).as("%s %s seed=%d%n%s", shape, profile, seed, text).isEmpty();
                synchronized (kinds) {
                  result.plain().found.forEach(k -> kinds.merge(k, 1, Integer::sum));
                }
              });
        });
    assertThat(compared.get()).isGreaterThanOrEqualTo((int) (TIMES * programs));
    return kinds;
  }

  private static Optional<PlainComparison> compare(
      String text, String shape, String profile, long maxSteps) {
    try {
      return Optional.of(PlainComparison.of(text, shape, Profile.parse(profile), maxSteps));
    } catch (PlainSearch.TooLargeException | ProgramException e) {
      return Optional.empty();
    }
  }
}
