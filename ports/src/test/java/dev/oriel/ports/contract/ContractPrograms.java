package dev.oriel.ports.contract;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;

/** Small programs that end in every way in which a launch can end. */
final class ContractPrograms {
  /** Every wait has its signal, but the odd ranks await a value that is never written. */
  private static final String WAITS_FOR_EVER =
      """
      form waits_for_ever
      signal S[1]
      lane main: sm(32) {
        signal S[0]@((r + 1) % n) set 1 release
        await S[0]@((r - 1) % n) >= 1 + r % 2 acquire
      }
      """;

  /** Neighbours take turns; a trillion of them outlive every test. */
  private static final String TAKES_TURNS =
      """
      form takes_turns
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

  /** A lane that touches nothing and would end after some years. */
  private static final String COUNTS =
      """
      form counts
      param N <= 1000000000000
      lane main: sm(32) {
        state turn step 1
        for t < N {
          set turn = turn + 1
        }
      }
      """;

  /** The first word of the input may be at most 100, and not 13. */
  private static final String CHECKS =
      """
      form checks
      input in[16]
      output out[16]
      signal S[1]
      ensure out[0] = in[0] bytes 16
      lane main: sm(32) {
        load c <- in[0] <= 100 else 7
        check c != 13 else 9
        move out[0] <- in[0] bytes 16
        signal S[0]@((r + 1) % n) set epoch release
        await S[0]@((r - 1) % n) reached epoch acquire
      }
      """;

  /** The check fails for every input. */
  private static final String FAILS =
      """
      form fails
      input in[16]
      lane main: sm(32) {
        load c <- in[0] width 8
        check c != c else 7
      }
      """;

  private ContractPrograms() {}

  static Program waitsForEver(int world) {
    return bind(WAITS_FOR_EVER, world);
  }

  static Program takesTurns(int world) {
    return bind(TAKES_TURNS, world);
  }

  static Program counts(int world) {
    return bind(COUNTS, world);
  }

  static Program checks(int world) {
    return bind(CHECKS, world);
  }

  static Program fails(int world) {
    return bind(FAILS, world);
  }

  private static Program bind(String text, int world) {
    return Program.bind(FormParser.parse(text), world, Map.of());
  }
}
