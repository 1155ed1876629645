package dev.oriel.sim.engine;

/**
 * A write in flight: bytes into a buffer, or a word into a slot. {@code release} orders it after
 * every earlier write of its lane.
 */
final class PendingStore {

  /** The effect of a store when it arrives. */
  enum Kind {
    BYTES,
    SLOT_SET,
    SLOT_ADD
  }

  private final int rank;
  private final int buffer;
  private final long offset;
  private final byte[] bytes;
  private final Kind kind;
  private final boolean release;

  private PendingStore(
      int rank, int buffer, long offset, byte[] bytes, Kind kind, boolean release) {
    this.rank = rank;
    this.buffer = buffer;
    this.offset = offset;
    this.bytes = bytes;
    this.kind = kind;
    this.release = release;
  }

  static PendingStore bytes(int rank, int buffer, long offset, byte[] bytes) {
    return new PendingStore(rank, buffer, offset, bytes, Kind.BYTES, false);
  }

  static PendingStore slot(int rank, int signal, int slot, Kind kind, long value, boolean release) {
    byte[] word = new byte[Long.BYTES];
    LittleEndianWords.put(word, 0, value);
    return new PendingStore(rank, signal, slot, word, kind, release);
  }

  int rank() {
    return rank;
  }

  /** The buffer's index, or the signal's for a slot store. */
  int buffer() {
    return buffer;
  }

  /** The first byte in the buffer, or the slot's index. */
  long offset() {
    return offset;
  }

  byte[] bytes() {
    return bytes;
  }

  Kind kind() {
    return kind;
  }

  boolean release() {
    return release;
  }

  boolean overlaps(PendingStore other) {
    boolean sameMemory =
        rank == other.rank
            && buffer == other.buffer
            && (kind == Kind.BYTES) == (other.kind == Kind.BYTES);
    return sameMemory
        && (kind == Kind.BYTES
            ? offset < other.offset + other.bytes.length && other.offset < offset + bytes.length
            : offset == other.offset);
  }

  long value() {
    return LittleEndianWords.get(bytes, 0);
  }
}
