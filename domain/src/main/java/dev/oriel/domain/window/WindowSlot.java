package dev.oriel.domain.window;

/**
 * One 64-bit word of a window: its owner, the peer of its row, and its place.
 *
 * @param use its purpose
 * @param id the number of the signal, barrier or counter
 * @param owner the rank in whose memory it lies and that polls it
 * @param peer the rank its row belongs to; the only writer of a signal or a barrier
 * @param memory the memory it lies in
 * @param offset its first byte in that memory
 */
public record WindowSlot(SlotUse use, int id, int owner, int peer, SlotMemory memory, long offset) {

  /** The only rank that ever writes this slot: its peer, or for a counter the owner itself. */
  public int writer() {
    return use == SlotUse.COUNTER ? owner : peer;
  }
}
