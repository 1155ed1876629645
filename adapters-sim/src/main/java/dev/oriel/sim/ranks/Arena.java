package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.WindowSpec;
import java.util.List;
import java.util.Optional;

/**
 * What the machine keeps for the windows and buffers of one rank: bytes, and ids of slots. Bytes
 * that were given back are given out again; ids are not, so that no window finds another's counts.
 *
 * @param bytes for windows and buffers that are open at once
 * @param slots for all windows of an execution together
 * @param putSignals whether puts may signal; a slot then has more than one way to be changed, which
 *     takes more executions to explore
 * @param lanes how many lanes a rank has; see {@link dev.oriel.ports.Communicator#lanes}
 * @param packets of what format packets are that windows put and take, if they do: of one alone,
 *     and every place where one may lie makes a state larger
 * @param registrations room for memory that is registered; see {@link Transport}
 */
public record Arena(
    long bytes,
    Slots slots,
    boolean putSignals,
    int lanes,
    Optional<PacketFormat> packets,
    Registrations registrations) {
  /** Where parts begin: at a multiple of this, and of a packet. */
  static final int ALIGNMENT = 16;

  private static final long SMALLEST = 8;

  /** Ids of each kind. */
  public record Slots(int signals, int counters, int barriers) {
    /** None at all. */
    public static final Slots NONE = new Slots(0, 0, 0);

    /** As many more. */
    public Slots and(Slots more) {
      return new Slots(signals + more.signals, counters + more.counters, barriers + more.barriers);
    }
  }

  /**
   * Registrations of memory.
   *
   * @param keys how many a rank may have at once, one for each interface
   * @param interfaces how many interfaces a rank registers its memory with: as many as the profile
   *     has
   */
  public record Registrations(int keys, int interfaces) {
    /** None at all. */
    public static final Registrations NONE = new Registrations(0, 0);
  }

  /** For ranks of one lane, without packets and registrations; puts do not signal. */
  public Arena(long bytes, Slots slots) {
    this(bytes, slots, false, 1, Optional.empty(), Registrations.NONE);
  }

  /** Room for one window after another of these, all of them open at once, on every rank. */
  public static Arena of(int world, List<WindowSpec> windows) {
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
    return new Arena(bytes, slots);
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

  /** This one, in which puts may signal. */
  public Arena withPutSignals() {
    return new Arena(bytes, slots, true, lanes, packets, registrations);
  }

  /** This one and so many bytes more, for buffers. */
  public Arena withBuffers(long more) {
    return new Arena(bytes + aligned(more), slots, putSignals, lanes, packets, registrations);
  }

  /** This one for ranks of so many lanes. */
  public Arena withLanes(int count) {
    return new Arena(bytes, slots, putSignals, count, packets, registrations);
  }

  /** This one with room for so many registrations at once, on that many interfaces together. */
  public Arena withKeys(int count, int ofInterfaces) {
    Registrations some = new Registrations(count, ofInterfaces);
    return new Arena(bytes, slots, putSignals, lanes, packets, some);
  }

  /**
   * This one with packets of that format. Windows then begin at multiples of a packet: where the
   * length of one is no such multiple, those behind it need so many {@link #withBuffers} more.
   */
  public Arena withPackets(PacketFormat format) {
    long whole = aligned(bytes, format.bytes());
    return new Arena(whole, slots, putSignals, lanes, Optional.of(format), registrations);
  }

  /** Bytes of each lane's part of the stage, where what it reads and writes passes. */
  long stage() {
    return Math.max(SMALLEST, bytes);
  }

  /** So many bytes and what lies behind them up to where another part may begin. */
  long aligned(long length) {
    return aligned(length, Math.max(ALIGNMENT, packets.map(PacketFormat::bytes).orElse(0)));
  }

  private static long aligned(long length, int alignment) {
    return Math.ceilDiv(length, alignment) * alignment;
  }
}
