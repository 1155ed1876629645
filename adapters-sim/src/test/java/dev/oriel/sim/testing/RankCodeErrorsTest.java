package dev.oriel.sim.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.sim.ranks.RankCode;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.replay.ReplayToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ExplorerExtension.class)
class RankCodeErrorsTest {

  private static RankCodeExploration exploration(RankCode code) {
    WindowSpec box = WindowSpec.named("box").withData(DataSizes.uniform(16)).withSignals(2);
    return RankCodeExploration.of(
        "box", box, Topology.parse("2x1"), Thread::startVirtualThread, code);
  }

  /** Signals before its put. */
  private static final RankCode WRONG =
      (window, rank) -> {
        if (rank == 0) {
          window.signal(1, 0, 1);
          window.put(1, 0, 8, 8);
        } else {
          window.await(0, 0, Comparison.GE, 1, Duration.ofSeconds(1));
          window.read(0, 8);
        }
      };

  @Test
  void aFailureNamesTokenTableAndPicture(@TempDir Path folder) throws IOException {
    Explorer explorer = Explorer.standard().withPictures(folder);
    ProtocolError error =
        catchThrowableOfType(
            ProtocolError.class, () -> explorer.assertThatHolds(exploration(WRONG)));
    assertThat(error)
        .hasMessageStartingWith("box: race: ")
        .hasMessageContaining(error.token())
        .hasMessageContaining("r0.main")
        .hasMessageContaining("at RankCodeErrorsTest.java:")
        .hasMessageContaining(error.picture().toString());
    assertThat(Files.readString(error.picture())).startsWith("<!DOCTYPE html>");
    assertThat(exploration(WRONG).replay(ReplayToken.parse(error.token())).finding())
        .get()
        .extracting(f -> f.kind().word())
        .isEqualTo("race");
  }

  /** Including a name that would end a line of the generated form. */
  @ParameterizedTest
  @ValueSource(strings = {"2pc", "two pc", "", "box\nparam P <= 3"})
  void anInvalidFormNameIsNamed(String name) {
    WindowSpec spec = WindowSpec.named("w").withSignals(1);
    RankCodeExploration named =
        RankCodeExploration.of(
            name, spec, Topology.parse("1x2"), Thread::startVirtualThread, (window, rank) -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(named::check)
        .withMessageStartingWith("not a form name: form=")
        .withMessageEndingWith("no digit first");
  }

  @Test
  void nondeterministicCodeHasNoTokenAndAReason(Explorer explorer) {
    AtomicInteger executions = new AtomicInteger();
    RankCodeExploration varies =
        exploration((window, rank) -> {
          if (rank == 0) {
            window.signal(1, executions.getAndIncrement() % 2, 1);
          }
        });
    ProtocolError error =
        catchThrowableOfType(ProtocolError.class, () -> explorer.assertThatHolds(varies));
    assertThat(error).hasMessageStartingWith("box: varies: ");
    assertThat(error.token()).isEmpty();
    assertThat(error).hasMessageContaining("no token repeats code that varies");
  }
}
