package dev.oriel.sim.time;

import dev.oriel.ports.MachineException;
import java.util.Arrays;

/**
 * The words that lanes wait for: slots of signals, and for packets the flag at their place. Each
 * cell has a list of the lanes that wait for it to change.
 *
 * <pre>
 * slot     0 | source 21 | owner 20 | index * signals + signal 22     source {@link #SUM}: all rows
 * packets  1 | owner 20  | (offset / 8) * buffers + buffer 43
 * </pre>
 */
final class PolledWords {
  /** In place of a source: the sum of all rows, kept where a program waits for it. */
  static final int SUM = 1 << 20;

  static final int NONE = -1;

  private static final int SLOTS = 1 << 22;
  private static final long PLACES = 1L << 43;

  private final LongIndex index = new LongIndex();
  private final int signals;
  private final int buffers;
  private long[] words = new long[256];
  private int[] waiting = new int[256];

  PolledWords(int signals, int buffers) {
    this.signals = signals;
    this.buffers = buffers;
    Arrays.fill(waiting, NONE);
  }

  int slot(int owner, int source, int signal, long slot) {
    if (slot < 0 || slot >= SLOTS / signals) {
      throw new MachineException(
          "slot out of range for the time driver: rank=%d, index=%d, max=%d; use fewer slots"
              .formatted(owner, slot, SLOTS / signals - 1));
    }
    return cell((long) source << 42 | (long) owner << 22 | (slot * signals + signal));
  }

  int packets(int owner, int buffer, long offset) {
    return cell(place(owner, buffer, offset));
  }

  /** The cell of packets if any were ever there, else {@link #NONE}. */
  int knownPackets(int owner, int buffer, long offset) {
    return index.find(place(owner, buffer, offset));
  }

  private long place(int owner, int buffer, long offset) {
    long place = (offset >> 3) * buffers + buffer;
    if (offset < 0 || place >= PLACES) {
      throw new MachineException(
          "packets out of range for the time driver: rank=%d, offset=%d, max=%d; use less scratch"
              .formatted(owner, offset, 8 * (PLACES / buffers)));
    }
    return Long.MIN_VALUE | (long) owner << 43 | place;
  }

  private int cell(long key) {
    int cell = index.of(key);
    if (cell >= words.length) {
      int before = words.length;
      words = Arrays.copyOf(words, 2 * before);
      waiting = Arrays.copyOf(waiting, 2 * before);
      Arrays.fill(waiting, before, 2 * before, NONE);
    }
    return cell;
  }

  long word(int cell) {
    return words[cell];
  }

  void word(int cell, long word) {
    words[cell] = word;
  }

  /** The signal of a slot's cell, or {@link #NONE} for packets. */
  int signal(int cell) {
    long key = index.key(cell);
    return key < 0 ? NONE : (int) ((key & (SLOTS - 1)) % signals);
  }

  /** The cell of the sum to which a slot's cell belongs. */
  int sum(int slot) {
    long key = index.key(slot);
    return cell((key & ((1L << 42) - 1)) | (long) SUM << 42);
  }

  /** The first lane that waits for the cell, or {@link #NONE}. */
  int waiting(int cell) {
    return waiting[cell];
  }

  void waiting(int cell, int lane) {
    waiting[cell] = lane;
  }
}
