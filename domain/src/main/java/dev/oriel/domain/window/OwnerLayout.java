package dev.oriel.domain.window;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;

/**
 * The places of a window's slots in one owner's memory.
 *
 * <p>Each memory is a table of rows, one for each peer that may write there, in ascending order of
 * rank and without the owner. A row of the NVLINK and RDMA memories holds signals; a second table
 * after it holds barriers. A slot therefore has exactly one writer.
 *
 * <pre>
 *   NVLINK, RDMA:  row 0: signal 0, signal 1, ...   row 1: ...   | row 0: barrier 0, ...   row 1: ...
 *   COUNTER:       row 0: counter 0, ...            row 1: ...
 * </pre>
 */
public final class OwnerLayout {

  private final WindowSpec spec;
  private final Topology topology;
  private final int owner;
  private final PeerRows rows;

  OwnerLayout(WindowSpec spec, Topology topology, int owner) {
    this.spec = spec;
    this.topology = topology;
    this.owner = owner;
    this.rows = new PeerRows(spec, topology, owner);
  }

  /** The rank whose memory this is. */
  public int owner() {
    return owner;
  }

  /** The bytes of data that the owner contributes. */
  public long dataBytes() {
    return spec.data().of(owner);
  }

  /** The slot in which {@code source} signals the owner over their own transport. */
  public WindowSlot signalSlot(int source, int id) {
    return signalSlot(source, id, topology.kind(owner, source));
  }

  /** The slot in which {@code source} signals the owner over {@code transport}. */
  public WindowSlot signalSlot(int source, int id, PeerKind transport) {
    IndexChecks.index("signal", id, spec.signals());
    return slot(SlotUse.SIGNAL, id, source, rows.memoryFor(source, transport));
  }

  /**
   * The slot in which {@code source} announces its arrival to the owner over their own transport.
   */
  public WindowSlot barrierSlot(int source, int id) {
    return barrierSlot(source, id, topology.kind(owner, source));
  }

  /** The slot in which {@code source} announces its arrival to the owner over {@code transport}. */
  public WindowSlot barrierSlot(int source, int id, PeerKind transport) {
    IndexChecks.index("barrier", id, spec.barriers());
    return slot(SlotUse.BARRIER, id, source, rows.memoryFor(source, transport));
  }

  /** The slot in which the owner's NIC counts completed puts to {@code peer}. */
  public WindowSlot counterSlot(int peer, int id) {
    IndexChecks.index("counter", id, spec.counters());
    rows.memoryFor(peer, PeerKind.RDMA);
    return slot(SlotUse.COUNTER, id, peer, SlotMemory.COUNTER);
  }

  /** The number of rows in {@code memory}: the peers that have slots there. */
  public int rows(SlotMemory memory) {
    return rows.count(memory);
  }

  /** The bytes that the owner allocates, zeroed, for {@code memory}. */
  public long bytes(SlotMemory memory) {
    long slotsPerRow =
        memory == SlotMemory.COUNTER ? spec.counters() : spec.signals() + spec.barriers();
    return rows.count(memory) * slotsPerRow * memory.stride();
  }

  /** The slot at {@code offset} of {@code memory}; it shows which rank wrote a word there. */
  public WindowSlot slotAt(SlotMemory memory, long offset) {
    if (offset < 0 || offset >= bytes(memory) || offset % memory.stride() != 0) {
      throw new IndexOutOfBoundsException(
          "no slot: window="
              + spec.name()
              + ", owner="
              + owner
              + ", memory="
              + memory
              + ", offset="
              + offset
              + ", bytes="
              + bytes(memory)
              + "; use a multiple of "
              + memory.stride()
              + " below the size");
    }
    long index = offset / memory.stride();
    if (memory == SlotMemory.COUNTER) {
      return slotAt(SlotUse.COUNTER, memory, index);
    }
    long signals = (long) rows.count(memory) * spec.signals();
    return index < signals
        ? slotAt(SlotUse.SIGNAL, memory, index)
        : slotAt(SlotUse.BARRIER, memory, index - signals);
  }

  private WindowSlot slotAt(SlotUse use, SlotMemory memory, long index) {
    int perRow = perRow(use);
    return slot(use, (int) (index % perRow), rows.peerOf(memory, (int) (index / perRow)), memory);
  }

  private WindowSlot slot(SlotUse use, int id, int peer, SlotMemory memory) {
    long before = use == SlotUse.BARRIER ? (long) rows.count(memory) * spec.signals() : 0;
    long index = before + (long) rows.rowOf(memory, peer) * perRow(use) + id;
    return new WindowSlot(use, id, owner, peer, memory, index * memory.stride());
  }

  private int perRow(SlotUse use) {
    return switch (use) {
      case SIGNAL -> spec.signals();
      case BARRIER -> spec.barriers();
      case COUNTER -> spec.counters();
    };
  }
}
