package dev.oriel.sim.weak;

/**
 * One value of a synchronising word, and what observing it may order.
 *
 * @param agent who wrote it, -1 for the initial value
 * @param tick when, on the writer's own component
 * @param scoped whether only agents of the writer's GPU may synchronise with it
 * @param gpu the rank on whose GPU it was written, -1 for a network interface
 * @param head what an acquirer within scope may rely on
 * @param causal what happened before it through awaits; every observer learns it
 * @param data the packet's bytes; empty for a slot
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed once made
record Message(
    long value,
    int agent,
    int tick,
    int site,
    boolean scoped,
    int gpu,
    int[] head,
    int[] causal,
    byte[] data) {
  /** What a slot carries besides its value. */
  static final byte[] NO_DATA = {};

  /** What zeroed memory holds. */
  static Message initial(int[] nothing) {
    return new Message(0, -1, 0, -1, false, -1, nothing, nothing, NO_DATA);
  }
}
