package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only system scope reaches an agent that is no block of the rank's GPU. */
class HostScopeTest {
  private static final String TEXT =
      """
      form proxied
      scratch mine[8]
      scratch stage[8]
      scratch got[8]
      signal REQ[1]
      signal ACK[1]
      lane main: sm(32) {
        move stage[0] <- mine[0] bytes 8
        sync
        ORDER
        signal REQ[0]@r set 1 SIGNAL
        await ACK[0]@r reached 1 ANSWERED
        move stage[0] <- mine[0] bytes 8
      }
      lane proxy: ENGINE {
        await REQ[0]@r reached 1 AWAIT
        move got[0] <- stage[0] bytes 8
        signal ACK[0]@r set 1 ANSWER
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          host   |           | release     | acquire     | release     | acquire     | nothing
          host   |           | release gpu | acquire     | release     | acquire     | scope
          host   |           | release     | acquire gpu | release     | acquire     | scope
          host   |           | release     | acquire     | release gpu | acquire     | scope
          host   |           | release     | acquire     | release     | acquire gpu | scope
          host   | order sys | relaxed     | acquire     | release     | acquire     | nothing
          host   | order gpu | relaxed     | acquire     | release     | acquire     | race
          nic(0) |           | release gpu | acquire     | release     | acquire     | scope
          copy   |           | release gpu | acquire     | release     | acquire     | scope
          copy   |           | release     | acquire     | release     | acquire     | nothing
          host   |           | release     | acquire     | release     | relaxed order gpu | race
          host   |           | release     | acquire     | release     | relaxed order sc gpu | race
          host   |           | release     | acquire     | release     | relaxed order sys | nothing
          copy   |           | release     | acquire     | release     | relaxed order gpu | race
          nic(0) |           | release     | acquire     | release     | relaxed order gpu | race
          sm(32) |           | release     | acquire     | release     | relaxed order gpu | nothing
          sm(32) |           | release gpu | acquire gpu | release gpu | acquire gpu | nothing
          sm(32) | order gpu | relaxed     | acquire     | release     | acquire     | nothing
          sm(32) |           | release cta | acquire gpu | release gpu | acquire gpu | scope
          """)
  void aScopeReaches(
      String engine,
      String order,
      String signal,
      String await,
      String answer,
      String answered,
      String found) {
    String text =
        TEXT.replace("ENGINE", engine)
            .replace("ORDER", order == null ? "" : order)
            .replace("SIGNAL", signal)
            .replace("AWAIT", await)
            .replace("ANSWERED", answered)
            .replace("ANSWER", answer);
    assertThat(kind(text)).as(text).isEqualTo(found);
  }

  /** An addition by another block carries on what a block released by a narrow scope. */
  @ParameterizedTest
  @CsvSource({"host, release, race", "host, release gpu, scope", "sm(32), release gpu, nothing"})
  void aReleaseThatAnotherCarriesOnKeepsItsScope(String engine, String second, String found) {
    String text =
        """
        form carried
        scratch data[8]
        scratch got[8]
        signal FIRST[1]
        lane one: sm(32) {
          move data[0] <- got[0] bytes 8
          signal FIRST[0]@r add 1 release gpu
        }
        lane two: sm(32) {
          await FIRST[0]@r reached 1 relaxed
          signal FIRST[0]@r add 1 SECOND
        }
        lane reader: ENGINE {
          await FIRST[0]@r reached 2 acquire
          load x <- data[0]
        }
        """
            .replace("ENGINE", engine)
            .replace("SECOND", second);
    assertThat(kind(text)).isEqualTo(found);
  }

  /** A change by another agent between a release and its reader keeps both of their scopes. */
  @ParameterizedTest
  @CsvSource({
    "host, sm(1), acquire, nothing",
    "host, sm(1), relaxed order gpu, race",
    "host, sm(1), relaxed order sys, nothing",
    "sm(1), host, relaxed order gpu, nothing",
    "sm(1), host, acquire, nothing",
    "sm(1), sm(1), relaxed order gpu, nothing"
  })
  void whatAnotherChangesInBetween(String first, String second, String read, String found) {
    String text =
        """
        form between
        scratch data[8]
        scratch got[8]
        scratch flag[8]
        lane one: FIRST {
          move data[0] <- got[0] bytes 8
          store flag[0] <- 1 release
        }
        lane two: SECOND {
          wait flag[0] == 1 relaxed
          atomic flag@r[0] add 1
        }
        lane three: sm(32) {
          wait flag[0] == 2 READ
          load x <- data[0]
        }
        """
            .replace("FIRST", first)
            .replace("SECOND", second)
            .replace("READ", read);
    assertThat(kind(text)).isEqualTo(found);
  }

  private static String kind(String text) {
    Topology topology = Topology.parse("1x1");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
        .check(program, topology)
        .violation()
        .map(violation -> violation.kind())
        .orElse("nothing");
  }
}
