package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class CampaignResultsProperties {
  private static final int PARTS = 4;

  @Provide
  Arbitrary<StrategyTally> tallies() {
    Arbitrary<Long> count = Arbitraries.longs().between(0, 1L << 40);
    Arbitrary<StrategyTally.First> first =
        Combinators.combine(
                Arbitraries.longs().between(0, 9),
                Arbitraries.of("race", "deadlock"),
                Arbitraries.strings().ofMaxLength(5))
            .as(StrategyTally.First::new);
    return Combinators.combine(
            count,
            count,
            Arbitraries.maps(Arbitraries.of("a", "b", "c \"\\\n\u00e9"), count),
            first.optional())
        .as((executions, states, coverage, found) ->
            new StrategyTally(executions, states, new TreeMap<>(coverage), found));
  }

  /** The complete results of each part. Campaigns are subsets of them. */
  @Provide
  Arbitrary<List<Map<String, StrategyTally>>> truths() {
    return Arbitraries.maps(Arbitraries.of("pct-3", "random", "fifo"), tallies())
        .list()
        .ofSize(PARTS);
  }

  @Property
  void talliesAddUpInEveryOrder(
      @ForAll("tallies") StrategyTally a,
      @ForAll("tallies") StrategyTally b,
      @ForAll("tallies") StrategyTally c) {
    assertThat(a.plus(b)).isEqualTo(b.plus(a));
    assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
    assertThat(a.plus(StrategyTally.NOTHING)).isEqualTo(a);
  }

  @Property
  void mergingIsAssociativeCommutativeAndIdempotent(
      @ForAll("truths") List<Map<String, StrategyTally>> truth,
      @ForAll @IntRange(max = 15) int one,
      @ForAll @IntRange(max = 15) int two,
      @ForAll @IntRange(max = 15) int three) {
    CampaignResults a = some(truth, one);
    CampaignResults b = some(truth, two);
    CampaignResults c = some(truth, three);
    assertThat(a.merge(a)).isEqualTo(a);
    assertThat(a.merge(b)).isEqualTo(b.merge(a));
    assertThat(a.merge(b).merge(b)).isEqualTo(a.merge(b));
    assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c)));
    assertThat(a.merge(b)).isEqualTo(some(truth, one | two));
  }

  @Property
  void readsBackWhatItPrints(
      @ForAll("truths") List<Map<String, StrategyTally>> truth,
      @ForAll @IntRange(max = 15) int mask) {
    CampaignResults campaign = some(truth, mask);
    String text = CampaignText.json(campaign).print();
    assertThat(CampaignText.of(JsonValue.parse(text))).isEqualTo(campaign);
    assertThat(CampaignText.json(CampaignText.of(JsonValue.parse(text))).print()).isEqualTo(text);
  }

  @Property
  void theFirstFailureIsTheLowestOfTheFirstStrategy(
      @ForAll("truths") List<Map<String, StrategyTally>> truth) {
    Optional<CampaignResults.Found> first = some(truth, 15).first();
    for (Map<String, StrategyTally> part : truth) {
      part.forEach((strategy, tally) ->
          tally
              .first()
              .ifPresent(f -> {
                assertThat(first).isPresent();
                assertThat(first.orElseThrow().strategy()).isLessThanOrEqualTo(strategy);
                if (first.orElseThrow().strategy().equals(strategy)) {
                  assertThat(first.orElseThrow().first().execution())
                      .isLessThanOrEqualTo(f.execution());
                }
              }));
    }
  }

  @Property
  void everyExecutionBelongsToOneShard(
      @ForAll @IntRange(min = 1, max = 9) int count, @ForAll @IntRange(max = 50) int total) {
    List<Long> all = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      CampaignShard shard = CampaignShard.parse(i + "/" + count);
      LongStream.range(-1, total).filter(shard::owns).forEach(all::add);
    }
    assertThat(all).hasSize(total).doesNotHaveDuplicates().allMatch(e -> e >= 0);
  }

  @Property
  void anyTextIsParsedOrRejectedWithAReason(@ForAll @StringLength(max = 40) String text) {
    assertThatThrownBy(() -> CampaignText.of(JsonValue.parse(text)))
        .isInstanceOf(ReplayException.class);
  }

  @Property
  void aDamagedReportIsParsedOrRejectedWithAReason(
      @ForAll("truths") List<Map<String, StrategyTally>> truth,
      @ForAll int place,
      @ForAll char other) {
    StringBuilder text = new StringBuilder(CampaignText.json(some(truth, 15)).print());
    text.setCharAt(Math.floorMod(place, text.length()), other);
    try {
      CampaignText.of(JsonValue.parse(text.toString()));
    } catch (ReplayException refused) {
      assertThat(refused).hasMessageContaining(";");
    }
  }

  private static CampaignResults some(List<Map<String, StrategyTally>> truth, int mask) {
    CampaignResults campaign = new CampaignResults("c", new TreeMap<>());
    for (int i = 0; i < PARTS; i++) {
      if ((mask >> i & 1) == 1) {
        campaign =
            campaign.merge(CampaignResults.of("c", new CampaignShard(i + 1, PARTS), truth.get(i)));
      }
    }
    return campaign;
  }
}
