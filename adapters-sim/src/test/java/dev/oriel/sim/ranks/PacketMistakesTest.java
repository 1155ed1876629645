package dev.oriel.sim.ranks;

import static dev.oriel.domain.window.Comparison.REACHED;
import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.WindowPackets;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import dev.oriel.sim.trace.InterleavingTable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes with packets, made by hand, are detected. */
class PacketMistakesTest {
  private static final int FROM = 256;
  private static final int INTO = 384;
  private static final int ROUNDS = 3;
  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(512)).withSignals(1);

  /** A mistake, and the findings that are correct for it. */
  enum Mistake {
    NONE(""),
    /** The next packet does not wait until the previous one was taken. */
    NO_CREDIT("overwrite"),
    /** The credit is returned before the packet was taken. */
    EARLY_CREDIT("overwrite|deadlock"),
    /** The receiver polls for the flag of the previous round. */
    OLD_FLAG("thrown|overwrite|deadlock"),
    /** The flag goes first, in an empty packet, and the data follows separately. */
    FLAG_FIRST("race");

    private final String right;

    Mistake(String right) {
      this.right = right;
    }
  }

  private static byte[] data(int round) {
    byte[] bytes = new byte[8];
    Arrays.fill(bytes, (byte) (round + 1));
    return bytes;
  }

  /** Rank 0 sends eight bytes per round to rank 1 through a ring of one packet. */
  private static RankCode code(PacketFormat format, Mistake mistake, boolean polls) {
    return (window, rank) -> {
      for (int round = 1; round <= ROUNDS; round++) {
        WindowPackets packets = new WindowPackets(0, format, round);
        if (rank == 0) {
          window.write(FROM, data(round));
          if (mistake != Mistake.NO_CREDIT) {
            window.await(1, 0, REACHED, round - 1, LONG);
          }
          if (mistake == Mistake.FLAG_FIRST) {
            window.putPackets(1, packets, window, FROM, 0);
            window.put(1, INTO, FROM, 8);
            window.flush(1, LONG);
          } else {
            window.putPackets(1, packets, window, FROM, 8);
          }
          continue;
        }
        if (mistake == Mistake.EARLY_CREDIT) {
          window.signal(0, 0, 1);
        }
        WindowPackets taken =
            mistake == Mistake.OLD_FLAG && round > 1
                ? new WindowPackets(0, format, round - 1)
                : packets;
        int bytes = mistake == Mistake.FLAG_FIRST ? 0 : 8;
        while (polls && !window.takePackets(taken, window, INTO, bytes)) {
          Thread.onSpinWait();
        }
        if (!polls) {
          window.takePackets(taken, window, INTO, bytes, LONG);
        }
        assertThat(window.read(INTO, 8)).isEqualTo(data(round));
        if (mistake != Mistake.EARLY_CREDIT) {
          window.signal(0, 0, 1);
        }
      }
    };
  }

  private static RankCodeExploration exploration(
      PacketFormat format, Mistake mistake, boolean polls) {
    return RankCodeExploration.of(
            "packets",
            WINDOW,
            Topology.grid(1, 2),
            Thread::startVirtualThread,
            code(format, mistake, polls))
        .withPackets(format)
        .withBudget(new Budget(100, 5_000, 10_000, 20_000_000));
  }

  static Stream<Arguments> all() {
    return Arrays.stream(PacketFormat.values())
        .flatMap(format ->
            Arrays.stream(Mistake.values())
                .flatMap(mistake ->
                    Stream.of(
                        Arguments.of(format, mistake, false),
                        Arguments.of(format, mistake, true))));
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyMistakeHasTheExpectedFinding(PacketFormat format, Mistake mistake, boolean polls) {
    for (Profile profile : List.of(Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(format, mistake, polls).withProfile(profile).check().verdict();
      if (mistake == Mistake.NONE) {
        assertThat(verdict.violation()).as(profile.name()).isEmpty();
      } else {
        assertThat(verdict.violation().orElseThrow().kind()).matches(mistake.right);
      }
    }
  }

  /** Every execution is correct, including those in which a poll comes too early. */
  @ParameterizedTest
  @EnumSource(PacketFormat.class)
  void correctCodePassesInEveryOrder(PacketFormat format) {
    Verdict verdict =
        exploration(format, Mistake.NONE, false).withStrategy(Strategy.FULL).check().verdict();
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
    assertThat(verdict.states()).isGreaterThan(20);
  }

  /** A poll that finds nothing is a decision of the schedule like any other. */
  @ParameterizedTest
  @EnumSource(
      value = Strategy.class,
      names = {"RANDOM", "PCT", "POS", "SYNCHRONISATION", "FULL"})
  void replayRepeatsPolls(Strategy strategy) {
    RankCodeExploration exploration =
        exploration(PacketFormat.PKT16, Mistake.NO_CREDIT, true).withStrategy(strategy);
    CheckReport.Found found = exploration.check().found().orElseThrow();
    TokenReplay.ReplayedExecution played = exploration.replay(found.token().orElseThrow());
    assertThat(played.recording().events()).isEqualTo(found.recording().events());
    assertThat(new InterleavingTable().text(played.recording())).contains("takePackets(");
  }
}
