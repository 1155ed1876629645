package dev.oriel.ibverbs.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ibverbs.post.AddressTable.RankMemory;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressResolverTest {
  private static final long GIB = 1L << 30;
  private static final QueueLimits WIDEST = new QueueLimits(8, Integer.MAX_VALUE);
  private static final SlotWord SLOT = new SlotWord(1, 0, "S", 1, 8);

  private final AddressTable book =
      new AddressTable(
          List.of(rank(0x1_0000_0000L, 64, 0x1000), rank(0x2_0000_0000L, 4 * GIB, 0x2000)));

  @Test
  void aWriteNamesBothEnds() {
    assertThat(resolve(new PostOperation.Write(range(0, 16, 8), range(1, 24, 8))))
        .isEqualTo(
            new WorkRequest.Write(
                7, true, false, new Local(0x1_0000_0010L, 8, 1), new Remote(0x2_0000_0018L, 2)));
  }

  @Test
  void aSlotIsSetByAnInlineWord() {
    assertThat(resolve(new PostOperation.SetSlot(SLOT, -1)))
        .isEqualTo(new WorkRequest.WriteWord(7, true, false, -1, new Remote(0x2008, 4)));
  }

  @Test
  void anAddDropsTheOldWordInTheSink() {
    assertThat(resolve(new PostOperation.AddSlot(SLOT, 3)))
        .isEqualTo(
            new WorkRequest.FetchAdd(
                7, true, false, 3, new Local(0x1100, 8, 5), new Remote(0x2008, 4)));
  }

  @Test
  void aReadBackFetchesThePeersFirstSlot() {
    assertThat(resolve(new PostOperation.ReadBack(1)))
        .isEqualTo(
            new WorkRequest.Read(7, true, false, new Local(0x1100, 8, 5), new Remote(0x2000, 4)));
  }

  @Test
  void aNegativeLengthIsRefused() {
    refused(
        new PostOperation.Write(range(0, 0, -1), range(1, 0, -1)),
        "length out of range: bytes=-1, min=0, max=2147483647; split the move");
  }

  @Test
  void aLengthTooLargeForAnEntryIsRejected() {
    refused(
        new PostOperation.Write(range(1, 0, 2 * GIB), range(1, 2 * GIB, 2 * GIB)),
        "length out of range: bytes=2147483648, min=0, max=2147483647; split the move");
  }

  @Test
  void aMessageAboveThePortsLimitIsRefused() {
    assertThatThrownBy(() ->
            new AddressResolver(0, book, new QueueLimits(8, 16))
                .resolve(request(new PostOperation.Read(range(0, 0, 17), range(1, 0, 17)))))
        .isInstanceOf(MachineException.class)
        .hasMessage("message too long: buffer=a, bytes=17, max=16; split the move");
  }

  @Test
  void anUnknownBufferIsNamedWithTheKnownOnes() {
    refused(
        new PostOperation.Write(new BufferRange(0, "b", 0, 8), range(1, 0, 8)),
        "unknown buffer: rank=0, name=b, registered=a; register it before posting");
  }

  @Test
  void anUnknownRankIsNamed() {
    refused(
        new PostOperation.Write(range(0, 0, 8), range(2, 0, 8)),
        "unknown rank: rank=2, ranks=2; exchange addresses with every rank");
  }

  @Test
  void anOffsetThatWrapsAroundIsRefused() {
    refused(
        new PostOperation.Write(range(0, Long.MAX_VALUE - 3, 8), range(1, 0, 8)),
        "region outside its memory: rank=0, memory=a, offset=9223372036854775804, bytes=8,"
            + " size=64; register what the program's binding says");
  }

  @Test
  void theSizeOfTheDestinationRankApplies() {
    refused(
        new PostOperation.Read(range(1, 60, 8), range(0, 60, 8)),
        "region outside its memory: rank=0, memory=a, offset=60, bytes=8, size=64;"
            + " register what the program's binding says");
  }

  @Test
  void aNegativeOffsetIsRefused() {
    refused(
        new PostOperation.Write(range(0, -8, 8), range(1, 0, 8)),
        "region outside its memory: rank=0, memory=a, offset=-8, bytes=8, size=64;"
            + " register what the program's binding says");
  }

  @Test
  void aQueueWithoutInlineDataRejectsSlots() {
    assertThatThrownBy(() ->
            new AddressResolver(0, book, new QueueLimits(4, GIB))
                .resolve(request(new PostOperation.SetSlot(SLOT, 1))))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "inline write longer than the queue allows: bytes=8, max=4;"
                + " create the queue with max_inline_data of 8 or more");
  }

  @Test
  void slotsThatAreNotAlignedAreRefused() {
    RegisteredMemory odd = new RegisteredMemory(0x2004, 64, 1, 2);
    AddressTable table = new AddressTable(List.of(new RankMemory(Map.of(), odd, odd)));
    assertThatThrownBy(() ->
            new AddressResolver(0, table, WIDEST).resolve(request(new PostOperation.ReadBack(0))))
        .isInstanceOf(MachineException.class)
        .hasMessage("memory not aligned: what=sink, address=0x2004, alignment=8; align it");
  }

  @Test
  void memoryMayReachTheLastAddress() {
    assertThat(new RegisteredMemory(-64, 63, 1, 2).holds(62, 1)).isTrue();
    assertThatThrownBy(() -> new RegisteredMemory(-64, 65, 1, 2))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "memory wraps around: address=0xffffffffffffffc0, bytes=65;"
                + " give its real address and size");
  }

  private void refused(PostOperation operation, String message) {
    assertThatThrownBy(() -> resolve(operation))
        .isInstanceOf(MachineException.class)
        .hasMessage(message);
  }

  private WorkRequest resolve(PostOperation operation) {
    return new AddressResolver(0, book, WIDEST).resolve(request(operation));
  }

  private static QueueRequest request(PostOperation operation) {
    return new QueueRequest(7, operation, true, false);
  }

  private static BufferRange range(int rank, long offset, long bytes) {
    return new BufferRange(rank, "a", offset, bytes);
  }

  private static RankMemory rank(long address, long bytes, long slots) {
    return new RankMemory(
        Map.of("a", new RegisteredMemory(address, bytes, 1, 2)),
        new RegisteredMemory(slots, 64, 3, 4),
        new RegisteredMemory(slots + 0x100, 8, 5, 6));
  }
}
