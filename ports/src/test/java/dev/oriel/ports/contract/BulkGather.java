package dev.oriel.ports.contract;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;

/** An all-gather by bulk-copy units, over mapped memory. */
public enum BulkGather {
  /** Each rank puts its bytes into its peers' outputs. */
  PUSH("bulk out@p[r * B + o] <- in[o] bytes m"),
  /** Each rank fetches its peers' bytes. */
  PULL("bulk out[p * B + o] <- in@p[o] bytes m"),
  /** Threads stage the bytes that the units then push. */
  STAGED(
      """
      move mine[s] <- in[o] bytes m
          order bulk
          bulk out@p[r * B + o] <- mine[s] bytes m\
      """);

  private final String exchange;

  BulkGather(String exchange) {
    this.exchange = exchange;
  }

  /** Its parameter B is a multiple of 16. */
  public Form form() {
    return FormParser.parse(
        """
        form bulk_gather
        -- A lane of one warp for each part of what goes to a peer: its block's unit does the rest. No
        -- unit copies what is still read, or before its signal is seen: between the two stands an
        -- order bulk. The copy has ended before the peer is signalled.
        param B <= 268435456                      -- bytes that each rank contributes
        let K = min(32, max(2, ceil(B, 32768)))   -- lanes to each peer
        let C = 16 * ceil(ceil(B, 16), K)         -- bytes that a lane carries
        input in[B]
        output out[n * B]
        scratch mine[max(1, n - 1) * K * C]
        signal READY[K]
        signal DATA[K]
        ensure each p in all: out[p * B] = in@p[0] bytes B

        lane unit(q < max(1, n - 1), b < K): sm(32) {
          let p = (r + 1 + q) % n
          let o = min(b * C, B)
          let m = min(C, B - o)
          let s = (q * K + b) * C
          if n > 1 {
            signal READY[b]@p set epoch release
          }
          if q == 0 {
            bulk out[r * B + o] <- in[o] bytes m
          }
          if n > 1 {
            await READY[b]@p reached epoch acquire
            order bulk
            EXCHANGE
          }
          await bulk
          if n > 1 {
            signal DATA[b]@p set epoch release
            await DATA[b]@p reached epoch acquire
          }
        }
        """
            .replace("EXCHANGE", exchange));
  }
}
