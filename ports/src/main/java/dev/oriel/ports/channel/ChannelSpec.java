package dev.oriel.ports.channel;

/**
 * The shape of a channel from one rank to another, equal at both ends and never changed: another
 * tile size for one call would overwrite tiles that are not yet drained. No two channels of a
 * window share slots or a counter; a later one may use the memory of an earlier one after a
 * barrier.
 *
 * @param base the offset of the ring in the receiver's part of the window, a multiple of {@link
 *     ChannelMode#unit}
 * @param tile bytes that are sent and credited in one step, a multiple of 16
 * @param depth how many tiles the ring has
 * @param data the signal slot in which the sender announces itself and counts the bytes that have
 *     arrived
 * @param free the signal slot in which the receiver announces itself and counts the bytes that it
 *     has drained
 * @param drained the counter of the sender for sources that may be overwritten
 * @param before bytes that count as gone through the ring before the first message, unsigned, a
 *     multiple of 16: cursors and flags begin there, which lets a test start just before they wrap
 */
public record ChannelSpec(
    long base,
    int tile,
    int depth,
    int data,
    int free,
    int drained,
    ChannelMode mode,
    long before) {
  /** Cursors move by multiples of this; the rest of the last one of a message is never written. */
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
    this(base, tile, depth, data, free, drained, ChannelMode.SIMPLE, 0);
  }

  /** The same in another mode, whose ring takes other {@link #bytes}. */
  public ChannelSpec in(ChannelMode other) {
    return new ChannelSpec(base, tile, depth, data, free, drained, other, before);
  }

  /** The same as if {@code bytes} bytes had already gone through the ring. */
  public ChannelSpec after(long bytes) {
    return new ChannelSpec(base, tile, depth, data, free, drained, mode, bytes);
  }

  /**
   * The channel of one of several lanes: its ring lies after those of the lanes before it, and its
   * slots and counter have the ids after theirs.
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
   * The value that an end with this operation adds to its slot when it is created: a digest of
   * everything that the two ends must agree on. Its low bits hold the mode, where cursors have
   * none; the slot is therefore never 0 again, and shows the mode after any number of bytes.
   */
  long opening(CopyOp op, String share) {
    String parameters =
        "%d %d %d %d %d %d %s %d %s %s"
            .formatted(base, tile, depth, data, free, drained, mode, before, op, share);
    long digest = 0xCBF2_9CE4_8422_2325L;
    for (int i = 0; i < parameters.length(); i++) {
      digest = (digest ^ parameters.charAt(i)) * 0x100_0000_01B3L;
    }
    return digest * QUANTUM + mode.code() + before;
  }
}
