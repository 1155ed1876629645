package dev.oriel.ibverbs.verbs;

import java.nio.ByteBuffer;

/**
 * A queue pair as the device sees it: memory that it reads, and its register.
 *
 * @param elements its send queue, in blocks of 64 bytes, a power of two of them
 * @param record its doorbell record: two words, the second for sends
 * @param register the address of its doorbell register
 * @param completions the queue of its completions
 * @param completionBytes of each of them
 * @param consumed the record of how many of them were taken
 */
public record DirectQueue(
    int number,
    Piece elements,
    Piece record,
    long register,
    Piece completions,
    int completionBytes,
    Piece consumed) {

  /** Bytes of this process that the device's library keeps, for as long as the queue lives. */
  public record Piece(long address, ByteBuffer bytes) {}
}
