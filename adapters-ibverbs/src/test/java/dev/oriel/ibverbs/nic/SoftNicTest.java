package dev.oriel.ibverbs.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionElement.Arrived;
import dev.oriel.ibverbs.mlx5.CompletionElement.Done;
import dev.oriel.ibverbs.mlx5.CompletionElement.Failed;
import dev.oriel.ibverbs.mlx5.CompletionElement.Kind;
import dev.oriel.ibverbs.mlx5.CompletionElement.Side;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementOpcode;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementPayload.Gather;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.SendElement.Head;
import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SoftNicTest {
  static List<ElementOrdering> orderings() {
    return List.of(
        ElementOrdering.IN_ORDER,
        ElementOrdering.RELIABLE,
        ElementOrdering.RELAXED,
        ElementOrdering.SCATTERED);
  }

  private final List<String> complaints = new ArrayList<>();
  private SoftNic nic =
      new SoftNic(ElementOrdering.RELIABLE, new NicLimits(16, 1 << 10, 3, 64), complaints::add);
  private End a = new End(nic, 0x1000, End.STRICT);
  private End b = new End(nic, 0x2000, End.STRICT);

  SoftNicTest() {
    a.pair.connect(b.pair);
  }

  private void restart(ElementOrdering ordering) {
    nic = new SoftNic(ordering, new NicLimits(16, 1 << 10, 3, 64), complaints::add);
    a = new End(nic, 0x1000, End.STRICT);
    b = new End(nic, 0x2000, End.STRICT);
    a.pair.connect(b.pair);
  }

  private void settle() {
    for (int turns = 0; nic.turn(); turns++) {
      assertThat(turns).as("turns").isLessThan(1000);
    }
  }

  @ParameterizedTest
  @MethodSource("orderings")
  void everyOperationHasItsEffect(ElementOrdering ordering) {
    restart(ordering);
    a.set(0, 7);
    a.set(8, 8);
    b.set(64, 100);
    b.set(72, 200);
    b.receive(b.gather(32, 8));
    b.receive(b.gather(40, 16));
    a.fill(h -> new SendElement.Write(h, b.at(0), a.gather(0, 16)));
    a.fill(
        h -> new SendElement.Write(h, b.at(17), new ElementPayload.Inline(new byte[] {1, 2, 3})));
    a.fill(h -> new SendElement.FetchAdd(h, b.at(64), 5, a.gather(128, 8)));
    a.fill(h -> new SendElement.CompareSwap(h, b.at(72), 200, 9, a.gather(136, 8)));
    a.fill(h -> new SendElement.Read(h, b.at(0), a.gather(144, 16)));
    a.fill(h -> new SendElement.WriteImmediate(h, b.at(24), End.inline(24), 0x1234_5678));
    a.fill(h -> new SendElement.Send(h, a.gather(8, 8)));
    a.fill(SendElement.Nop::new);
    a.ring();
    settle();
    assertThat(complaints).isEmpty();
    assertThat(b.word(0)).isEqualTo(7);
    assertThat(b.word(8)).isEqualTo(8);
    assertThat(b.word(16)).isEqualTo(0x0302_0100);
    assertThat(b.word(64)).isEqualTo(105);
    assertThat(b.word(72)).isEqualTo(9);
    assertThat(b.word(24)).isEqualTo(24);
    assertThat(b.word(40)).isEqualTo(8);
    assertThat(a.word(128)).isEqualTo(100);
    assertThat(a.word(136)).isEqualTo(200);
    assertThat(a.word(144)).isEqualTo(7);
    assertThat(a.word(152)).isEqualTo(8);
    int q = a.pair.number();
    assertThat(a.poll())
        .containsExactly(
            new Done(ElementOpcode.WRITE, q, 0, 0),
            new Done(ElementOpcode.WRITE, q, 1, 0),
            new Done(ElementOpcode.FETCH_ADD, q, 2, 8),
            new Done(ElementOpcode.COMPARE_SWAP, q, 3, 8),
            new Done(ElementOpcode.READ, q, 4, 16),
            new Done(ElementOpcode.WRITE_IMMEDIATE, q, 5, 0),
            new Done(ElementOpcode.SEND, q, 6, 0),
            new Done(ElementOpcode.NOP, q, 7, 0));
    assertThat(b.poll())
        .containsExactly(
            new Arrived(Kind.WRITE_IMMEDIATE, 0x1234_5678, 8, b.pair.number(), 0),
            new Arrived(Kind.SEND, 0, 8, b.pair.number(), 1));
  }

  @Test
  void aCompareThatFailsChangesNothing() {
    b.set(0, 5);
    a.post(h -> new SendElement.CompareSwap(h, b.at(0), 4, 9, a.gather(0, 8)));
    settle();
    assertThat(b.word(0)).isEqualTo(5);
    assertThat(a.word(0)).isEqualTo(5);
  }

  @Test
  void onlyRequestedCompletionsAreReported() {
    a.fill(
        new SendElement.Nop(
            new Head(0, a.pair.number(), ElementFence.NONE, CompletionReporting.ON_ERROR, false)));
    a.fill(SendElement.Nop::new);
    a.ring();
    settle();
    assertThat(a.poll()).containsExactly(new Done(ElementOpcode.NOP, a.pair.number(), 1, 0));
  }

  @Test
  void theRingContinuesAcrossEveryWrap() {
    for (int i = 0; i < 70_000; i++) {
      a.post(h -> new SendElement.FetchAdd(h, b.at(0), 1, a.gather(0, 8)));
      settle();
      assertThat(a.poll()).hasSize(1);
    }
    assertThat(b.word(0)).isEqualTo(70_000);
    assertThat(a.word(0)).isEqualTo(69_999);
  }

  @Test
  void aCollapsedQueueKeepsTheLatest() {
    ByteBuffer place = ByteBuffer.allocateDirect(CompletionElement.BYTES);
    SoftCompletionQueue collapsed = a.domain.collapsedQueue(place);
    QueueMemory queue = QueueMemory.allocate(8, 1);
    SoftQueuePair pair = a.domain.queuePair(queue, collapsed, collapsed);
    pair.connect(pair);
    assertThat(CompletionBytes.index(place, 0)).isEqualTo(-1);
    for (int i = 0; i < 8; i++) {
      Head head = new Head(i, pair.number(), ElementFence.NONE, CompletionReporting.ALWAYS, false);
      dev.oriel.ibverbs.mlx5.ElementWriter.write(queue.sends(), 64 * i, new SendElement.Nop(head));
    }
    DoorbellRecord.postSends(queue.record(), 0, 8);
    BigEndian.putLongRelease(queue.register(), 0, new Doorbell(8, pair.number()).word());
    settle();
    assertThat(CompletionBytes.index(place, 0)).isEqualTo(7);
    assertThat(complaints).isEmpty();
  }

  @Test
  void nothingHappensBeforeTheDoorbellOrWithoutARecord() {
    a.fill(SendElement.Nop::new);
    DoorbellRecord.postSends(a.queue.record(), 0, 1);
    assertThat(nic.turn()).isFalse();
    DoorbellRecord.postSends(a.queue.record(), 0, 0);
    BigEndian.putLongRelease(a.queue.register(), 0, new Doorbell(1, a.pair.number()).word());
    assertThat(nic.turn()).isFalse();
    // The record was written after the doorbell: the element waits for the next one.
    DoorbellRecord.postSends(a.queue.record(), 0, 1);
    assertThat(nic.turn()).isFalse();
    a.ring();
    settle();
    assertThat(a.poll()).hasSize(1);
  }

  /** The error, its syndrome, and whether the peer's end stops as well. */
  record Wrong(
      String name,
      Function<SoftNicTest, Function<Head, SendElement>> element,
      Syndrome syndrome,
      boolean both) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Wrong wrong(
      String name,
      Syndrome syndrome,
      boolean both,
      Function<SoftNicTest, Function<Head, SendElement>> element) {
    return new Wrong(name, element, syndrome, both);
  }

  static List<Wrong> wrongs() {
    Syndrome access = Syndrome.REMOTE_ACCESS;
    Syndrome protection = Syndrome.LOCAL_PROTECTION;
    return List.of(
        wrong(
            "remote key",
            access,
            true,
            t -> h -> new SendElement.Write(h, new Remote(0x2000, 0x77), t.a.gather(0, 8))),
        wrong(
            "own key as remote key",
            access,
            true,
            t ->
                h ->
                    new SendElement.Write(
                        h, new Remote(0x1000, t.a.region.key()), t.a.gather(0, 8))),
        wrong(
            "one byte beyond",
            access,
            true,
            t -> h -> new SendElement.Write(h, t.b.at(End.BYTES - 7), t.a.gather(0, 8))),
        wrong(
            "one byte before",
            access,
            true,
            t -> h -> new SendElement.Write(h, t.b.at(-1), t.a.gather(0, 8))),
        wrong(
            "address that wraps",
            access,
            true,
            t -> h -> new SendElement.Write(h, new Remote(-4, t.b.region.key()), t.a.gather(0, 8))),
        wrong(
            "read beyond",
            access,
            true,
            t -> h -> new SendElement.Read(h, t.b.at(End.BYTES - 8), t.a.gather(0, 16))),
        wrong(
            "atomic beyond",
            access,
            true,
            t -> h -> new SendElement.FetchAdd(h, t.b.at(End.BYTES), 1, t.a.gather(0, 8))),
        wrong(
            "atomic not aligned",
            Syndrome.REMOTE_REQUEST,
            true,
            t -> h -> new SendElement.FetchAdd(h, t.b.at(4), 1, t.a.gather(0, 8))),
        wrong(
            "local key",
            protection,
            false,
            t -> h -> new SendElement.Write(h, t.b.at(0), new Gather(8, 0x77, 0x1000))),
        wrong(
            "local beyond",
            protection,
            false,
            t -> h -> new SendElement.Write(h, t.b.at(0), t.a.gather(End.BYTES - 7, 8))),
        wrong(
            "peer's key as local key",
            protection,
            false,
            t -> h -> new SendElement.Write(h, t.b.at(0), t.b.gather(0, 8))),
        wrong(
            "too long",
            Syndrome.LOCAL_LENGTH,
            false,
            t ->
                h ->
                    new SendElement.Write(
                        h, t.b.at(0), new Gather(1025, t.a.region.key(), 0x1000))),
        wrong(
            "2 GiB",
            Syndrome.LOCAL_LENGTH,
            false,
            t ->
                h ->
                    new SendElement.Write(
                        h, t.b.at(0), new Gather(Integer.MAX_VALUE, t.a.region.key(), 0x1000))),
        wrong(
            "no receive",
            Syndrome.RECEIVER_NOT_READY,
            false,
            t -> h -> new SendElement.Send(h, t.a.gather(0, 8))),
        wrong(
            "no receive for an immediate",
            Syndrome.RECEIVER_NOT_READY,
            false,
            t -> h -> new SendElement.WriteImmediate(h, t.b.at(0), ElementPayload.NOTHING, 1)),
        wrong(
            "index",
            Syndrome.LOCAL_OPERATION,
            false,
            t ->
                h ->
                    new SendElement.Nop(
                        new Head(h.index() + 1, h.queuePair(), h.fence(), h.reporting(), false))),
        wrong(
            "queue pair",
            Syndrome.LOCAL_OPERATION,
            false,
            t ->
                h ->
                    new SendElement.Nop(
                        new Head(h.index(), 0xffff, h.fence(), h.reporting(), false))),
        wrong(
            "completion queue",
            Syndrome.LOCAL_OPERATION,
            false,
            t -> h -> new SendElement.Wait(h, 0, 0xff_ffff)),
        wrong(
            "peer's completion queue",
            Syndrome.LOCAL_OPERATION,
            false,
            t -> h -> new SendElement.Wait(h, 0, t.b.completions.number())));
  }

  /** Between two valid elements: the first is done, the invalid one reported, the last flushed. */
  @ParameterizedTest
  @MethodSource("wrongs")
  void aWrongElementIsNamedAndAccessesNothing(Wrong wrong) {
    for (ElementOrdering ordering : orderings()) {
      restart(ordering);
      complaints.clear();
      a.fill(h -> new SendElement.Write(h, b.at(0), End.inline(77)));
      a.fill(wrong.element().apply(this));
      a.fill(h -> new SendElement.Write(h, b.at(8), End.inline(78)));
      a.ring();
      byte[] mine = a.snapshot();
      byte[] theirs = b.snapshot();
      theirs[End.MARGIN] = 77;
      settle();
      List<CompletionElement> seen = a.poll();
      assertThat(seen).hasSize(3);
      assertThat(seen.getFirst()).isEqualTo(new Done(ElementOpcode.WRITE, a.pair.number(), 0, 0));
      assertThat(seen.get(1))
          .isInstanceOfSatisfying(
              Failed.class, f -> assertThat(f.syndrome()).isEqualTo(wrong.syndrome()));
      assertThat(seen.get(2))
          .isEqualTo(
              new Failed(
                  Side.REQUESTER,
                  Syndrome.FLUSHED,
                  0,
                  ElementOpcode.WRITE.code(),
                  a.pair.number(),
                  2));
      assertThat(a.pair.stopped()).isTrue();
      assertThat(b.pair.stopped()).isEqualTo(wrong.both());
      assertThat(complaints).hasSize(1);
      assertThat(complaints.getFirst())
          .contains("queuePair=", "index=1", "syndrome=" + wrong.syndrome(), "; ");
      assertThat(a.snapshot()).isEqualTo(mine);
      assertThat(b.snapshot()).isEqualTo(theirs);
    }
  }

  @Test
  void accessWithoutPermissionIsRejected() {
    for (RegionPermission lacking :
        EnumSet.range(RegionPermission.LOCAL_WRITE, RegionPermission.REMOTE_ATOMIC)) {
      restart(ElementOrdering.RELIABLE);
      End c = new End(nic, 0x1000, EnumSet.complementOf(EnumSet.of(lacking)));
      End d = new End(nic, 0x2000, EnumSet.complementOf(EnumSet.of(lacking)));
      c.pair.connect(d.pair);
      switch (lacking) {
        case REMOTE_WRITE -> c.post(h -> new SendElement.Write(h, d.at(0), c.gather(0, 8)));
        case REMOTE_ATOMIC -> c.post(h -> new SendElement.FetchAdd(h, d.at(0), 1, c.gather(0, 8)));
        default -> c.post(h -> new SendElement.Read(h, d.at(0), c.gather(0, 8)));
      }
      settle();
      assertThat(c.poll())
          .singleElement()
          .isInstanceOfSatisfying(
              Failed.class,
              f ->
                  assertThat(f.syndrome())
                      .isEqualTo(
                          lacking == RegionPermission.LOCAL_WRITE
                              ? Syndrome.LOCAL_PROTECTION
                              : Syndrome.REMOTE_ACCESS));
    }
  }

  @Test
  void aReceiveThatIsTooShortStopsBothEnds() {
    b.receive(b.gather(0, 4));
    a.post(h -> new SendElement.Send(h, a.gather(0, 8)));
    settle();
    assertThat(a.poll().toString()).contains("REMOTE_REQUEST");
    assertThat(b.poll().toString()).contains("RESPONDER", "FLUSHED");
  }

  @Test
  void aLateReceiveIsUsed() {
    a.post(h -> new SendElement.Send(h, End.inline(5)));
    nic.turn();
    nic.turn();
    b.receive(b.gather(0, 8));
    settle();
    assertThat(b.word(0)).isEqualTo(5);
  }

  @Test
  void requestsToAStoppedEndAreFlushed() {
    a.pair.stop();
    a.post(SendElement.Nop::new);
    settle();
    a.post(SendElement.Nop::new);
    settle();
    assertThat(a.poll())
        .hasSize(2)
        .allSatisfy(c -> assertThat(((Failed) c).syndrome()).isEqualTo(Syndrome.FLUSHED));
    b.post(h -> new SendElement.Write(h, a.at(0), End.inline(1)));
    settle();
    assertThat(b.poll().toString()).contains("RETRIES_EXCEEDED");
    assertThat(a.word(0)).isZero();
  }

  @Test
  void aStopFlushesFetchedElements() {
    for (int i = 0; i < 3; i++) {
      a.fill(h -> new SendElement.Write(h, b.at(0), End.inline(1)));
    }
    a.ring();
    for (int i = 0; i < 3; i++) {
      // The last step of all fetches one more.
      nic.step(steps -> steps - 1);
    }
    a.pair.stop();
    settle();
    assertThat(b.word(0)).isZero();
    assertThat(a.poll())
        .hasSize(3)
        .allSatisfy(c -> assertThat(((Failed) c).syndrome()).isEqualTo(Syndrome.FLUSHED));
  }

  @Test
  void deregisteredMemoryIsNotAccessed() {
    a.fill(h -> new SendElement.Write(h, b.at(0), End.inline(1)));
    a.ring();
    nic.turn();
    b.region.giveBack();
    settle();
    assertThat(b.word(0)).isZero();
    assertThat(complaints).anyMatch(c -> c.contains("given back"));
    assertThat(a.pair.stopped()).isTrue();
  }

  @Test
  void freedMemoryStopsOnlyTheQueuePair() {
    ByteBuffer freed;
    RegisteredRegion region;
    try (Arena arena = Arena.ofShared()) {
      freed = arena.allocate(64, 8).asByteBuffer();
      region = b.domain.register(0x9000, freed, End.STRICT);
    }
    a.post(h -> new SendElement.Write(h, new Remote(0x9000, region.key()), End.inline(1)));
    settle();
    assertThat(a.pair.stopped()).isTrue();
    assertThat(complaints).hasSize(1);
  }

  @Test
  void aFullCompletionQueueStopsItsQueuePairs() {
    for (int i = 0; i < 4 * End.SLOTS + 1; i++) {
      a.post(SendElement.Nop::new);
      settle();
    }
    assertThat(a.pair.stopped()).isTrue();
    assertThat(complaints).singleElement().asString().startsWith("completion queue overrun: ");
    assertThat(a.poll()).hasSize(4 * End.SLOTS);
  }

  @Test
  void aRecordBeyondTheQueueIsRefused() {
    a.fill(SendElement.Nop::new);
    DoorbellRecord.postSends(a.queue.record(), 0, End.SLOTS + 1);
    BigEndian.putLongRelease(a.queue.register(), 0, new Doorbell(1, a.pair.number()).word());
    settle();
    assertThat(complaints).singleElement().asString().startsWith("doorbell record beyond");
    assertThat(a.poll().toString()).contains("LOCAL_OPERATION");
  }

  @Test
  void aDoorbellOfAnotherQueuePairIsNamedAndDropped() {
    a.fill(SendElement.Nop::new);
    DoorbellRecord.postSends(a.queue.record(), 0, 1);
    BigEndian.putLongRelease(a.queue.register(), 0, new Doorbell(1, 0x12345).word());
    settle();
    assertThat(complaints).singleElement().asString().contains("queuePair=74565", "; ring");
    a.ring();
    settle();
    assertThat(a.poll()).hasSize(1);
  }

  @Test
  void aWaitBlocksOnlyItsOwnQueue() {
    End c = new End(a.domain, 0x3000, End.STRICT);
    c.pair.connect(c.pair);
    c.fill(h -> new SendElement.Wait(h, 0, a.completions.number()));
    c.fill(h -> new SendElement.FetchAdd(h, c.at(0), 1, c.gather(8, 8)));
    c.ring();
    settle();
    assertThat(c.word(0)).isZero();
    a.post(SendElement.Nop::new);
    settle();
    assertThat(c.word(0)).isEqualTo(1);
    assertThat(c.poll()).hasSize(2);
  }

  @Test
  void invalidQueueMemoryIsRejected() {
    assertThatThrownBy(() -> b.domain.register(0, ByteBuffer.allocate(8), Set.of()))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("direct=false");
    assertThatThrownBy(() -> b.domain.register(4, ByteBuffer.allocateDirect(8), Set.of()))
        .hasMessageContaining("aligned");
    assertThatThrownBy(() -> b.domain.register(-8, ByteBuffer.allocateDirect(16), Set.of()))
        .hasMessageContaining("does not wrap");
    assertThatThrownBy(() -> QueueMemory.allocate(0, 1)).hasMessageContaining("send queue");
    assertThatThrownBy(
            () -> b.domain.queuePair(QueueMemory.allocate(3, 1), b.completions, b.completions))
        .hasMessageContaining("slots=3");
    assertThatThrownBy(
            () -> b.domain.queuePair(QueueMemory.allocate(1, 1), a.completions, b.completions))
        .hasMessageContaining("another domain");
    assertThatThrownBy(() -> a.pair.connect(b.pair)).hasMessageContaining("already connected");
  }

  @Test
  void limitsAreEnforced() {
    SoftNic small =
        new SoftNic(ElementOrdering.IN_ORDER, new NicLimits(1, 8, 0, 1), complaints::add);
    End only = new End(small, 0x1000, End.STRICT);
    assertThatThrownBy(() -> new End(only.domain, 0x1000, End.STRICT))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("max=1");
  }
}
