package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Post-conditions of bytes that stay as they are, and of scratch memory. */
class KeptBytesTest {
  private static final String HANDSHAKE =
      """
      form f
      input in[16]
      output out[32]
      scratch s[32]
      signal S[2]
      ensure out[0] = in@((r - 1) % n)[0] bytes 16
      ENSURE
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal S[1]@pred set epoch release
        await S[1]@succ reached epoch acquire
        move out@succ[0] <- in[0] bytes 16
        BEFORE
        signal S[0]@succ set epoch release
        await S[0]@pred reached epoch acquire
        AFTER
      }
      """;

  private static String found(Strategy strategy, String ensure, String before, String after) {
    Form form =
        FormParser.parse(
            HANDSHAKE.replace("ENSURE", ensure).replace("BEFORE", before).replace("AFTER", after));
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(form, topology.world(), Map.of());
    Verdict verdict =
        new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 2))
            .check(program, topology);
    return verdict.violation().map(v -> v.kind() + ": " + v.message()).orElse("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Outputs.
        "ensure out[16] = out[16] bytes 16 | '' | '' | none",
        "ensure out[16] = out[16] bytes 16 | move out@succ[16] <- in[0] bytes 1 | '' | value: wrong byte: rank=0, launch=1, buffer=out, offset=16,",
        "ensure out[16] = out[16] bytes 16 | '' | move out[31] <- in[0] bytes 1 | value: wrong byte: rank=0, launch=1, buffer=out, offset=31,",
        "ensure out[16] = out[16] bytes 16 | '' | move out@succ[16] <- in[0] bytes 1 | race: ",
        // Scratch memory, which no caller fills.
        "ensure s[8] = s[8] bytes 8 | '' | '' | none",
        "ensure s[8] = s[8] bytes 8 | move s@succ[16] <- in[0] bytes 16 | '' | none",
        "ensure s[8] = s[8] bytes 8 | move s@succ[15] <- in[0] bytes 2 | '' | value: wrong byte: rank=0, launch=1, buffer=s, offset=15,",
        "ensure s[8] = s[8] bytes 8 | '' | move s@succ[8] <- in[0] bytes 1 | race: ",
        "ensure s[0] = in@((r - 1) % n)[0] bytes 8 | move s@succ[0] <- in[0] bytes 8 | '' | none",
        "ensure s[0] = in@((r - 1) % n)[0] bytes 8 | move s@succ[0] <- in[0] bytes 7 | '' | value: wrong byte: rank=0, launch=1, buffer=s, offset=7,",
        "ensure s[0] = in@((r - 1) % n)[0] bytes 8 | '' | move s@succ[0] <- in[0] bytes 8 | race: "
      })
  void theVerdictFollowsTheText(String ensure, String before, String after, String expected) {
    for (Strategy strategy : new Strategy[] {Strategy.SYNCHRONISATION, Strategy.FULL}) {
      assertThat(found(strategy, ensure, before, after)).as("%s", strategy).startsWith(expected);
    }
  }
}
