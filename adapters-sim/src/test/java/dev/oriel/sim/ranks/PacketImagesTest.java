package dev.oriel.sim.ranks;

import static dev.oriel.domain.window.Comparison.REACHED;
import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.packet.PacketImage;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.WindowPackets;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Packets that a rank builds in its own memory and puts through an interface unchanged. The
 * protocol of channels is correct; each omission is detected.
 */
class PacketImagesTest {
  private static final int STAGE = 256;
  private static final int INTO = 384;
  private static final int ROUNDS = 3;
  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(512)).withSignals(1);

  /** The omission. */
  enum Mistake {
    NONE,
    /** The next packet is put before the previous one in its place was taken. */
    NO_CREDIT,
    /** It is even built before an interface has read the previous one. */
    EARLY_IMAGE,
    /** The credit is returned before the packet was taken. */
    EARLY_CREDIT
  }

  private static byte[] data(PacketFormat format, int round) {
    byte[] bytes = new byte[format.payload()];
    Arrays.fill(bytes, (byte) (round + 1));
    return bytes;
  }

  private static RankCode code(PacketFormat format, Mistake mistake) {
    return (window, rank) -> {
      for (int round = 1; round <= ROUNDS; round++) {
        byte[] data = data(format, round);
        if (rank == 0) {
          if (mistake != Mistake.NO_CREDIT && mistake != Mistake.EARLY_IMAGE) {
            window.await(1, 0, REACHED, round - 1, LONG);
          }
          window.write(STAGE, PacketImage.pack(format, data, round));
          window.put(1, 0, STAGE, format.bytes());
          if (mistake == Mistake.NO_CREDIT) {
            window.flush(1, LONG);
          }
          continue;
        }
        if (mistake == Mistake.EARLY_CREDIT) {
          window.signal(0, 0, 1);
        }
        window.takePackets(new WindowPackets(0, format, round), window, INTO, data.length, LONG);
        assertThat(window.read(INTO, data.length)).isEqualTo(data);
        if (mistake != Mistake.EARLY_CREDIT) {
          window.signal(0, 0, 1);
        }
      }
    };
  }

  private static String found(PacketFormat format, Mistake mistake, String profile) {
    Verdict verdict =
        RankCodeExploration.of(
                "images",
                WINDOW,
                Topology.grid(2, 1),
                Thread::startVirtualThread,
                code(format, mistake))
            .withPackets(format)
            .withBudget(new Budget(100, 5_000, 10_000, 20_000_000))
            .withProfile(Profile.parse(profile))
            .check()
            .verdict();
    return verdict.violation().map(Verdict.Violation::kind).orElse("none");
  }

  /**
   * If an interface places a line in parts, a receiver that checks one flag only may read a partial
   * line.
   */
  @ParameterizedTest
  @CsvSource({
    "PKT8, NONE, L2, none",
    "PKT8, NONE, L3, none",
    "PKT16, NONE, L2, none",
    "PKT16, NONE, L3, none",
    "PKT16, NONE, rdma-multirail, none",
    "PKT16, NONE, 'L2,proxy=1', none",
    "LINE128, NONE, L3, race",
    "PKT16, NO_CREDIT, L2, race",
    "PKT16, EARLY_CREDIT, L2, race",
    "PKT16, EARLY_IMAGE, L2, race"
  })
  void everyMistakeHasTheExpectedFinding(
      PacketFormat format, Mistake mistake, String profile, String right) {
    assertThat(found(format, mistake, profile)).matches(right);
  }
}
