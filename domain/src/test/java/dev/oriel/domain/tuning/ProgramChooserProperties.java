package dev.oriel.domain.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.explain.LaunchExplanation;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.SomeFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateRanking.Origin;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ProgramChooserProperties {
  /** Any cost, but the same for the same program in the same world. */
  private static final CostModel ANY =
      (program, topology) ->
          1 + Math.floorMod((program.digest() + topology.digest()).hashCode(), 1000);

  /** How a rank chooses, given its inputs. */
  private interface View {
    ProgramChoice choose(
        int rank, List<RankFacts> facts, List<CandidateProgram> candidates, long bytes);
  }

  @Provide
  Arbitrary<List<RankFacts>> worlds() {
    return SomeFacts.ofWorlds(6);
  }

  @Provide
  Arbitrary<Long> sizes() {
    return Arbitraries.of(0L, 8L, 1000L, 65_536L, 65_540L, 262_144L, 4L << 20, (4L << 20) + 4);
  }

  @Property(tries = 30)
  @Sampled(every = 5)
  void everyRankChoosesTheSame(
      @ForAll("worlds") List<RankFacts> facts, @ForAll("sizes") long bytes, @ForAll long seed) {
    assertThat(choices(ProgramChooserProperties::chosen, facts, bytes, new Random(seed)))
        .hasSize(1);
  }

  /** The property detects a chooser that uses a rank's own links. */
  @Example
  void aDifferentViewOfOneRankIsDetected() {
    View own =
        (rank, facts, candidates, bytes) -> {
          PeerResources setting = PeerBlocks.of(Topology.of(facts), rank, bytes).setting();
          return ProgramChoice.of(
              SomeCandidates.ALLGATHER.get(1), Optional.of(LaneCount.of(setting)));
        };
    List<RankFacts> odd = List.of(near("a", 0), near("a", 1), RankFacts.of("b", 0));
    assertThat(choices(own, odd, 128 << 10, new Random(1))).hasSize(2);
    assertThat(choices(ProgramChooserProperties::chosen, odd, 128 << 10, new Random(1))).hasSize(1);
  }

  /** It also detects one that takes the first candidate. */
  @Example
  void aDifferentOrderOfCandidatesIsDetected() {
    View first =
        (rank, facts, candidates, bytes) ->
            ProgramChoice.of(candidates.getFirst(), Optional.empty());
    List<RankFacts> odd = List.of(near("a", 0), near("a", 1), RankFacts.of("b", 0));
    assertThat(choices(first, odd, 8, new Random(1)).size()).isGreaterThan(1);
  }

  private static RankFacts near(String host, int device) {
    return RankFacts.of(host, device).withReachable(IndexSet.range(0, 2));
  }

  private static ProgramChoice chosen(
      int rank, List<RankFacts> facts, List<CandidateProgram> candidates, long bytes) {
    Topology topology = Topology.of(facts);
    return new ProgramChooser(ANY)
        .rank(key(Collective.ALLGATHER, bytes, topology), topology, candidates)
        .best()
        .choice();
  }

  /** The choices of all ranks, each of which lists the candidates in a different order. */
  private static Set<ProgramChoice> choices(
      View view, List<RankFacts> facts, long bytes, Random random) {
    Set<ProgramChoice> choices = new HashSet<>();
    for (int rank = 0; rank < facts.size(); rank++) {
      List<CandidateProgram> candidates = new ArrayList<>(SomeCandidates.ALLGATHER);
      Collections.shuffle(candidates, random);
      choices.add(view.choose(rank, List.copyOf(facts), candidates, bytes));
    }
    return choices;
  }

  @Property(tries = 30)
  @Sampled(every = 5)
  void theChoiceIsTheCheapestOfAll(
      @ForAll("worlds") List<RankFacts> facts, @ForAll("sizes") long bytes) {
    Topology topology = Topology.of(facts);
    CandidateRanking ranking =
        new ProgramChooser(ANY)
            .rank(key(Collective.ALLREDUCE, bytes, topology), topology, SomeCandidates.ALLREDUCE);
    assertThat(ranking.offers()).allMatch(offer -> ranking.best().nanos() <= offer.nanos());
    assertThat(ranking.offers().size() + ranking.refusals().size()).isEqualTo(6);
    assertThat(ranking.best(Origin.TABLE)).isPresent();
  }

  @Example
  void programsThatCannotRunAreRejectedWithAReason() {
    Topology topology = Topology.grid(1, 2);
    TuningKey large = key(Collective.ALLGATHER, 1 << 20, topology);
    CandidateRanking ranking =
        new ProgramChooser(ANY).rank(large, topology, SomeCandidates.ALLGATHER);
    assertThat(ranking.refusals())
        .extracting(r -> r.choice().program())
        .containsOnly("ll_all_gather");
    assertThat(ranking.refusals().getFirst().reason())
        .isEqualTo(
            "parameter out of range: name=B, value=1048576, min=0, max=262144; give a value in between");
    List<CandidateProgram> packets = SomeCandidates.ALLGATHER.subList(0, 1);
    assertThatThrownBy(() -> new ProgramChooser(ANY).rank(large, topology, packets))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("no program can do this")
        .hasMessageContaining("max=262144");
  }

  /** A network may tear lines, and copy engines post no requests to it. */
  @Example
  void programsWithMappedMemoryAreRejectedOverANetwork() {
    String form =
        """
        form wants
        param B <= 64
        input in[B]
        output out[B]
        scratch ll[128]
        lane main: %s { move %s <- in[0] bytes B }
        """;
    CandidateProgram lines =
        new CandidateProgram(
            "lines", FormParser.parse(form.formatted("sm(32)", "ll@peers[0] line128(1)")));
    CandidateProgram engine =
        new CandidateProgram("engine", FormParser.parse(form.formatted("copy", "out@peers[0]")));
    List<CandidateProgram> candidates = List.of(lines, engine);
    Topology near = Topology.grid(1, 2);
    Topology apart = Topology.grid(2, 1);
    assertThat(
            new ProgramChooser(ANY)
                .rank(key(Collective.ALLGATHER, 8, near), near, candidates)
                .refusals())
        .isEmpty();
    for (CandidateProgram candidate : candidates) {
      assertThatThrownBy(() ->
              new ProgramChooser(ANY)
                  .rank(key(Collective.ALLGATHER, 8, apart), apart, List.of(candidate)))
          .hasMessageContaining("program wants mapped memory: form=wants, links=[RDMA]");
    }
  }

  @Example
  void averagesAreForProgramsThatCanStateThem() {
    Topology topology = Topology.grid(1, 2);
    TuningKey average =
        TuningKey.of(
            Collective.ALLREDUCE,
            64,
            Optional.of(new TuningKey.Element(ReduceOp.AVG, DataType.BF16)),
            topology,
            "any");
    assertThat(new ProgramChooser(ANY).rank(average, topology, SomeCandidates.ALLREDUCE).refusals())
        .extracting(r -> r.choice().program())
        .containsOnly("ring_all_reduce");
  }

  @Example
  void lanesThatAreNotCoResidentAreRejected() {
    Topology topology = Topology.grid(1, 16);
    CandidateRanking ranking =
        new ProgramChooser(ANY)
            .rank(key(Collective.ALLGATHER, 8 << 20, topology), topology, SomeCandidates.ALLGATHER);
    assertThat(ranking.refusals())
        .anyMatch(refusal ->
            refusal.choice().program().equals("push_all_gather")
                && refusal.origin() == Origin.OWN
                && refusal.reason().startsWith("lanes do not fit at once: threads=327680"));
    assertThat(ranking.offers())
        .filteredOn(offer -> offer.choice().program().equals("push_all_gather"))
        .extracting(offer -> offer.origin() + " " + offer.choice().label())
        .containsExactly(
            "TABLE push_all_gather lanes=16x512", "FEWER push_all_gather lanes=33x512");
  }

  /**
   * In every world, both ends of every pair have as many lanes for each other as the table has
   * blocks for their link. If all links are alike, no candidate has lanes that differ by peer.
   */
  @Property(tries = 100)
  @Sampled(every = 5)
  void bothEndsHaveTheTablesLanesForTheirLink(
      @ForAll("worlds") List<RankFacts> facts, @ForAll("sizes") long bytes) {
    Topology topology = Topology.of(facts);
    CandidateProgram split = SomeCandidates.ALLTOALL.getLast();
    TuningKey key = key(Collective.ALLTOALL, bytes, topology);
    CandidateRanking ranking = new ProgramChooser(ANY).rank(key, topology, SomeCandidates.ALLTOALL);
    boolean mixed = WorldParams.mixed(topology);
    assertThat(
            ranking.offers().stream()
                .anyMatch(offer -> offer.choice().program().equals(split.name())))
        .isEqualTo(mixed);
    if (!mixed) {
      return;
    }
    Optional<LaneCount> lanes =
        ranking.offers().stream()
            .filter(offer -> offer.choice().program().equals(split.name()))
            .filter(offer -> offer.origin() == Origin.TABLE)
            .findFirst()
            .orElseThrow()
            .choice()
            .lanes();
    Program program = split.bind(key, topology, lanes);
    for (int rank = 0; rank < topology.world(); rank++) {
      PeerBlocks blocks = PeerBlocks.of(topology, rank, bytes);
      for (int peer = 0; peer < topology.world(); peer++) {
        if (peer != rank) {
          assertThat(lanesTo(peer, program, rank))
              .as("%s: %d to %d", topology, rank, peer)
              .isEqualTo(lanesTo(rank, program, peer))
              .isEqualTo(blocks.blocks(topology.peerIndex(rank, peer)));
        }
      }
    }
  }

  /** The number of lanes of a rank that signal to that peer that its output may be written. */
  private static long lanesTo(int peer, Program program, int rank) {
    List<String> lines = new ArrayList<>();
    new LaunchExplanation(program).rank(rank, lines::add);
    return lines.stream()
        .filter(line -> line.contains("signal READY[") && line.contains("@(" + peer + ")"))
        .count();
  }

  @Example
  void lanesOfBothKindsAreNamed() {
    Topology topology = Topology.grid(2, 3);
    CandidateRanking ranking =
        new ProgramChooser(ANY)
            .rank(key(Collective.ALLTOALL, 128 << 10, topology), topology, SomeCandidates.ALLTOALL);
    assertThat(ranking.offers())
        .extracting(offer -> offer.origin() + " " + offer.choice().label())
        .containsExactly(
            "OWN push_all_to_all",
            "TABLE push_all_to_all lanes=8x512",
            "OWN split_all_to_all",
            "TABLE split_all_to_all lanes=8+1x512");
  }

  @Example
  void aKeyBelongsToItsWorld() {
    TuningKey key = key(Collective.ALLGATHER, 8, Topology.grid(1, 2));
    assertThatThrownBy(
            () -> new ProgramChooser(ANY).rank(key, Topology.grid(2, 1), SomeCandidates.ALLGATHER))
        .hasMessageStartingWith("key of another world");
  }

  @Example
  void aKeyHoldsNothingOfOneRankAlone() {
    assertThat(TuningKey.class.getRecordComponents())
        .extracting(RecordComponent::getName)
        .containsExactly("collective", "bytes", "element", "world", "shape", "device");
    List<RankFacts> here = List.of(RankFacts.of("a", 0), RankFacts.of("b", 1));
    List<RankFacts> there = List.of(RankFacts.of("x", 7), RankFacts.of("y", 0));
    assertThat(key(Collective.GATHER, 8, Topology.of(here)))
        .isEqualTo(key(Collective.GATHER, 8, Topology.of(there)));
  }

  @Example
  void everyPartOfAKeyIsInItsText() {
    Topology two = Topology.grid(1, 2);
    Optional<TuningKey.Element> sum =
        Optional.of(new TuningKey.Element(ReduceOp.SUM, DataType.FP32));
    Optional<TuningKey.Element> max =
        Optional.of(new TuningKey.Element(ReduceOp.MAX, DataType.FP32));
    List<TuningKey> keys =
        List.of(
            TuningKey.of(Collective.ALLREDUCE, 8, sum, two, "h200"),
            TuningKey.of(Collective.ALLREDUCE, 8, max, two, "h200"),
            TuningKey.of(Collective.ALLREDUCE, 8, Optional.empty(), two, "h200"),
            TuningKey.of(Collective.ALLREDUCE, 9, sum, two, "h200"),
            TuningKey.of(Collective.REDUCESCATTER, 8, sum, two, "h200"),
            TuningKey.of(Collective.ALLREDUCE, 8, sum, Topology.grid(2, 1), "h200"),
            TuningKey.of(Collective.ALLREDUCE, 8, sum, Topology.grid(1, 3), "h200"),
            TuningKey.of(Collective.ALLREDUCE, 8, sum, two, "flat50"));
    assertThat(keys.stream().map(TuningKey::text)).doesNotHaveDuplicates();
    assertThat(keys.getFirst().text())
        .isEqualTo(
            "tuning-1 allreduce bytes=8 element=sum-f32 world=2 shape=%s device=h200"
                .formatted(two.digest()));
    assertThat(Arrays.stream(Collective.values()).map(c -> Collective.of(c.word())))
        .containsExactlyElementsOf(Arrays.stream(Collective.values()).map(Optional::of).toList());
  }

  private static TuningKey key(Collective collective, long bytes, Topology topology) {
    return TuningKey.of(collective, bytes, Optional.empty(), topology, "any");
  }
}
