package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failure;
import static dev.oriel.ports.contract.RankThreads.failures;
import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static dev.oriel.ports.contract.RankThreads.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.BootstrapException.Kind;
import dev.oriel.ports.SetupStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requirements on every {@link Bootstrap}, for any transport. */
public abstract class BootstrapContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Ends a blocked call when another thread closes the same end. */
    CLOSE_WHILE_BLOCKED,
    /** Ends a blocked call when its thread is interrupted. */
    INTERRUPTION,
    /** Notices a rank that leaves before the deadline passes. */
    PROMPT_PEER_LOSS
  }

  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(800);

  private final Set<Capability> lacking;
  private final List<Bootstrap> opened = new ArrayList<>();

  /** A suite for an implementation that lacks the named capabilities. */
  protected BootstrapContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** A new group, one end per rank in rank order. */
  protected abstract List<Bootstrap> open(int world, Duration deadline);

  /** The most bytes that one rank may contribute to the groups of {@link #open}. */
  protected abstract int contributionLimit();

  /**
   * Makes a rank vanish silently, as far as the implementation can distinguish that from closing.
   */
  protected void kill(Bootstrap rank) {
    rank.close();
  }

  @AfterEach
  final void closeAll() {
    opened.forEach(Bootstrap::close);
  }

  private List<Bootstrap> group(int world) {
    return group(world, LONG);
  }

  private List<Bootstrap> group(int world, Duration deadline) {
    List<Bootstrap> group = open(world, deadline);
    opened.addAll(group);
    return group;
  }

  private void needs(Capability capability) {
    assumeTrue(!lacking.contains(capability), () -> "lacks " + capability);
  }

  private static byte[] bytes(int rank) {
    return "x"
        .repeat(rank % 7)
        .concat(rank % 7 == 0 ? "" : "#" + rank)
        .getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 32})
  void ranksKnowWhoTheyAre(int world) {
    List<Bootstrap> group = group(world);
    for (int rank = 0; rank < world; rank++) {
      assertThat(group.get(rank).rank()).isEqualTo(rank);
      assertThat(group.get(rank).world()).isEqualTo(world);
      assertThat(group.get(rank).deadline()).isEqualTo(LONG);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 32})
  void everyRankGetsEveryContributionInRankOrder(int world) {
    List<List<byte[]>> results = all(group(world), r -> r.allGather("names", bytes(r.rank())));
    for (List<byte[]> result : results) {
      assertThat(result).hasSize(world);
      for (int rank = 0; rank < world; rank++) {
        assertThat(result.get(rank)).isEqualTo(bytes(rank));
      }
    }
  }

  @Test
  void everyRankReceivesItsOwnCopy() {
    byte[] shared = {1, 2, 3};
    List<List<byte[]>> results = all(group(3), r -> r.allGather("copies", shared));
    results.get(0).forEach(array -> Arrays.fill(array, (byte) 9));
    assertThat(results.get(1)).allSatisfy(array -> assertThat(array).containsExactly(1, 2, 3));
    assertThat(shared).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 32})
  void noRankLeavesABarrierBeforeAllHaveEntered(int world) {
    AtomicInteger entered = new AtomicInteger();
    List<List<Integer>> seen =
        all(
            group(world),
            r -> {
              List<Integer> counts = new ArrayList<>();
              for (int round = 0; round < 5; round++) {
                entered.incrementAndGet();
                r.barrier("enter");
                counts.add(entered.get());
                r.barrier("leave");
              }
              return counts;
            });
    assertThat(seen)
        .allSatisfy(counts ->
            assertThat(counts).containsExactly(world, 2 * world, 3 * world, 4 * world, 5 * world));
  }

  @Test
  void successiveCollectivesDoNotMix() {
    List<Integer> wrong =
        all(
            group(5),
            r -> {
              int bad = 0;
              for (int i = 0; i < 200; i++) {
                byte[] mine = {(byte) i, (byte) r.rank()};
                List<byte[]> got = r.allGather("step " + i, mine);
                for (int peer = 0; peer < 5; peer++) {
                  bad += Arrays.equals(got.get(peer), new byte[] {(byte) i, (byte) peer}) ? 0 : 1;
                }
              }
              return bad;
            });
    assertThat(wrong).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 32})
  void agreementHoldsWhenEveryPartWorked(int world) {
    assertThatNoException().isThrownBy(() -> agreeAll(group(world)));
  }

  private static void agreeAll(List<Bootstrap> group) {
    all(
        group,
        r -> {
          r.agree("set-up", SetupStatus.ok());
          return r.rank();
        });
  }

  @Test
  void failedPartsFailAllRanksAlikeAndAllowARetry() {
    List<Bootstrap> group = group(5);
    List<Exception> causes =
        List.of(
            new Exception("a"),
            new Exception("no\nmemory"),
            new Exception("c"),
            new Exception("late"),
            new Exception("e"));
    List<BootstrapException> failures =
        failures(
            group,
            r -> {
              boolean fails = r.rank() == 1 || r.rank() == 3;
              r.agree(
                  "register", fails ? SetupStatus.failed(causes.get(r.rank())) : SetupStatus.ok());
              return "agreed";
            });
    assertThat(failures)
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.AGREEMENT_FAILED);
          assertThat(failure.ranks()).containsExactly(1, 3);
          assertThat(failure).hasMessage(failures.get(0).getMessage());
          assertThat(failure)
              .hasMessageContainingAll("rank=1", "no memory", "agree(register)", "[1, 3]");
          assertThat(failure.details().get(3)).contains("late");
        });
    assertThat(failures.get(1)).cause().isSameAs(causes.get(1));
    assertThat(failures.get(3)).cause().isSameAs(causes.get(3));
    assertThat(failures.get(0)).hasNoCause();
    agreeAll(group);
  }

  @Test
  void oneRankAloneFailsItsOwnAgreement() {
    BootstrapException failure =
        failures(
                group(1),
                r -> {
                  r.agree("alone", SetupStatus.failed("nothing works"));
                  return "agreed";
                })
            .get(0);
    assertThat(failure.kind()).isEqualTo(Kind.AGREEMENT_FAILED);
    assertThat(failure.ranks()).containsExactly(0);
  }

  @Test
  void anEndlessCauseIsShortenedForTheOthers() {
    List<BootstrapException> failures =
        failures(
            group(2),
            r -> {
              r.agree(
                  "long",
                  r.rank() == 1 ? SetupStatus.failed("é".repeat(1 << 20)) : SetupStatus.ok());
              return "agreed";
            });
    assertThat(failures.get(0).getMessage()).contains("éé").hasSizeLessThan(3000);
    assertThat(failures.get(0)).hasMessage(failures.get(1).getMessage());
  }

  /** The failures of all ranks that wait for one rank, and their group. */
  private record Waited(List<Bootstrap> group, List<BootstrapException> failures) {
    /** Whether only that rank is missing, and no slow one. */
    boolean onlyFor(int absent) {
      return failures.stream()
          .allMatch(f -> f.kind() == Kind.TIMEOUT && f.ranks().equals(List.of(absent)));
    }
  }

  /** The longest time that a rank waits for a missing one. */
  @FunctionalInterface
  private interface RankTimeouts {
    Duration of(int rank, Duration passing);
  }

  /** All ranks of a new group but one come. */
  private Waited waitFor(int absent, int world, RankTimeouts timeouts) {
    return InVain.waited(
        SHORT,
        passing -> {
          List<Bootstrap> group = group(world);
          return new Waited(
              group,
              failures(
                  without(group, absent), r -> barrier(r, "load", timeouts.of(r.rank(), passing))));
        },
        waited -> waited.onlyFor(absent));
  }

  @Test
  void anAbsentRankIsNamedToAllWaitingRanks() {
    Waited waited = waitFor(3, 5, (rank, passing) -> passing);
    assertThat(waited.failures())
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
          assertThat(failure.ranks()).containsExactly(3);
          assertThat(failure).hasMessageContainingAll("[3]", "barrier(load)");
        });
    assertThat(failure(start(waited.group().get(3), r -> barrier(r, "load", LONG))).kind())
        .isEqualTo(Kind.TIMEOUT);
  }

  @Test
  void anAbsentRankZeroIsNamed() {
    Waited waited = waitFor(0, 3, (rank, passing) -> passing);
    assertThat(waited.failures())
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
          assertThat(failure.ranks()).containsExactly(0);
        });
    BootstrapException late = failure(start(waited.group().get(0), r -> barrier(r, "load", LONG)));
    assertThat(late.kind()).isIn(Kind.TIMEOUT, Kind.PEER_LOST);
  }

  @Test
  void theShortestDeadlineHoldsForAll() {
    Waited waited = waitFor(3, 4, (rank, passing) -> rank == 1 ? passing : LONG);
    assertThat(waited.failures()).allSatisfy(f -> assertThat(f.kind()).isEqualTo(Kind.TIMEOUT));
    assertThat(waited.failures()).allSatisfy(f -> assertThat(f.ranks()).containsExactly(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void ranksInDifferentStepsGetBothNames(int odd) {
    List<BootstrapException> failures =
        failures(group(4), r -> barrier(r, r.rank() == odd ? "unload" : "load", LONG));
    assertThat(failures)
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.STEP_MISMATCH);
          assertThat(failure.ranks()).contains(odd).hasSize(2);
          assertThat(failure).hasMessageContainingAll("barrier(unload)", "barrier(load)");
          assertThat(failure.details()).containsEntry(odd, "barrier(unload)");
        });
  }

  @Test
  void differentCollectivesOfOneNameAreDifferentSteps() {
    List<BootstrapException> failures =
        failures(
            group(3),
            r -> r.rank() == 1 ? r.allGather("meet", new byte[3]) : barrier(r, "meet", LONG));
    assertThat(failures)
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.STEP_MISMATCH);
          assertThat(failure).hasMessageContainingAll("allGather(meet)", "barrier(meet)");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4})
  void aDeadRankIsNamedToAllPermanently(int dead) {
    needs(Capability.PROMPT_PEER_LOSS);
    List<Bootstrap> group = group(5);
    List<CompletableFuture<String>> waiting =
        without(group, dead).stream().map(r -> start(r, x -> barrier(x, "load", LONG))).toList();
    kill(group.get(dead));
    for (CompletableFuture<String> rank : waiting) {
      BootstrapException failure = failure(rank);
      assertThat(failure.kind()).isEqualTo(Kind.PEER_LOST);
      assertThat(failure.ranks()).containsExactly(dead);
    }
    for (BootstrapException again : failures(without(group, dead), r -> barrier(r, "on", LONG))) {
      assertThat(again.kind()).isEqualTo(Kind.PEER_LOST);
      assertThat(again.ranks()).containsExactly(dead);
    }
  }

  @Test
  void aRankThatDiedBetweenCollectivesIsNamedInTheNext() {
    needs(Capability.PROMPT_PEER_LOSS);
    List<Bootstrap> group = group(4);
    agreeAll(group);
    kill(group.get(2));
    assertThat(failures(without(group, 2), r -> r.allGather("next", new byte[1])))
        .allSatisfy(failure -> assertThat(failure.kind()).isEqualTo(Kind.PEER_LOST))
        .allSatisfy(failure -> assertThat(failure.ranks()).containsExactly(2));
  }

  @Test
  void aContributionAtTheLimitPassesAndOneAboveItIsNamedToAll() {
    List<Bootstrap> group = group(3);
    int limit = contributionLimit();
    List<BootstrapException> failures =
        failures(group, r -> r.allGather("big", new byte[r.rank() == 1 ? limit + 1 : limit]));
    assertThat(failures)
        .allSatisfy(failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
          assertThat(failure.ranks()).containsExactly(1);
          assertThat(failure).hasMessageContainingAll("bytes=" + (limit + 1), "limit=" + limit);
        });
    assertThat(all(group, r -> r.allGather("fits", new byte[limit])))
        .allSatisfy(result -> assertThat(result).allSatisfy(a -> assertThat(a).hasSize(limit)));
  }

  @Test
  void closingTwiceDoesNothingAndEndsTheUseOfIt() {
    Bootstrap rank = group(2).get(1);
    rank.close();
    rank.close();
    assertThat(failure(start(rank, r -> barrier(r, "load", LONG))).kind()).isEqualTo(Kind.CLOSED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void closingFromElsewhereEndsABlockedCall(int rank) {
    needs(Capability.CLOSE_WHILE_BLOCKED);
    Bootstrap end = group(2).get(rank);
    CompletableFuture<String> blocked = start(end, r -> barrier(r, "load", LONG));
    end.close();
    assertThat(failure(blocked).kind()).isEqualTo(Kind.CLOSED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void anInterruptedRankIsReportedAndLostToTheOthers(int interrupted) {
    needs(Capability.INTERRUPTION);
    interrupted(interrupted, () -> {}, () -> {});
  }

  /**
   * The call must lack the interrupted rank's contribution. A rank that contributed before it
   * checked its interruption would often, though not always, let the others continue without it.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anInterruptedLastRankContributesNothing(int interrupted) {
    needs(Capability.INTERRUPTION);
    for (int round = 0; round < 20; round++) {
      CountDownLatch others = new CountDownLatch(2);
      interrupted(
          interrupted,
          others::countDown,
          () -> {
            others.await();
            // Usually long enough for the others to come, though nothing depends on it.
            Thread.sleep(2);
          });
    }
  }

  /** One of three ranks is interrupted when it comes. */
  private void interrupted(int interrupted, Before others, Before itself) {
    List<BootstrapException> failures =
        failures(
            group(3),
            r -> {
              if (r.rank() == interrupted) {
                itself.happens();
                Thread.currentThread().interrupt();
              } else {
                others.happens();
              }
              try {
                return barrier(r, "load", LONG);
              } finally {
                assertThat(Thread.currentThread().isInterrupted())
                    .isEqualTo(r.rank() == interrupted);
              }
            });
    for (int rank = 0; rank < 3; rank++) {
      BootstrapException failure = failures.get(rank);
      assertThat(failure.kind()).isEqualTo(rank == interrupted ? Kind.INTERRUPTED : Kind.PEER_LOST);
      assertThat(rank == interrupted ? List.of(interrupted) : failure.ranks())
          .containsExactly(interrupted);
    }
  }

  /** The actions of a rank before it comes. */
  @FunctionalInterface
  private interface Before {
    void happens() throws InterruptedException;
  }

  @Test
  void oneEndServesOneThreadAtATime() {
    needs(Capability.CLOSE_WHILE_BLOCKED);
    Bootstrap end = group(2).get(0);
    CompletableFuture<String> one = start(end, r -> barrier(r, "load", LONG));
    CompletableFuture<String> two = start(end, r -> barrier(r, "load", LONG));
    Throwable first = value(CompletableFuture.anyOf(one, two).handle((ok, failure) -> failure));
    end.close();
    assertThat(first).rootCause().isInstanceOf(IllegalStateException.class);
    assertThat(one.isCompletedExceptionally() || two.isCompletedExceptionally()).isTrue();
  }

  @Test
  void malformedStepsAndDeadlinesAreRefusedBeforeAnythingIsSent() {
    List<Bootstrap> group = group(2);
    Bootstrap rank = group.get(0);
    assertThatIllegalArgumentException().isThrownBy(() -> rank.barrier(""));
    assertThatIllegalArgumentException().isThrownBy(() -> rank.barrier("x".repeat(201)));
    assertThatIllegalArgumentException().isThrownBy(() -> rank.barrier("load", Duration.ZERO));
    agreeAll(group);
  }

  private static String barrier(Bootstrap rank, String step, Duration deadline) {
    rank.barrier(step, deadline);
    return step;
  }
}
