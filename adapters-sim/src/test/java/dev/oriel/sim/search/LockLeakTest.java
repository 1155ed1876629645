package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock must be free when the last launch has ended, and only then. */
class LockLeakTest {
  private static final Budget BUDGET = new Budget(1, 20_000, 100_000, 100_000_000);

  private static String found(String body, String shape, int launches) {
    Topology topology = Topology.parse(shape);
    String text = "form held\nscratch w[16]\nlane main: sm(32) {\n%s\n}\n".formatted(body);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(Strategy.SYNCHRONISATION, BUDGET, 1, Checker.strict(Profile.L2, launches))
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aLockThatIsStillHeldIsFound(String shape) {
    String guarded = "if r == 1 {\n lock w@(0)[0]\n %s\n}";
    assertThat(found(guarded.formatted(""), shape, 1)).startsWith("leak: ").contains("byte=0");
    assertThat(found(guarded.formatted("unlock w@(0)[0]"), shape, 1)).isEqualTo("none");
    assertThat(found(guarded.formatted("unlock w@(0)[8]"), shape, 1))
        .startsWith("writers: lock released that no lane holds");
    // Another word of the buffer may hold any value.
    String beside = "unlock w@(0)[0]\n atomic w@(0)[8] set 5";
    assertThat(found(guarded.formatted(beside), shape, 1)).isEqualTo("none");
    // Held from one launch to the next, released in the last.
    String handed =
        "if r == 1 {\n if epoch == 1 {\n lock w@(0)[0]\n}\n if epoch == 2 {\n unlock w@(0)[0]\n}\n}";
    assertThat(found(handed, shape, 2)).isEqualTo("none");
    assertThat(found(handed, shape, 1)).startsWith("leak: ");
  }
}
