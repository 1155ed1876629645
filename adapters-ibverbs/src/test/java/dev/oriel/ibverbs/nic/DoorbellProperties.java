package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.SendElement;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Any word in a doorbell and any in its record, before valid elements: elements that are not posted
 * are not executed, other queue pairs are not disturbed, and the interface reports its refusals.
 */
class DoorbellProperties {

  /** The stored words: the record, then the register. */
  record Rung(long record, long register) {}

  /** Every other of these may name the queue itself. */
  @Provide
  Arbitrary<List<Rung>> rings() {
    Arbitrary<Long> words =
        Arbitraries.oneOf(
            Arbitraries.longs(),
            Arbitraries.longs().between(0, 0xffff),
            Arbitraries.longs().between(0, 0xffff).map(index -> index << 40 | 1L << 8));
    return Combinators.combine(words, words).as(Rung::new).list().ofMinSize(1).ofMaxSize(12);
  }

  @Property(tries = 2000)
  void onlyPostedElementsAreExecuted(@ForAll("rings") List<Rung> rings) {
    List<String> complaints = new ArrayList<>();
    SoftNic nic =
        new SoftNic(ElementOrdering.RELIABLE, new NicLimits(4, 128, 2, 16), complaints::add);
    End a = new End(nic, 0x1000, End.STRICT);
    End b = new End(nic, 0x2000, End.STRICT);
    End c = new End(nic, 0x3000, End.STRICT);
    End d = new End(nic, 0x4000, End.STRICT);
    a.pair.connect(b.pair);
    c.pair.connect(d.pair);
    a.set(0, 7);
    for (int i = 0; i < End.SLOTS; i++) {
      int at = 8 * i;
      a.fill(h -> new SendElement.Write(h, b.at(at), a.gather(0, 8)));
    }
    boolean beyond = false;
    for (Rung rung : rings) {
      BigEndian.putLong(a.queue.record(), 0, rung.record());
      BigEndian.putLongRelease(a.queue.register(), 0, rung.register());
      for (int steps = 0; nic.step(StepChoice.FIRST); steps++) {
        assertThat(steps).as("steps").isLessThan(10_000);
      }
      beyond |= a.pair.stopped();
    }
    for (int i = 0; i < End.SLOTS; i++) {
      assertThat(b.word(8 * i)).as("element %d", i).isIn(0L, 7L);
    }
    for (int at = 8 * End.SLOTS; at < End.BYTES; at += 8) {
      assertThat(b.word(at)).isZero();
    }
    assertThat(complaints).allSatisfy(said -> assertThat(said).contains("=", "; "));
    assertThat(beyond)
        .as("%s", complaints)
        .isEqualTo(complaints.stream().anyMatch(s -> !s.startsWith("doorbell of another")));
    // Another queue pair of the same interface continues.
    c.set(0, 9);
    c.post(h -> new SendElement.Write(h, d.at(0), c.gather(0, 8)));
    while (nic.step(StepChoice.FIRST)) {}
    assertThat(d.word(0)).isEqualTo(9);
  }
}
