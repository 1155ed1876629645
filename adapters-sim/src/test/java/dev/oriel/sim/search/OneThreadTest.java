package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A block's barriers around what one of its threads does: each that is missing is a race. */
class OneThreadTest {
  private static final String TEXT =
      """
      form by_hand
      scratch in[64]
      scratch box[64]
      scratch got[64]
      signal DATA[1]
      lane main: sm(64) {
        if r == 0 {
          move box@1[0] <- in[0] bytes 64
          BEFORE
          thread0 {
            FENCE
            signal DATA[0]@1 set 1 RELEASE
          }
        }
        if r == 1 {
          thread0 {
            await DATA[0]@0 reached 1 ACQUIRE
            FENCE
          }
          AFTER
          move got[0] <- box[0] bytes 64
        }
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          sync |           | release | acquire | sync | nothing
               |           | release | acquire | sync | race: a sync
          sync |           | release | acquire |      | race: a sync
          sync | order sys | relaxed | relaxed | sync | nothing
               | order sys | relaxed | relaxed | sync | race: a sync
          sync | order sys | relaxed | relaxed |      | race: a sync
          sync |           | relaxed | acquire | sync | race: release in place of relaxed
          sync |           | release | relaxed | sync | race: acquire in place of relaxed
          """)
  void aMissingBarrierIsNamed(
      String before, String fence, String release, String acquire, String after, String said) {
    String text =
        TEXT.replace("BEFORE", word(before))
            .replace("FENCE", word(fence))
            .replace("RELEASE", release)
            .replace("ACQUIRE", acquire)
            .replace("AFTER", word(after));
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    String found =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .check(program, topology)
            .violation()
            .map(v -> v.kind() + ": " + v.message().replaceAll("(?s).*smallest repair: ", ""))
            .orElse("nothing");
    assertThat(found).startsWith(said);
  }

  private static String word(String text) {
    return text == null ? "" : text;
  }
}
