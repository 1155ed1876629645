package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that GPUs run as persistent calls. */
class PersistentFormsTest {
  private static final Budget BUDGET = new Budget(30, 4_000, 100_000, 2_000_000_000L);

  private static String text(String name) throws IOException {
    try (InputStream in = Form.class.getResourceAsStream("/persistent/" + name + ".oriel")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Verdict checked(String text, String world, Strategy strategy, long bytes) {
    Topology topology = Topology.parse(world);
    Program program =
        Program.bind(
            FormParser.parse(text), topology.world(), Map.of("B", bytes, "K", 2L, "S", 0L));
    return new Checker(strategy, BUDGET, 1, Checker.strict(Profile.L2, 3)).check(program, topology);
  }

  @ParameterizedTest
  @ValueSource(strings = {"all_gather", "all_to_all"})
  void hold(String name) throws IOException {
    for (String world : List.of("1x1", "1x2", "1x3")) {
      for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.POS)) {
        for (long bytes : new long[] {0, 20}) {
          assertThat(checked(text(name), world, strategy, bytes).violation())
              .as("%s %s %d", world, strategy, bytes)
              .isEmpty();
        }
      }
    }
  }

  /** The places of READY and DATA, the waits for them, and the owner of a share. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all_gather|await READY[b]@p reached epoch acquire|",
        "all_to_all|await READY[b]@p reached epoch acquire|",
        "all_gather|await DATA[b]@p reached epoch acquire|",
        "all_to_all|await DATA[b]@p reached epoch acquire|",
        "all_gather|out@p[r * B + o] <- in[o]|out@p[p * B + o] <- in[o]",
        "all_to_all|out@p[r * B + o] <- in[p * B + o]|out@p[r * B + o] <- in[r * B + o]",
        "all_gather|await DATA[b]@p reached epoch|await DATA[b]@p reached 1",
        "all_to_all|await READY[b]@p reached epoch|await READY[b]@p reached 1"
      })
  void everyEditIsFound(String name, String part, String instead) throws IOException {
    String broken = text(name).replace(part, instead == null ? "" : instead);
    assertThat(broken).isNotEqualTo(text(name));
    assertThat(checked(broken, "1x2", Strategy.POS, 20).violation()).isPresent();
  }
}
