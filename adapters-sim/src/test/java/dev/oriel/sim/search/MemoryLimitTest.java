package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.RankCodeExploration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A search with memory for few states reports that, with figures. */
class MemoryLimitTest {
  private static final long KIB = 1024;

  private static CheckReport search(Form form, String world, long memory) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 8, 0));
    Budget budget = new Budget(1, 20_000, 1_000_000, 100_000_000, memory);
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1))
        .explore(program, topology);
  }

  private static List<String> bounds(long memory) {
    return search(ShippedPrograms.form("ring_all_gather"), "1x2", memory).verdict().bounds();
  }

  @Test
  void aSearchCutByMemoryReportsFigures() {
    assertThat(bounds(16 * KIB))
        .singleElement()
        .asString()
        .startsWith("full: stopped at states=")
        .contains("limit of memory");
    assertThat(bounds(1 << 30)).noneMatch(bound -> bound.contains("memory"));
  }

  /** A search that the time cuts says so, and its states are fewer than all. */
  @Test
  void aSearchCutByTimeReportsFigures() {
    Form ring = ShippedPrograms.form("ring_all_gather");
    CheckReport all = timed(ring, TimeLimit.NONE);
    assertThat(all.verdict().bounds()).isEmpty();
    CheckReport cut = timed(ring, () -> () -> true);
    assertThat(cut.verdict().states()).isLessThan(all.verdict().states());
    assertThat(cut.verdict().bounds())
        .singleElement()
        .asString()
        .startsWith("full: stopped at states=" + cut.verdict().states())
        .contains("limit of time");
  }

  /** Each search measures its own time, and asks no more often than needed. */
  @Test
  void timeThatIsNotOverChangesNothing() {
    Form ring = ShippedPrograms.form("ring_all_gather");
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    CheckReport all = timed(ring, TimeLimit.NONE);
    CheckReport measured =
        timed(
            ring,
            () -> {
              begun.incrementAndGet();
              return () -> asked.incrementAndGet() < 0;
            });
    assertThat(measured.verdict().toString()).isEqualTo(all.verdict().toString());
    assertThat(begun).hasValue(1);
    assertThat(asked.get()).isBetween(1, (int) measured.steps() / 100);
  }

  private static CheckReport timed(Form form, TimeLimit time) {
    Topology topology = Topology.parse("1x3");
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 8, 0));
    Budget budget = new Budget(1, 20_000, 1_000_000, 100_000_000).within(time);
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1))
        .explore(program, topology);
  }

  /**
   * Versions of parts in too little memory are given up; the search is then that of whole states.
   */
  @ParameterizedTest
  @ValueSource(longs = {100 * KIB, 500 * KIB, 2000 * KIB, 1 << 30})
  void littleMemoryForVersionsChangesNothing(long memory) {
    CheckReport all = search(ShippedPrograms.form("ring_all_gather"), "1x3", 1 << 30);
    CheckReport little = search(ShippedPrograms.form("ring_all_gather"), "1x3", memory);
    assertThat(all.verdict().bounds()).isEmpty();
    List<String> bounds = little.verdict().bounds();
    assertThat(bounds.isEmpty() ? little.verdict() : all.verdict()).isEqualTo(all.verdict());
    assertThat(bounds).allMatch(bound -> bound.contains("limit of memory"));
    assertThat(bounds.isEmpty()).isEqualTo(memory > 300 * KIB);
  }

  private static CheckReport ranks(long memory) {
    WindowSpec spec = WindowSpec.named("w").withData(DataSizes.uniform(64)).withSignals(2);
    return RankCodeExploration.of(
            "few",
            spec,
            Topology.parse("1x2"),
            Thread::startVirtualThread,
            (window, rank) -> {
              for (int i = 0; i < 2; i++) {
                window.put(1 - rank, 8L * i, 32, 8);
                window.signal(1 - rank, i, 1);
              }
            })
        .withStrategy(Strategy.FULL)
        .withBudget(new Budget(1, 20_000, 10_000, 50_000_000, memory))
        .check();
  }

  @Test
  void aSearchOfRankCodeCutByMemoryReportsFigures() {
    assertThat(ranks(KIB / 2).verdict().bounds())
        .singleElement()
        .asString()
        .startsWith("full: stopped at states=")
        .contains("limit of memory");
    assertThat(ranks(1 << 30).verdict().bounds()).isEmpty();
  }

  /** Each of four ranks adds that often, and rank 0 awaits the sum of all. */
  private static Program sums(int each, int sum) {
    String text =
        """
        form sums
        signal S[1]
        signal DONE[1]
        lane main: sm(32) {
          if r > 0 {
            for i < %d { signal S[0]@0 add 1 relaxed }
            signal DONE[0]@0 set 1 relaxed
          }
          if r == 0 {
            await DONE[0]@peers reached 1 relaxed
            await sum S[0]@all >= %d relaxed
          }
        }
        """
            .formatted(each, sum);
    return Program.bind(FormParser.parse(text), 5, Map.of());
  }

  private static ProgramOutcomes outcomes(Program program, long memory) {
    Budget budget = new Budget(1, 20_000, 1_000_000, 100_000_000, memory);
    return ProgramOutcomes.of(
        program, Topology.parse("1x5"), Checker.strict(Profile.L2, 1), budget, false);
  }

  @Test
  void omittedCombinationsOfASumAreABound() {
    Checker checker =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1));
    assertThat(checker.check(sums(6, 12), Topology.parse("1x5")).bounds())
        .singleElement()
        .asString()
        .startsWith("sums: ");
    assertThat(checker.check(sums(1, 2), Topology.parse("1x5")).bounds()).isEmpty();
    assertThat(outcomes(sums(6, 12), 1 << 30).exhausted()).isFalse();
    assertThat(outcomes(sums(1, 2), 1 << 30).exhausted()).isTrue();
    assertThat(outcomes(sums(1, 2), 4 * KIB).exhausted()).isFalse();
  }
}
