package dev.oriel.ibverbs.queue;

/**
 * Where a rank's mailboxes lie in its memory of the host, as byte offsets. For each peer there are
 * slots for messages that arrive, and as many where messages to it are put together.
 *
 * <pre>
 *   slot   0 number | 8 kind | 16 remote | 24 length | 32 value | 40 compare | 64 payload
 * </pre>
 *
 * <p>The number is written last: a slot whose number is the expected one holds a whole message.
 */
final class MailboxLayout {
  /** The messages of one direction that may be under way to a peer. */
  static final int SLOTS = 8;

  /** The most bytes that one message carries. */
  static final int PAYLOAD = 64 << 10;

  /** The offset of all words but the number. */
  static final int WORDS = Long.BYTES;

  /** The number of these words. */
  static final int WORD_COUNT = 5;

  /** The offset of the payload in a slot. */
  static final int PAYLOAD_AT = 64;

  private static final int SLOT = PAYLOAD_AT + PAYLOAD;

  /** The slots of a peer that are used for one purpose. */
  enum Box {
    REQUESTS_IN,
    ANSWERS_IN,
    REQUESTS_OUT,
    ANSWERS_OUT
  }

  private static final int BOXES = Box.values().length;

  private MailboxLayout() {}

  /** The bytes of a rank's mailboxes. */
  static long bytes(int world) {
    return (long) world * BOXES * SLOTS * SLOT;
  }

  /** The offset of the slot for the message of that number, counted from 1. */
  static long slot(int peer, Box box, long number) {
    long index =
        switch (box) {
          case REQUESTS_IN -> 0;
          case ANSWERS_IN -> 1;
          case REQUESTS_OUT -> 2;
          case ANSWERS_OUT -> 3;
        };
    return (((long) peer * BOXES + index) * SLOTS + (number - 1) % SLOTS) * SLOT;
  }
}
