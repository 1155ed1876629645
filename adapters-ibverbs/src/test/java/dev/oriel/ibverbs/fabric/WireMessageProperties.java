package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Messages between ranks are decoded to their original contents, and invalid bytes are refused. */
class WireMessageProperties {
  private static WireMessage.Offer offer(int from, int to, int pair, int sequence, long low) {
    return new WireMessage.Offer(
        from,
        to,
        List.of(
            new QueueEnd(pair, sequence, 3, 0, low, 5), new QueueEnd(pair, 0, 0, ~low, low, 1)));
  }

  @Property(tries = 200)
  void anOfferIsDecodedUnchanged(
      @ForAll @IntRange(max = 1 << 20) int from,
      @ForAll @IntRange(max = 1 << 20) int to,
      @ForAll @IntRange(max = (1 << 24) - 1) int pair,
      @ForAll @IntRange(max = (1 << 24) - 1) int sequence,
      @ForAll long low) {
    WireMessage.Offer offer = offer(from, to, pair, sequence, low);
    assertThat(WireMessage.Offer.parse(offer.bytes())).isEqualTo(offer);
  }

  @Property(tries = 200)
  void anExportIsDecodedUnchanged(
      @ForAll int owner,
      @ForAll @LongRange(max = Long.MAX_VALUE / 2) long address,
      @ForAll @LongRange(max = Long.MAX_VALUE / 2) long size,
      @ForAll @Size(min = 1, max = 4) List<Integer> keys) {
    WireMessage.Export export = new WireMessage.Export(owner, address, size, keys);
    assertThat(WireMessage.Export.parse(export.bytes())).isEqualTo(export);
  }

  @Property(tries = 500)
  void garbageIsRefused(@ForAll byte[] garbage) {
    refused(() -> WireMessage.Offer.parse(garbage));
    refused(() -> WireMessage.Export.parse(garbage));
  }

  /**
   * Truncated anywhere, or with any one byte changed, a message is refused or at least well-formed.
   */
  @Property(tries = 500)
  void damageIsRefusedOrWellFormed(
      @ForAll @IntRange(max = 79) int at, @ForAll byte change, @ForAll boolean cut) {
    byte[] bytes = offer(1, 2, 77, 5, 9).bytes();
    int place = Math.min(at, bytes.length - 1);
    if (cut) {
      refused(() -> WireMessage.Offer.parse(Arrays.copyOf(bytes, place)));
      return;
    }
    bytes[place] ^= change;
    try {
      WireMessage.Offer offer = WireMessage.Offer.parse(bytes);
      assertThat(offer.ends()).hasSize(2);
    } catch (MachineException e) {
      assertThat(e).hasMessageContaining("; ");
    }
  }

  private static void refused(Runnable call) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(call::run)
        .withMessageContaining("; ");
  }
}
