package dev.oriel.ibverbs.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class QueueRingProperties {
  /** Counts at and around every wrap, and any others. */
  @Provide
  Arbitrary<Long> counts() {
    Arbitrary<Long> edges =
        Arbitraries.of(0L, 1L << 15, 1L << 16, 1L << 17, 1L << 24, 1L << 31, 1L << 32, 1L << 48)
            .flatMap(edge -> Arbitraries.longs().between(-3, 3).map(d -> Math.max(0, edge + d)));
    return Arbitraries.oneOf(edges, Arbitraries.longs().between(0, 1L << 62));
  }

  @Provide
  Arbitrary<QueueRing> rings() {
    return Arbitraries.integers().between(0, 15).map(bits -> new QueueRing(1 << bits));
  }

  @Property
  void aCountFollowsFromItsIndexAndAnEarlierOne(
      @ForAll("counts") long known, @ForAll @IntRange(max = 0xffff) int further) {
    assertThat(QueueRing.countFrom(known, QueueRing.index(known + further)))
        .isEqualTo(known + further);
  }

  @Property
  void consumedFollowsFrom24Bits(
      @ForAll("counts") long known, @ForAll @IntRange(max = 0xff_ffff) int further) {
    assertThat(QueueRing.consumedFrom(known, (int) (known + further) & 0xff_ffff))
        .isEqualTo(known + further);
  }

  @Property
  void aCollapsedQueueCountsCompletions(
      @ForAll("counts") long known, @ForAll @IntRange(min = 0, max = QueueRing.MAX) int more) {
    long done = known + more;
    assertThat(QueueRing.completedFrom(known, QueueRing.index(done - 1))).isEqualTo(done);
  }

  @Property
  void successiveElementsOfASlotDifferByOneRound(
      @ForAll("rings") QueueRing ring, @ForAll("counts") long count) {
    assertThat(ring.slot(count)).isBetween(0, ring.slots() - 1);
    assertThat(ring.slot(count + ring.slots())).isEqualTo(ring.slot(count));
    assertThat(ring.owner(count + ring.slots())).isNotEqualTo(ring.owner(count));
    assertThat(ring.owner(count)).isEqualTo((int) (count / ring.slots() % 2));
    assertThat(ring.slot(count)).isEqualTo((int) (count % ring.slots()));
  }

  @Property
  void roomIsLimitedToTheNumberOfSlots(
      @ForAll("rings") QueueRing ring, @ForAll("counts") long completed) {
    assertThat(ring.hasRoom(completed + ring.slots() - 1, completed)).isTrue();
    assertThat(ring.hasRoom(completed + ring.slots(), completed)).isFalse();
  }

  /** Every index, twice around, for queues of every length: one after another and all at once. */
  @Test
  void everyWrapOfEveryLength() {
    for (int slots = 1; slots <= QueueRing.MAX; slots *= 2) {
      long done = 0;
      for (long posted = slots; posted <= 3L << 16; posted += slots) {
        assertThat(QueueRing.countFrom(posted - slots, QueueRing.index(posted))).isEqualTo(posted);
        done = QueueRing.completedFrom(done, QueueRing.index(posted - 1));
        if (done != posted) {
          assertThat(done).as("slots=%d", slots).isEqualTo(posted);
        }
      }
    }
    for (long count = 0; count < 3L << 16; count++) {
      long next = QueueRing.completedFrom(count, QueueRing.index(count));
      if (next != count + 1 || QueueRing.completedFrom(next, QueueRing.index(count)) != next) {
        assertThat(next).isEqualTo(count + 1);
      }
    }
  }

  /** A queue in real memory, read by owner bits only, over three rounds. */
  @Property
  void ownerBitsDistinguishNewFromOld(
      @ForAll @IntRange(max = 4) int bits, @ForAll("counts") long start) {
    QueueRing ring = new QueueRing(1 << bits);
    ByteBuffer queue = ByteBuffer.allocateDirect(CompletionElement.BYTES * ring.slots());
    CompletionBytes.clear(queue);
    long from = start / (2L * ring.slots()) * 2L * ring.slots();
    for (long c = from; c < from + 3L * ring.slots(); c++) {
      int at = CompletionElement.BYTES * ring.slot(c);
      assertThat(CompletionBytes.valid(queue, at, ring.owner(c))).isFalse();
      CompletionElement done =
          new CompletionElement.Done(ElementOpcode.NOP, 7, QueueRing.index(c), 0);
      CompletionBytes.write(queue, at, done, ring.owner(c));
      assertThat(CompletionBytes.valid(queue, at, ring.owner(c))).isTrue();
      assertThat(CompletionBytes.index(queue, at)).isEqualTo(QueueRing.index(c));
    }
  }

  @Test
  void anEmptyCollapsedQueueIsRecognised() {
    ByteBuffer queue = ByteBuffer.allocateDirect(CompletionElement.BYTES);
    CompletionBytes.clear(queue);
    assertThat(CompletionBytes.index(queue, 0)).isEqualTo(-1);
  }

  @Property
  void invalidLengthsAreRejected(@ForAll int slots) {
    if (slots >= 1 && slots <= QueueRing.MAX && Integer.bitCount(slots) == 1) {
      assertThat(new QueueRing(slots).slots()).isEqualTo(slots);
    } else {
      assertThatThrownBy(() -> new QueueRing(slots))
          .isInstanceOf(MachineException.class)
          .hasMessageContaining("slots=" + slots);
    }
  }
}
