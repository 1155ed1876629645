package dev.oriel.ibverbs.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.RankThreads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rank that aborted first, read only from rank 0's memory. */
final class AbortBoardTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeVerbs verbs = new FakeVerbs();

  @AfterEach
  void nothingIsLeft() {
    assertThat(verbs.live()).isEmpty();
  }

  private <T> List<T> inWorld(int world, RankThreads.Task<Communicator, T> task) {
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    try {
      return RankThreads.all(
          group,
          ranks -> {
            try (Communicator c =
                new VerbsCommunicators(verbs::open, VerbsSettings.USUAL, 1 << 20, System::nanoTime)
                    .join(ranks)) {
              T done = task.run(c);
              ranks.barrier("all are done");
              return done;
            }
          });
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  @Test
  void simultaneousAbortsAgreeOnOneCause() {
    for (int round = 0; round < 10; round++) {
      List<Abort> first = inWorld(4, c -> c.abort("by " + c.rank()));
      assertThat(first).containsOnly(first.getFirst());
      assertThat(first.getFirst().cause()).isEqualTo("by " + first.getFirst().rank());
    }
  }

  @Test
  void aLongCauseIsTruncatedEquallyForAll() {
    List<Abort> aborts =
        inWorld(
            2,
            c -> {
              if (c.rank() == 1) {
                return c.abort("\u00fc".repeat(1000));
              }
              while (c.aborted().isEmpty()) {
                Thread.sleep(1);
              }
              return c.aborted().get();
            });
    assertThat(aborts).containsOnly(aborts.getFirst());
    String cause = aborts.getFirst().cause();
    assertThat("\u00fc".repeat(1000)).startsWith(cause);
    assertThat(cause.getBytes(StandardCharsets.UTF_8).length).isEqualTo(504);
  }

  @Test
  void withoutRankZeroTheOwnCauseApplies() {
    List<Bootstrap> group = InProcessBootstrap.group(2, LONG);
    try {
      List<Abort> aborts =
          RankThreads.all(
              group,
              ranks -> {
                Communicator c =
                    new VerbsCommunicators(
                            verbs::open, VerbsSettings.USUAL, 1 << 20, System::nanoTime)
                        .join(ranks);
                if (ranks.rank() == 0) {
                  c.close();
                }
                ranks.barrier("rank 0 has left");
                if (ranks.rank() == 1) {
                  assertThat(c.aborted()).isEmpty();
                  assertThat(c.abort("alone")).isEqualTo(new Abort(1, "alone"));
                  assertThat(c.aborted()).contains(new Abort(1, "alone"));
                }
                c.close();
                return new Abort(1, "alone");
              });
      assertThat(aborts).hasSize(2);
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  /**
   * Rank 0's memory has a value that no rank writes: every read reports it, and it is never taken
   * for a rank.
   */
  @ParameterizedTest
  @ValueSource(longs = {3, -1, Long.MIN_VALUE, 1L << 32})
  void aWordThatNoRankWroteIsReported(long word) {
    try (VerbsFabric zero = fabric(0);
        VerbsFabric one = fabric(1)) {
      zero.connect(1, one.offer(0));
      one.connect(0, zero.offer(1));
      try (VerbsMemory memory = AbortBoard.memory(zero, 2);
          VerbsMemory scratch = AbortBoard.scratch(one);
          VerbsRemote remote = one.open(0, memory.export())) {
        ByteBuffer garbage = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        memory.write(0, garbage.putLong(word).array());
        FabricMonitor turns = new FabricMonitor(one, System::nanoTime);
        AbortBoard board = new AbortBoard(turns, remote, scratch, 2, System::nanoTime);
        for (int look = 0; look < 2; look++) {
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(board::aborted)
              .withMessageContaining("no rank can have aborted: word=%d, world=2", word);
        }
        assertThatExceptionOfType(MachineException.class)
            .isThrownBy(() -> board.abort(new Abort(1, "enough")))
            .withMessageContaining("word=");
      }
    }
  }

  private VerbsFabric fabric(int rank) {
    return new VerbsFabric(
        verbs.open(),
        rank,
        2,
        RankFacts.of("rank" + rank, 0),
        VerbsSettings.USUAL,
        1 << 16,
        System::nanoTime);
  }
}
