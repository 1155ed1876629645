package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.nio.ByteOrder;

/**
 * How an aligned 64-bit word tells of the latest element that is done: its count, of which low bits
 * alone are there, and a code. Codes other than these two say that the queue failed.
 *
 * @param order in which its bytes are read as a number
 * @param countShift where the count of the latest element begins
 * @param countBits how many bits of the count there are; more than half of what they count is never
 *     under way
 * @param idle the code of a queue of which nothing is done yet
 * @param done the code beside a count
 */
public record CompletionWord(
    ByteOrder order,
    int countShift,
    int countBits,
    int codeShift,
    int codeBits,
    int idle,
    int done) {
  public CompletionWord {
    if (countShift < 0
        || countBits < 1
        || countShift + countBits > Long.SIZE
        || codeShift < 0
        || codeBits < 1
        || codeShift + codeBits > Long.SIZE) {
      throw new MachineException(
          "no such completion word: count=%d bits at %d, code=%d bits at %d; stay within 64 bits"
              .formatted(countBits, countShift, codeBits, codeShift));
    }
  }

  /** The bits that a count has there. */
  public long countMask() {
    return -1L >>> (Long.SIZE - countBits);
  }

  /** The bits that a code has. */
  public long codeMask() {
    return -1L >>> (Long.SIZE - codeBits);
  }
}
