package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Digest128Test {

  @Test
  void theValueIsTheSameOnEveryMachine() {
    assertThat(Digest128.of()).hasToString("45388e6eb6e2be4d0d74bbdd829cc686");
    assertThat(Digest128.of(1, 2, 3)).hasToString("d5b7b4ce9d86df15dfcb3e5d8e0493ed");
  }

  @Test
  void orderNumberAndEachBitCount() {
    List<Digest128> digests = new ArrayList<>();
    digests.add(Digest128.of());
    digests.add(Digest128.of(0));
    digests.add(Digest128.of(0, 0));
    digests.add(Digest128.of(1, 2));
    digests.add(Digest128.of(2, 1));
    for (int bit = 0; bit < 64; bit++) {
      digests.add(Digest128.of(7, 1L << bit, 7));
    }
    assertThat(digests).doesNotHaveDuplicates();
    assertThat(digests.stream().map(Digest128::high)).doesNotHaveDuplicates();
    assertThat(digests.stream().map(Digest128::low)).doesNotHaveDuplicates();
  }

  @Test
  void printingKeepsLeadingZeros() {
    assertThat(new Digest128(1, 2)).hasToString("00000000000000010000000000000002");
  }
}
