package dev.oriel.cuda.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets by devices that copy in any order: a flag may arrive before the bytes beside it. */
@EnabledOnOs(OS.LINUX)
final class HostPacketsTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  /** Few enough that all flags of a message often arrive before its bytes. */
  private static final int MOST = 24;

  private static final int ROUNDS = 100;

  private static byte[] message(int round) {
    SplittableRandom random = new SplittableRandom(round);
    byte[] bytes = new byte[random.nextInt(MOST + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(PacketFormat.class)
  void unpackedPacketsHaveTheirBytes(PacketFormat format) {
    long slot = format.image(MOST);
    WindowSpec spec =
        WindowSpec.named("w").withData(DataSizes.uniform(2 * slot)).withSignals(1).withBarriers(1);
    GpuCommunicators ranks =
        new GpuCommunicators(_ -> HostDevice.unordered(1 << 20), System::nanoTime);
    List<Bootstrap> group = InProcessBootstrap.group(2, LONG);
    List<Integer> taken =
        RankThreads.all(
            group,
            bootstrap -> {
              try (Communicator self = ranks.join(bootstrap);
                  LocalBuffer buffer = self.buffer(MOST);
                  Window window = self.window(spec)) {
                for (int round = 1; round <= ROUNDS; round++) {
                  pass(window, buffer, new WindowPackets(round % 2 * slot, format, round), round);
                }
                return ROUNDS;
              }
            });
    assertThat(taken).containsOnly(ROUNDS);
    group.forEach(Bootstrap::close);
  }

  /**
   * The host packs in arrays; a message longer than an array is refused, within the memory's own
   * bounds.
   */
  @ParameterizedTest
  @CsvSource({"PKT8, 1073741816", "PKT16, 1073741816", "LINE128, 2013265800"})
  void morePacketsThanAnArrayHoldsAreRefused(PacketFormat format, long limit) {
    WindowPackets place = new WindowPackets(0, format, 1);
    WindowSpec spec = WindowSpec.named("w").withData(DataSizes.uniform(128));
    GpuCommunicators ranks = new GpuCommunicators(_ -> new HostDevice(1 << 20), System::nanoTime);
    List<Bootstrap> group = InProcessBootstrap.group(1, LONG);
    try (Communicator self = ranks.join(group.getFirst());
        LocalBuffer buffer = self.buffer(MOST);
        Window window = self.window(spec)) {
      for (long length : new long[] {limit + 1, 3L << 30, Long.MAX_VALUE}) {
        String refusal =
            "packets too long: format=%s, length=%d, limit=%d; send it in parts"
                .formatted(format, length, limit);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> window.putPackets(0, place, buffer, 0, length))
            .withMessage(refusal);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> window.takePackets(place, buffer, 0, length))
            .withMessage(refusal);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> window.takePackets(place, buffer, 0, length, LONG))
            .withMessage(refusal);
      }
      for (long length : new long[] {limit, Long.MIN_VALUE}) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> window.putPackets(0, place, buffer, 0, length));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> window.takePackets(place, buffer, 0, length));
      }
    }
    group.forEach(Bootstrap::close);
  }

  /** Rank 0 puts, into memory that was unpacked two rounds before; rank 1 unpacks. */
  private static void pass(Window window, LocalBuffer buffer, WindowPackets place, int round)
      throws TimeoutException {
    byte[] message = message(round);
    if (window.rank() == 0) {
      window.await(1, 0, Comparison.REACHED, round - 2L, LONG);
      buffer.write(0, message);
      window.putPackets(1, place, buffer, 0, message.length);
    } else {
      buffer.write(0, new byte[MOST]);
      window.takePackets(place, buffer, 0, message.length, LONG);
      assertThat(buffer.read(0, message.length)).as("round=%d", round).isEqualTo(message);
      window.signal(0, 0, 1);
    }
  }
}
