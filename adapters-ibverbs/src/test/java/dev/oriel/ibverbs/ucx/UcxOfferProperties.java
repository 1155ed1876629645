package dev.oriel.ibverbs.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

final class UcxOfferProperties {

  @Property
  void bytesGiveTheOfferBack(
      @ForAll int from,
      @ForAll int to,
      @ForAll long ended,
      @ForAll byte[] address,
      @ForAll @Size(min = 1, max = 5) List<byte[]> keys) {
    SortedMap<Integer, byte[]> numbered = new TreeMap<>();
    keys.forEach(key -> numbered.put(3 * numbered.size(), key));
    UcxOffer back = UcxOffer.parse(new UcxOffer(from, to, ended, address, numbered).bytes());
    assertThat(back.from()).isEqualTo(from);
    assertThat(back.to()).isEqualTo(to);
    assertThat(back.ended()).isEqualTo(ended);
    assertThat(back.address()).isEqualTo(address);
    assertThat(back.keys().keySet()).containsExactlyElementsOf(numbered.keySet());
    assertThat(List.copyOf(back.keys().values())).containsExactlyElementsOf(keys);
  }

  @Property
  void garbageIsRefused(@ForAll byte[] garbage) {
    refused(garbage);
  }

  @Property
  void aCutOrLengthenedOfferIsRefused(@ForAll byte[] address, @ForAll byte[] key) {
    byte[] bytes = new UcxOffer(0, 1, 64, address, new TreeMap<>(Map.of(0, key))).bytes();
    for (int length = 0; length < bytes.length; length++) {
      refused(Arrays.copyOf(bytes, length));
    }
    refused(Arrays.copyOf(bytes, bytes.length + 1));
  }

  private static void refused(byte[] bytes) {
    assertThatThrownBy(() -> UcxOffer.parse(bytes))
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("bytes are no offer over UCX: length=" + bytes.length);
  }
}
