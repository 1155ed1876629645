package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementPayload.Gather;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.SendElement.Head;
import dev.oriel.ibverbs.mlx5.SendElement.Remote;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * One end of a connection, for a single posting thread: its memory, its queues, and its
 * completions.
 */
final class End {
  static final Set<RegionPermission> STRICT =
      EnumSet.complementOf(EnumSet.of(RegionPermission.RELAXED_ORDERING));
  static final int SLOTS = 8;
  static final int BYTES = 256;

  /** Bytes on both sides of the registered ones, which must never change. */
  static final int MARGIN = 64;

  final SoftDomain domain;
  final ByteBuffer all = ByteBuffer.allocateDirect(BYTES + 2 * MARGIN);
  final ByteBuffer memory = all.slice(MARGIN, BYTES).order(ByteOrder.nativeOrder());
  final RegisteredRegion region;
  final ByteBuffer places = ByteBuffer.allocateDirect(4 * SLOTS * CompletionElement.BYTES);
  final ByteBuffer consumed = ByteBuffer.allocateDirect(8);
  final SoftCompletionQueue completions;
  final QueueMemory queue = QueueMemory.allocate(SLOTS, SLOTS);
  final SoftQueuePair pair;
  long posted;
  private long receives;
  private long read;

  End(SoftNic nic, long address, Set<RegionPermission> access) {
    this(nic.domain(), address, access);
  }

  End(SoftDomain domain, long address, Set<RegionPermission> access) {
    this.domain = domain;
    region = domain.register(address, memory, access);
    completions = domain.completionQueue(places, consumed);
    pair = domain.queuePair(queue, completions, completions);
  }

  Remote at(int offset) {
    return new Remote(region.address() + offset, region.key());
  }

  Gather gather(int offset, int bytes) {
    return new Gather(bytes, region.key(), region.address() + offset);
  }

  long word(int offset) {
    return memory.getLong(offset);
  }

  void set(int offset, long word) {
    memory.putLong(offset, word);
  }

  static ElementPayload inline(long word) {
    return new ElementPayload.Inline(RegionSpan.bytesOf(word));
  }

  /** Fills the next element, reported and without a fence, without publishing it. */
  void fill(Function<Head, SendElement> element) {
    fill(ElementFence.NONE, element);
  }

  void fill(ElementFence fence, Function<Head, SendElement> element) {
    fill(
        element.apply(
            new Head(
                QueueRing.index(posted), pair.number(), fence, CompletionReporting.ALWAYS, false)));
  }

  void fill(SendElement element) {
    ElementWriter.write(queue.sends(), (int) (posted % SLOTS) * SendElement.BLOCK, element);
    posted++;
  }

  void ring() {
    DoorbellRecord.postSends(queue.record(), 0, posted);
    BigEndian.putLongRelease(
        queue.register(), 0, new Doorbell(QueueRing.index(posted), pair.number()).word());
  }

  void post(Function<Head, SendElement> element) {
    fill(element);
    ring();
  }

  void receive(Gather room) {
    ReceiveBytes.write(queue.receives(), (int) (receives % SLOTS) * ReceiveBytes.BYTES, room);
    DoorbellRecord.postReceives(queue.record(), 0, ++receives);
  }

  /** All completions since the last call, by their owner bits. */
  List<CompletionElement> poll() {
    QueueRing ring = new QueueRing(4 * SLOTS);
    List<CompletionElement> found = new ArrayList<>();
    for (int at = place(ring);
        CompletionBytes.valid(places, at, ring.owner(read));
        at = place(ring)) {
      found.add(CompletionBytes.read(places, at));
      read++;
    }
    DoorbellRecord.consume(consumed, 0, read);
    return found;
  }

  private int place(QueueRing ring) {
    return CompletionElement.BYTES * ring.slot(read);
  }

  byte[] snapshot() {
    byte[] copy = new byte[all.capacity()];
    all.get(0, copy);
    return copy;
  }
}
