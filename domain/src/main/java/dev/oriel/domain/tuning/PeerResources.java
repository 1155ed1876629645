package dev.oriel.domain.tuning;

/**
 * The resources with which a rank serves a peer.
 *
 * @param blocks that share the bytes for the peer
 * @param warps of each block
 * @param chunk the size in bytes of the pieces that warps get of a larger portion
 */
public record PeerResources(int blocks, int warps, long chunk) {

  public PeerResources {
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
