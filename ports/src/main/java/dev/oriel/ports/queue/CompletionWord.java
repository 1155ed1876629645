package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.nio.ByteOrder;

/**
 * The format of an aligned 64-bit word that reports the latest completed element: the low bits of
 * its count, and a code. Codes other than these two mean that the queue failed.
 *
 * @param order of its bytes as a number
 * @param countShift the lowest bit of the count of the latest element
 * @param countBits how many bits of the count it holds; elements in flight are never more than half
 *     of their range
 * @param idle the code of a queue without a completed element
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

  /** The bits of a count. */
  public long countMask() {
    return -1L >>> (Long.SIZE - countBits);
  }

  /** The bits of a code. */
  public long codeMask() {
    return -1L >>> (Long.SIZE - codeBits);
  }
}
