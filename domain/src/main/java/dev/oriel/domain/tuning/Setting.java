package dev.oriel.domain.tuning;

/**
 * How a rank serves a peer.
 *
 * @param blocks that share the bytes for the peer
 * @param warps of each block
 * @param chunk bytes of which a larger portion is dealt to warps
 */
public record Setting(int blocks, int warps, long chunk) {

  public Setting {
    if (blocks < 1 || warps < 1 || chunk < 1) {
      throw new IllegalArgumentException(
          "empty setting: blocks=%d, warps=%d, chunk=%d; use at least 1 of each"
              .formatted(blocks, warps, chunk));
    }
  }

  /** The threads of a block. */
  public int threads() {
    return 32 * warps;
  }
}
