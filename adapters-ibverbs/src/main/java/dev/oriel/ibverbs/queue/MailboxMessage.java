package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.queue.RequestKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * A request to execute in the receiver's memory, or the answer to one.
 *
 * @param kind of a request, counted from 1; of an answer {@link #DONE} or {@link #REFUSED}
 * @param remote the address in the receiver's memory
 * @param length the bytes that it concerns
 * @param value the word to write, add or swap in
 * @param compare the expected word of a compare and swap
 * @param payload the bytes to write; in an answer the bytes that were read, or the old word
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MailboxMessage(
    long kind, long remote, long length, long value, long compare, byte[] payload) {
  static final long DONE = 0;
  static final long REFUSED = 1;
  static final byte[] NOTHING = {};

  private static final List<RequestKind> KINDS = List.of(RequestKind.values());

  static MailboxMessage request(
      RequestKind kind, long remote, long length, long value, long compare, byte[] payload) {
    return new MailboxMessage(KINDS.indexOf(kind) + 1L, remote, length, value, compare, payload);
  }

  /** The answer to a request that was executed, with its result. */
  static MailboxMessage done(byte[] result) {
    return new MailboxMessage(DONE, 0, result.length, 0, 0, result);
  }

  /** The answer to a request that was not executed. */
  static MailboxMessage refusal() {
    return new MailboxMessage(REFUSED, 0, 0, 0, 0, NOTHING);
  }

  /** The kind of a request; empty if there is no such kind. */
  Optional<RequestKind> requested() {
    return kind >= 1 && kind <= KINDS.size()
        ? Optional.of(KINDS.get((int) kind - 1))
        : Optional.empty();
  }

  /** Its bytes in a slot, without the number. */
  byte[] bytes() {
    int words = MailboxLayout.PAYLOAD_AT - MailboxLayout.WORDS;
    ByteBuffer bytes = ByteBuffer.allocate(words + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(kind).putLong(remote).putLong(length).putLong(value).putLong(compare);
    return bytes.put(words, payload).array();
  }

  /**
   * The message in a slot. A peer wrote it, so its kind may be none, and a length that no slot
   * holds makes it a message of no kind.
   */
  static MailboxMessage read(HostMemory memory, long slot) {
    ByteBuffer words =
        ByteBuffer.wrap(
                memory.read(slot + MailboxLayout.WORDS, MailboxLayout.WORD_COUNT * Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    long kind = words.getLong();
    long remote = words.getLong();
    long length = words.getLong();
    boolean fits = length >= 0 && length <= MailboxLayout.PAYLOAD;
    return new MailboxMessage(
        fits ? kind : -1,
        remote,
        fits ? length : 0,
        words.getLong(),
        words.getLong(),
        fits ? memory.read(slot + MailboxLayout.PAYLOAD_AT, (int) length) : NOTHING);
  }
}
