package dev.oriel.sim.testing;

/** A correct protocol and broken variants, for tests. */
public final class ReplayTexts {
  public static final String HANDSHAKE =
      """
      form handshake
      param B <= 4096
      input in[B]
      output out[B]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  /** Its second signal covers nothing. */
  public static final String RELAXED =
      HANDSHAKE.replace("DATA[0]@succ set epoch release", "DATA[0]@succ set epoch relaxed");

  /** It waits for a value that is never sent. */
  public static final String STUCK =
      HANDSHAKE.replace("DATA[0]@pred reached epoch", "DATA[0]@pred reached epoch + 1");

  private ReplayTexts() {}
}
