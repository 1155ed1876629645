package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reading a packet orders the next write of its own place and nothing else. The all-gather by
 * packets holds, and each edit that relies on more is found, on every machine.
 */
class PacketsTest {
  private static final Budget BUDGET = new Budget(20, 200_000, 100_000, 2_000_000_000);
  private static final String BOTH_PARITIES = "(epoch & 1) * n";
  private static final String FLAG = "nz32(epoch)";
  private static final String EVERY_PEER = "each p in peers {\n    move out[p";
  private static final String ONE_OF_TWO = "each p in @((r + 1) % n) {\n    move out[p";

  private static Optional<Verdict.Violation> violation(
      String world, String profile, String old, String becomes) {
    Form form =
        old.isEmpty()
            ? ShippedPrograms.edited("ll_all_gather", ShippedPrograms.LANES, "let K = 2")
            : ShippedPrograms.edited("ll_all_gather", old, becomes);
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), Map.of("B", 9L));
    return new Checker(
            Strategy.SYNCHRONISATION, BUDGET, 1, Checker.strict(Profile.parse(profile), 4))
        .check(program, topology)
        .violation();
  }

  @ParameterizedTest
  @CsvSource({"2x1, L1", "2x1, L2", "2x1, L3", "2x2, L3", "3x1, L3", "2x1, rdma-strict"})
  void holdsAndEveryEditIsFound(String world, String profile) {
    assertThat(violation(world, profile, "", "")).isEmpty();
    assertThat(violation(world, profile, BOTH_PARITIES, "0 * n")).as("one parity").isPresent();
    assertThat(violation(world, profile, FLAG, "1")).as("a flag for ever").isPresent();
    if (!world.equals("2x1")) {
      assertThat(violation(world, profile, EVERY_PEER, ONE_OF_TWO))
          .as("packets of one peer stay untaken")
          .isPresent();
    }
  }
}
