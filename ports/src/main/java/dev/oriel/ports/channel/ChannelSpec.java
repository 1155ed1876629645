package dev.oriel.ports.channel;

/**
 * The shape of a channel from one rank to another, the same at both ends and for ever: another tile
 * size for some call would overwrite tiles that are not yet drained. No two channels of a window
 * share slots or a counter; a later one may have the memory of an earlier one behind a barrier.
 *
 * @param base where the ring begins in the receiver's part of the window, a multiple of {@link
 *     Mode#unit}
 * @param tile bytes that are sent and credited at once, a multiple of 16
 * @param depth how many tiles the ring has
 * @param data the signal slot in which the sender tells what has arrived, and what it is
 * @param free the signal slot in which the receiver tells what was drained, and what it is
 * @param drained the counter of the sender for sources that may be overwritten
 * @param before bytes that count as gone through the ring before the first message, unsigned, a
 *     multiple of 16: cursors and flags begin there, so that one can try what they do where they
 *     wrap
 */
public record ChannelSpec(
    long base, int tile, int depth, int data, int free, int drained, Mode mode, long before) {
  /** Cursors move by multiples of this; what is left of it behind a message is never written. */
  static final int QUANTUM = 16;

  public ChannelSpec {
    if (base < 0
        || base % mode.unit() != 0
        || tile < QUANTUM
        || tile % QUANTUM != 0
        || depth < 1
        || before % QUANTUM != 0) {
      throw new IllegalArgumentException(
          "bad channel: mode=%s, base=%d, tile=%d, depth=%d, before=%d; base is a multiple of %d, tile and before of %d, depth is at least 1"
              .formatted(mode, base, tile, depth, before, mode.unit(), QUANTUM));
    }
  }

  /** A channel of plain bytes. */
  public ChannelSpec(long base, int tile, int depth, int data, int free, int drained) {
    this(base, tile, depth, data, free, drained, Mode.SIMPLE, 0);
  }

  /** The same in another mode, whose ring takes other {@link #bytes}. */
  public ChannelSpec in(Mode other) {
    return new ChannelSpec(base, tile, depth, data, free, drained, other, before);
  }

  /** The same as if so many bytes had gone through the ring before. */
  public ChannelSpec after(long bytes) {
    return new ChannelSpec(base, tile, depth, data, free, drained, mode, bytes);
  }

  /**
   * The channel of one of several lanes: its ring lies behind those of the lanes before, and its
   * slots and its counter have the ids behind theirs.
   */
  ChannelSpec lane(int number) {
    return new ChannelSpec(
        base + number * bytes(),
        tile,
        depth,
        data + number,
        free + number,
        drained + number,
        mode,
        before);
  }

  /** Bytes of the ring. */
  public long bytes() {
    return mode.image(tile) * depth;
  }

  /**
   * What an end that does this to its messages adds to its slot when it is made: a digest of all
   * that the two have to agree on. It is odd to the cursors, so the slot is never 0 again, and
   * tells the mode whatever was sent since.
   */
  long opening(CopyOp op, String share) {
    String told =
        "%d %d %d %d %d %d %s %d %s %s"
            .formatted(base, tile, depth, data, free, drained, mode, before, op, share);
    long digest = 0xCBF2_9CE4_8422_2325L;
    for (int i = 0; i < told.length(); i++) {
      digest = (digest ^ told.charAt(i)) * 0x100_0000_01B3L;
    }
    return digest * QUANTUM + mode.code() + before;
  }
}
