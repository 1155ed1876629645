package dev.oriel.ibverbs.device;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;

/** Neighbours take turns, for longer than any test lasts. */
final class Turns {
  static final long FOR_EVER = 1_000_000_000_000L;

  private static final String TEXT =
      """
      form turns
      param N <= 1000000000000
      signal S[1]
      lane main: sm(32) {
        state turn step 1
        for t < N {
          signal S[0]@((r + 1) % n) set turn + 1 release
          await S[0]@((r - 1) % n) reached turn + 1 acquire
          set turn = turn + 1
        }
      }
      """;

  private Turns() {}

  static Form form() {
    return FormParser.parse(TEXT);
  }
}
