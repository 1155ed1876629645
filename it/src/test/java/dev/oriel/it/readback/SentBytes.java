package dev.oriel.it.readback;

import dev.oriel.ibverbs.run.Posted;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A {@code struct ibv_send_wr} with its only gather entry, read by the offsets of its ABI.
 *
 * @param at its address when it was posted
 */
record SentBytes(MemorySegment block, long at) {
  static final int WRITE = 0;
  static final int READ = 4;
  static final int COMPARE_SWAP = 5;
  static final int FETCH_ADD = 6;
  static final int FENCE = 1;
  static final int SIGNALED = 2;
  static final int INLINE = 8;
  static final int NEXT_AT = 8;
  static final int ENTRIES_AT = 24;
  static final int OPCODE_AT = 28;
  static final int FLAGS_AT = 32;
  static final int REMOTE_AT = 40;
  private static final int GATHER_AT = 16;
  private static final int RDMA_KEY_AT = 48;
  private static final int COMPARE_ADD_AT = 48;
  private static final int SWAP_AT = 56;
  private static final int ATOMIC_KEY_AT = 64;

  static SentBytes of(Posted.Sent sent) {
    return new SentBytes(sent.block(), sent.at());
  }

  /** The next request of the same post; 0 if there is none. */
  long next() {
    return doubleWord(NEXT_AT);
  }

  int opcode() {
    return word(OPCODE_AT);
  }

  boolean has(int flag) {
    return (word(FLAGS_AT) & flag) != 0;
  }

  long remote() {
    return doubleWord(REMOTE_AT);
  }

  int remoteKey() {
    return word(opcode() >= COMPARE_SWAP ? ATOMIC_KEY_AT : RDMA_KEY_AT);
  }

  /** The operand that an atomic adds or compares. */
  long compareAdd() {
    return doubleWord(COMPARE_ADD_AT);
  }

  long swap() {
    return doubleWord(SWAP_AT);
  }

  int entries() {
    return word(ENTRIES_AT);
  }

  long local() {
    return doubleWord(entry());
  }

  int bytes() {
    return word(entry() + 8);
  }

  int localKey() {
    return word(entry() + 12);
  }

  /** The word that an inline request carries. */
  long carried() {
    return doubleWord(local() - at);
  }

  /** Whether both requests are equal, except for their numbers and addresses. */
  boolean says(SentBytes other) {
    return opcode() == other.opcode()
        && word(FLAGS_AT) == other.word(FLAGS_AT)
        && remote() == other.remote()
        && (has(INLINE) ? carried() == other.carried() : local() == other.local())
        && (opcode() < COMPARE_SWAP || compareAdd() == other.compareAdd());
  }

  private long entry() {
    return doubleWord(GATHER_AT) - at;
  }

  private int word(long offset) {
    return block.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
  }

  private long doubleWord(long offset) {
    return block.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }
}
