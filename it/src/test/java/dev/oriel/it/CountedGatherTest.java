package dev.oriel.it;

import static dev.oriel.sim.testing.Explorer.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program in which GPUs count their puts, explored: the guarantees that it needs hold. */
final class CountedGatherTest {
  static Program program(String wait, Topology topology, long bytes) {
    try (var in = CountedGatherTest.class.getResourceAsStream("/counted_gather.oriel")) {
      byte[] text = Objects.requireNonNull(in).readAllBytes();
      String form = new String(text, StandardCharsets.UTF_8).replace("reached sent acquire", wait);
      return Program.bind(FormParser.parse(form), topology.world(), Map.of("B", bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Program program(Topology topology, long bytes) {
    return program("reached sent acquire", topology, bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "2x2"})
  void itHolds(String world) {
    Topology topology = Topology.parse(world);
    assertThat(assertHolds(program(topology, 16), topology)).isNotNull();
  }

  @Test
  void aWaitForOnePutFewerRacesWithItsFetch() {
    Topology topology = Topology.parse("2x1");
    Program early = program("reached sent - 1 acquire", topology, 16);
    assertThatThrownBy(() -> assertHolds(early, topology)).hasMessageContaining("buffer=stage");
  }
}
