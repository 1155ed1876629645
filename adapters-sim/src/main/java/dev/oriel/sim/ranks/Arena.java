package dev.oriel.sim.ranks;

import dev.oriel.domain.program.PacketFormat;
import dev.oriel.domain.window.WindowSpec;
import java.util.List;
import java.util.Optional;

/**
 * What the machine keeps for the windows and buffers of one rank: bytes, and ids of slots. Bytes
 * that were given back are given out again; ids are not, so that no window finds another's counts.
 *
 * @param bytes for windows and buffers that are open at once
 * @param signals for all windows of an execution together, as are counters and barriers
 * @param putSignals whether puts may signal; a slot then has more than one way to be changed, which
 *     takes more executions to explore
 * @param lanes how many lanes a rank has; see {@link dev.oriel.ports.Communicator#lanes}
 * @param packets of what format packets are that windows put and take, if they do: of one alone,
 *     and every place where one may lie makes a state larger
 * @param keys registrations of memory, one for each interface, that a rank may have at once; see
 *     {@link Transport}
 * @param interfaces how many interfaces a rank registers its memory with: as many as the profile
 *     has
 */
public record Arena(
    long bytes,
    int signals,
    int counters,
    int barriers,
    boolean putSignals,
    int lanes,
    Optional<PacketFormat> packets,
    int keys,
    int interfaces) {
  /** Where parts begin: at a multiple of this, and of a packet. */
  static final int ALIGNMENT = 16;

  private static final long SMALLEST = 8;

  /** Without packets and registrations. */
  public Arena(long bytes, int signals, int counters, int barriers, boolean putSignals, int lanes) {
    this(bytes, signals, counters, barriers, putSignals, lanes, Optional.empty(), 0, 0);
  }

  /** Room for one window after another of these, all of them open at once, on every rank. */
  public static Arena of(int world, List<WindowSpec> windows) {
    long bytes = 0;
    int signals = 0;
    int counters = 0;
    int barriers = 0;
    for (WindowSpec spec : windows) {
      long most = 0;
      for (int rank = 0; rank < world; rank++) {
        most = Math.max(most, spec.data().of(rank));
      }
      bytes += aligned(most, ALIGNMENT);
      signals += spec.signals();
      counters += spec.counters();
      barriers += spec.barriers();
    }
    return new Arena(bytes, signals, counters, barriers, false, 1);
  }

  /** This one, in which puts may signal. */
  public Arena withPutSignals() {
    return new Arena(bytes, signals, counters, barriers, true, lanes, packets, keys, interfaces);
  }

  /** This one and so many bytes more, for buffers. */
  public Arena withBuffers(long more) {
    return new Arena(
        bytes + aligned(more),
        signals,
        counters,
        barriers,
        putSignals,
        lanes,
        packets,
        keys,
        interfaces);
  }

  /** This one for ranks of so many lanes. */
  public Arena withLanes(int count) {
    return new Arena(
        bytes, signals, counters, barriers, putSignals, count, packets, keys, interfaces);
  }

  /** This one with room for so many registrations at once, on that many interfaces together. */
  public Arena withKeys(int count, int ofInterfaces) {
    return new Arena(
        bytes, signals, counters, barriers, putSignals, lanes, packets, count, ofInterfaces);
  }

  /**
   * This one with packets of that format. Windows then begin at multiples of a packet: where the
   * length of one is no such multiple, those behind it need so many {@link #withBuffers} more.
   */
  public Arena withPackets(PacketFormat format) {
    Optional<PacketFormat> some = Optional.of(format);
    long whole = aligned(bytes, format.bytes());
    return new Arena(whole, signals, counters, barriers, putSignals, lanes, some, keys, interfaces);
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
