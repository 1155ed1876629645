package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.WindowSpec;
import java.util.List;
import java.util.Optional;

/**
 * Memory that the machine reserves for the windows and buffers of one rank: bytes, and ids of
 * slots. Freed bytes are reused. Ids are not, so no window finds the counts of an earlier one.
 *
 * @param bytes for windows and buffers that are open at once
 * @param slots for all windows that one execution opens
 * @param putSignals whether puts may signal; a slot can then change in more than one way, which
 *     needs more executions to explore
 * @param lanes the number of lanes of a rank; see {@link dev.oriel.ports.Communicator#lanes}
 * @param packets the one format of the packets that windows put and take, if they do; every address
 *     at which a packet may be makes a state larger
 * @param registrations room for registered memory; see {@link RankTransport}
 */
public record RankArena(
    long bytes,
    Slots slots,
    boolean putSignals,
    int lanes,
    Optional<PacketFormat> packets,
    Registrations registrations) {
  /** Allocations begin at a multiple of this, and of a packet's size. */
  static final int ALIGNMENT = 16;

  private static final long SMALLEST = 8;

  /** The number of ids of each kind. */
  public record Slots(int signals, int counters, int barriers) {
    /** No ids. */
    public static final Slots NONE = new Slots(0, 0, 0);

    /** The sum of both, kind by kind. */
    public Slots and(Slots more) {
      return new Slots(signals + more.signals, counters + more.counters, barriers + more.barriers);
    }
  }

  /**
   * Room for registrations of memory.
   *
   * @param keys the number that a rank may hold at once, one for each interface
   * @param interfaces the number of interfaces with which a rank registers its memory: as many as
   *     the profile has
   */
  public record Registrations(int keys, int interfaces) {
    /** No registrations. */
    public static final Registrations NONE = new Registrations(0, 0);
  }

  /** An arena for ranks of one lane, without packets and registrations; puts do not signal. */
  public RankArena(long bytes, Slots slots) {
    this(bytes, slots, false, 1, Optional.empty(), Registrations.NONE);
  }

  /** Room for all of these windows open at once on every rank, allocated in this order. */
  public static RankArena of(int world, List<WindowSpec> windows) {
    long bytes = 0;
    Slots slots = Slots.NONE;
    for (WindowSpec spec : windows) {
      long most = 0;
      for (int rank = 0; rank < world; rank++) {
        most = Math.max(most, spec.data().of(rank));
      }
      bytes += aligned(most, ALIGNMENT);
      slots = slots.and(new Slots(spec.signals(), spec.counters(), spec.barriers()));
    }
    return new RankArena(bytes, slots);
  }

  public int signals() {
    return slots.signals;
  }

  public int counters() {
    return slots.counters;
  }

  public int barriers() {
    return slots.barriers;
  }

  public int keys() {
    return registrations.keys;
  }

  public int interfaces() {
    return registrations.interfaces;
  }

  /** This arena, in which puts may also signal. */
  public RankArena withPutSignals() {
    return new RankArena(bytes, slots, true, lanes, packets, registrations);
  }

  /** This arena with additional bytes for buffers. */
  public RankArena withBuffers(long more) {
    return new RankArena(bytes + aligned(more), slots, putSignals, lanes, packets, registrations);
  }

  /** This arena for ranks with that number of lanes. */
  public RankArena withLanes(int count) {
    return new RankArena(bytes, slots, putSignals, count, packets, registrations);
  }

  /** This arena with room for that many registrations at once, over all those interfaces. */
  public RankArena withKeys(int count, int ofInterfaces) {
    Registrations some = new Registrations(count, ofInterfaces);
    return new RankArena(bytes, slots, putSignals, lanes, packets, some);
  }

  /**
   * This arena with packets of that format. Windows then begin at multiples of a packet. Where a
   * window's length is no such multiple, add the padding of the windows after it by {@link
   * #withBuffers}.
   */
  public RankArena withPackets(PacketFormat format) {
    long whole = aligned(bytes, format.bytes());
    return new RankArena(whole, slots, putSignals, lanes, Optional.of(format), registrations);
  }

  /** Bytes of each lane's staging area, through which its reads and writes pass. */
  long stage() {
    return Math.max(SMALLEST, bytes);
  }

  /** The length, rounded up to the alignment of the next allocation. */
  long aligned(long length) {
    return aligned(length, Math.max(ALIGNMENT, packets.map(PacketFormat::bytes).orElse(0)));
  }

  private static long aligned(long length, int alignment) {
    return Math.ceilDiv(length, alignment) * alignment;
  }
}
