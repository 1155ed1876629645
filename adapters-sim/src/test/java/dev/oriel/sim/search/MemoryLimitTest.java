package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A search that may keep few states says so, with figures. */
class MemoryLimitTest {
  private static final long KIB = 1024;

  private static Report search(Form form, String world, long memory) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 8, 0));
    Budget budget = new Budget(1, 20_000, 1_000_000, 100_000_000, memory);
    return new Checker(Strategy.FULL, budget, 1, Checker.strict(Profile.L2, 1))
        .explore(program, topology);
  }

  private static List<String> bounds(long memory) {
    return search(ShippedPrograms.form("ring_all_gather"), "1x2", memory).verdict().bounds();
  }

  @Test
  void whatMemoryCutsIsABoundWithFigures() {
    assertThat(bounds(16 * KIB))
        .singleElement()
        .asString()
        .startsWith("full: stopped at states=")
        .contains("memory that kept states may take");
    assertThat(bounds(1 << 30)).noneMatch(bound -> bound.contains("memory"));
  }
}
