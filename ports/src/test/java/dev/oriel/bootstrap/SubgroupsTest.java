package dev.oriel.bootstrap;

import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.ports.contract.BootstrapContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A subgroup is a group: here, every second rank of a larger one. */
final class SubgroupsTest extends BootstrapContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final List<Bootstrap> others = new ArrayList<>();

  @AfterEach
  void closeOthers() {
    others.forEach(Bootstrap::close);
  }

  SubgroupsTest() {
    super(Set.of());
  }

  @Override
  protected List<Bootstrap> open(int world, Duration deadline) {
    List<Bootstrap> both =
        split(InProcessBootstrap.group(2 * world, deadline), rank -> "parity " + rank % 2);
    List<Bootstrap> mine = new ArrayList<>();
    for (int rank = 0; rank < both.size(); rank++) {
      (rank % 2 == 1 ? mine : others).add(both.get(rank));
    }
    return mine;
  }

  @Override
  protected int contributionLimit() {
    return ContributionLimits.standard().contributionBytes();
  }

  private static List<Bootstrap> split(List<Bootstrap> ranks, IntFunction<String> key) {
    List<CompletableFuture<Bootstrap>> joining = new ArrayList<>();
    ranks.forEach(rank ->
        joining.add(
            start(
                rank,
                end -> Subgroups.of(end, "split", key.apply(end.rank()), Subgroups.LOOPBACK))));
    List<Bootstrap> parts = new ArrayList<>();
    joining.forEach(part -> parts.add(value(part)));
    return parts;
  }

  private static List<String> gathered(List<Bootstrap> ends, List<String> texts) {
    List<CompletableFuture<List<byte[]>>> calls = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      byte[] mine = texts.get(i).getBytes(StandardCharsets.UTF_8);
      calls.add(start(ends.get(i), end -> end.allGather("gather", mine)));
    }
    return calls.stream()
        .map(call ->
            String.join(
                " ", value(call).stream().map(b -> new String(b, StandardCharsets.UTF_8)).toList()))
        .toList();
  }

  @Test
  void ranksAreNumberedAnewInEachSubgroup() {
    List<Bootstrap> parts = split(InProcessBootstrap.group(5, LONG), rank -> rank < 2 ? "a" : "b");
    try {
      assertThat(parts).extracting(Bootstrap::rank).containsExactly(0, 1, 0, 1, 2);
      assertThat(parts).extracting(Bootstrap::world).containsExactly(2, 2, 3, 3, 3);
      assertThat(gathered(parts, List.of("0", "1", "2", "3", "4")))
          .containsExactly("0 1", "0 1", "2 3 4", "2 3 4", "2 3 4");
    } finally {
      parts.forEach(Bootstrap::close);
    }
  }

  @Test
  void aSubgroupIsSplitAgain() {
    List<Bootstrap> halves = split(InProcessBootstrap.group(6, LONG), rank -> rank < 2 ? "a" : "b");
    List<Bootstrap> four = halves.subList(2, 6);
    List<Bootstrap> pairs = split(four, rank -> rank % 3 == 0 ? "ends" : "middle");
    try {
      assertThat(pairs).extracting(Bootstrap::rank).containsExactly(0, 0, 1, 1);
      assertThat(gathered(pairs, List.of("2", "3", "4", "5")))
          .containsExactly("2 5", "3 4", "3 4", "2 5");
    } finally {
      halves.forEach(Bootstrap::close);
      pairs.forEach(Bootstrap::close);
    }
  }

  /** The end of one subgroup concerns neither another nor the group that was split. */
  @Test
  void anEndConcernsNoOtherSubgroup() {
    List<Bootstrap> all = InProcessBootstrap.group(4, LONG);
    List<Bootstrap> parts = split(all, rank -> rank < 2 ? "a" : "b");
    try {
      parts.getFirst().close();
      CompletableFuture<List<byte[]>> alone =
          start(parts.get(1), end -> end.allGather("later", new byte[0]));
      BootstrapException lost = failure(alone);
      assertThat(lost.kind()).isEqualTo(Kind.PEER_LOST);
      assertThat(lost.ranks()).containsExactly(0);
      assertThat(gathered(parts.subList(2, 4), List.of("2", "3"))).containsExactly("2 3", "2 3");
      assertThat(gathered(all, List.of("0", "1", "2", "3"))).containsOnly("0 1 2 3");
    } finally {
      parts.forEach(Bootstrap::close);
    }
  }

  /** An address that is not this host's: all ranks learn of it, and the group goes on. */
  @Test
  void aRankThatCannotListenFailsAllRanksAlike() {
    List<Bootstrap> all = InProcessBootstrap.group(4, Duration.ofSeconds(10));
    List<CompletableFuture<Bootstrap>> joining = new ArrayList<>();
    all.forEach(rank ->
        joining.add(
            start(
                rank,
                end ->
                    Subgroups.of(
                        end,
                        "split",
                        "host " + end.rank() / 2,
                        end.rank() == 2 ? "x".repeat(300) : Subgroups.LOOPBACK))));
    joining.forEach(part -> {
      BootstrapException failed = failure(part);
      assertThat(failed.kind()).isEqualTo(Kind.AGREEMENT_FAILED);
      assertThat(failed.ranks()).containsExactly(2);
      assertThat(failed).hasMessageContaining("address too long: bytes=300");
    });
    assertThat(gathered(all, List.of("0", "1", "2", "3"))).containsOnly("0 1 2 3");
  }
}
