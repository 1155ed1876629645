package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that a lane might execute too early is a bound of the verdict, and nothing else is. */
class LoadBufferingTest {
  private static final String HEAD =
      """
      form pairs
      scratch win[32]
      scratch own[8]
      signal S[1]

      lane main: sm(32) {
        let p = 1 - r
        load o <- own[0]
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read x <- S[0]@p relaxed signal S[0]@p set 1 relaxed",
        "load x <- win[0] relaxed atomic win@p[0] set 1",
        "atomic own[0] <- win@p[0] add 1 store win[0] <- 1 relaxed",
        "read x <- S[0]@p relaxed for t < 2 { signal S[0]@p set t relaxed }",
        // The signal's value depends on another read.
        "read x <- S[0]@p relaxed read y <- S[0]@p relaxed signal S[0]@p set x relaxed",
        // Release without acquire orders nothing, nor does acquire without release.
        "read x <- S[0]@p relaxed signal S[0]@p set 1 release",
        "read x <- S[0]@p acquire signal S[0]@p set 1 relaxed",
        "load x <- win[0] acquire atomic win@p[0] set 1",
        // A fence or an order whose scope excludes the other GPU.
        "read x <- S[0]@p relaxed order gpu signal S[0]@p set 1 relaxed",
        "atomic win@p[8] add 1 order sys read x <- S[0]@p relaxed signal S[0]@p set 1 relaxed",
        // One of two paths is enough.
        "read x <- S[0]@p relaxed if o == 0 { order sys } signal S[0]@p set 1 relaxed",
      })
  void anIndependentStoreIsNamed(String body) {
    CheckReport report = checked(body, "L2");
    assertThat(report.verdict().bounds())
        .singleElement()
        .asString()
        .startsWith("load buffering: rank=0, lane=main: a GPU may execute '");
    // A part of a campaign reports it as well, since a merge sees only the parts.
    assertThat(report.parts().getFirst().bounds()).isEqualTo(report.verdict().bounds());
    assertThat(checked(body, "L0").verdict().bounds()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read x <- S[0]@p acquire signal S[0]@p set 1 release",
        "read x <- S[0]@p relaxed order sys signal S[0]@p set 1 relaxed",
        "read x <- S[0]@p relaxed order sys signal S[0]@p set 1 release",
        // No other agent reads the stored value.
        "load x <- win[0] relaxed store win[8] <- 1 relaxed",
        "read x <- S[0]@p relaxed atomic win@p[8] add 1",
        "read x <- S[0]@p relaxed signal S[0]@p set x + 1 relaxed",
        "read x <- S[0]@p relaxed let y = x + 1 signal S[0]@p set y relaxed",
        "read x <- S[0]@p relaxed if x == 0 { signal S[0]@p set 1 relaxed }",
        "read x <- S[0]@p relaxed store own[0] <- x load y <- own[0] signal S[0]@p set y relaxed",
        "atomic own[0] <- win@p[0] add 1 load y <- own[0] signal S[0]@p set y relaxed",
        "read x <- S[0]@p relaxed wait win[0] >= x relaxed signal S[0]@p set 1 relaxed",
        "load x <- win[8] relaxed store win[8] <- 1 relaxed",
        "if r == 0 { read x <- S[0]@p relaxed } if r == 1 { signal S[0]@p set 1 relaxed }",
        "await S[0]@p reached 0 relaxed signal S[0]@p set 1 relaxed",
        "signal S[0]@p set 1 relaxed read x <- S[0]@p relaxed",
      })
  void dependentAndOrderedStoresAreNotNamed(String body) {
    assertThat(checked(body, "L2").verdict().bounds()).isEmpty();
  }

  private static CheckReport checked(String body, String profile) {
    Program program = Program.bind(FormParser.parse(HEAD + body + "\n}\n"), 2, Map.of());
    return new Checker(
            Strategy.SYNCHRONISATION,
            new Budget(1000, 100_000, 100_000, Long.MAX_VALUE),
            1,
            Checker.strict(Profile.parse(profile), 1))
        .explore(program, Topology.parse("1x2"));
  }
}
