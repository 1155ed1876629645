package dev.oriel.ibverbs.verbs;

import java.nio.ByteBuffer;

/**
 * A queue pair as the device reads it: its memory and its register.
 *
 * @param elements its send queue, in blocks of 64 bytes, a power of two of them
 * @param record its doorbell record: two words, the second for sends
 * @param register the address of its doorbell register
 * @param completions its completion queue
 * @param completionBytes of each completion
 * @param consumed the record of the number of completions read
 */
public record DirectQueue(
    int number,
    Piece elements,
    Piece record,
    long register,
    Piece completions,
    int completionBytes,
    Piece consumed) {

  /** Bytes of this process that belong to the device's library for as long as the queue lives. */
  public record Piece(long address, ByteBuffer bytes) {}
}
