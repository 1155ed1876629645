package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.SameExecutions;
import dev.oriel.sim.machine.SameExecutions.Comparison;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clocks that share their common parts are equal to flat clocks: the same programs on the same
 * schedules have the same states and findings.
 */
class SharedClockTableTest {
  /** For each shape; {@code -Doriel.rows=2500} selects more. */
  private static final int PROGRAMS = Integer.getInteger("oriel.rows", Thorough.count(12, 60));

  private static final int SEEDS = 300;
  private static final List<String> SHAPES = List.of("2x1", "1x2", "3x1", "1x3");
  private static final List<String> PROFILES =
      List.of("L2", "L3", "rdma-strict", "L1", "L0", "L2,proxy=1");

  static List<EngineMutant> mutants() {
    return ClockTableMutants.ALL;
  }

  static List<String> shipped() {
    return ShippedPrograms.all();
  }

  @Test
  void randomProgramsHaveTheSameStatesAndFindings() {
    int programs = 0;
    int findings = 0;
    long steps = 0;
    for (String shape : SHAPES) {
      Topology topology = Topology.parse(shape);
      for (int seed = 0; seed < PROGRAMS; seed++) {
        String text = PlainPrograms.text(seed, topology.world(), shape.charAt(0) > '1');
        Profile profile = Profile.parse(PROFILES.get(seed % PROFILES.size()));
        DetectorSet detectors = seed % 4 == 0 ? DetectorSet.VALUES : DetectorSet.ALL;
        try {
          Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
          Comparison same =
              compare(new SameExecutions(6, 4), program, topology, profile, detectors);
          assertThat(same.difference()).as("%s %s%n%s", shape, profile, text).isEmpty();
          programs++;
          findings += same.findings();
          steps += same.steps();
        } catch (ProgramException e) {
          // It cannot be bound: another is drawn.
        }
      }
    }
    System.out.printf(
        "clocks shared and flat: programs=%d, findings=%d, steps=%d%n", programs, findings, steps);
    assertThat(programs).isGreaterThan(PROGRAMS * 3);
    assertThat(findings).isGreaterThan(programs);
  }

  @ParameterizedTest
  @MethodSource("shipped")
  @Sampled(every = 10)
  void shippedProgramsHaveTheSameStatesAndFindings(String name) {
    boolean mapped =
        ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name);
    Topology topology = Topology.parse(mapped ? "1x4" : "2x2");
    Program program =
        Program.bind(
            ShippedPrograms.form(name),
            4,
            ShippedPrograms.params(ShippedPrograms.form(name), 4, 1));
    Comparison same =
        compare(new SameExecutions(1, 6), program, topology, Profile.L2, DetectorSet.ALL);
    assertThat(same.difference()).isEmpty();
    assertThat(same.findings()).isZero();
  }

  private static Comparison compare(
      SameExecutions executions,
      Program program,
      Topology topology,
      Profile profile,
      DetectorSet detectors) {
    var lowered = FormLowering.lower(program.form(), topology.kinds());
    return executions.compare(program, topology, lowered, profile, detectors);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.ROWS, mutant);
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> differs(changed, seed))).isTrue();
  }

  private static boolean differs(UnaryOperator<String> changed, long seed) {
    try {
      return !changed.apply(Long.toString(seed)).isEmpty();
    } catch (RuntimeException e) {
      return true;
    }
  }
}
