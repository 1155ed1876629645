package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A recalled step has the same effect as an executed one. */
class StepMemoTest {
  private static final int ALL = 25;
  private static final int PROGRAMS = Thorough.count(8, ALL);
  private static final List<String> SHAPES = List.of("2x1", "1x2", "3x1", "1x3");
  private static final List<String> PROFILES = List.of("L2", "L3", "rdma-strict", "L1");

  /** Shapes that random programs seldom or never have. */
  private static final List<String> MORE =
      List.of(
          """
          2x1 L2
          form checked
          signal S[1]
          lane main: host {
            signal S[0]@((r + 1) % n) set epoch release
            read x <- S[0]@((r - 1) % n) acquire
            check x == epoch else 7
          }
          """,
          """
          3x1 L2
          form fenced
          input in[8]
          scratch box[8 * n]
          signal DATA[1]
          lane main: host {
            for s < 2 {
              move box@((r + 1) % n)[s * 8] <- in[0] bytes 8
              order sys
              signal DATA[0]@((r + 1) % n) set epoch * 2 + s relaxed
              await DATA[0]@((r - 1) % n) reached epoch * 2 + s acquire
            }
            flush @((r + 1) % n) local
          }
          """,
          """
          1x2 L2
          form packets
          input in[8]
          output out[8]
          scratch ll[64]
          scratch free[8]
          ensure out[0] = in@((r + 1) % n)[0] bytes 8
          signal TAKEN[1]
          lane main: sm(32) {
            let half = (epoch & 1) * 32
            move ll@peers[half] pkt16(nz32(epoch)) <- in[0] bytes 8
            move out[0] <- ll[half] pkt16(nz32(epoch)) bytes 8
            sync
            signal TAKEN[0]@peers set epoch release
            await TAKEN[0]@peers reached epoch acquire
            move ll@peers[half] pkt16(5) <- in[0] bytes 8
          }
          """,
          """
          2x1 L2
          form told
          signal S[1]
          signal T[1]
          lane main: host {
            signal S[0]@((r + 1) % n) set epoch release
            read x <- S[0]@((r - 1) % n) acquire
            signal T[0]@((r + 1) % n) set x + 1 release
          }
          """,
          """
          1x2 L2
          form carried
          input in[16]
          output out[16]
          signal S[1]
          ensure out[0] = in[0] bytes 16
          lane main(i < 2): host {
            load x <- in[8 * i] <= 1 else 7
            signal S[0]@((r + 1) % n) set epoch release
            await S[0]@((r - 1) % n) reached epoch acquire
            store out[8 * i] <- x
          }
          """,
          """
          2x1 L3
          form loose
          scratch mine[8]
          scratch box[48]
          signal N[1]
          lane main: host {
            for s < 3 {
              put box@((r + 1) % n)[s * 8 + (epoch & 1) * 24] <- mine[0] bytes 8 notify N[0] add s + epoch nb
            }
            quiet
          }
          """);

  private static final Witnesses WITNESSES = new Witnesses("recall", programs(ALL));

  /** Random programs by shape and profile; for some it is unknown what their steps touch. */
  static List<String> programs(int count) {
    List<String> programs = new ArrayList<>(MORE);
    for (String shape : SHAPES) {
      int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
      for (long seed = 0; seed < (long) count * PROFILES.size(); seed++) {
        String text = PlainPrograms.text(seed, world, shape.charAt(0) > '1');
        String profile = PROFILES.get((int) seed % PROFILES.size());
        programs.add(shape + " " + profile + "\n" + text);
      }
    }
    return programs;
  }

  static List<EngineMutant> mutants() {
    return StepMemoMutants.ALL;
  }

  @AfterAll
  static void write() {
    WITNESSES.write();
  }

  @Test
  void recalledStepsMatchExecutedSteps() {
    long recalled = 0;
    int programs = 0;
    for (String program : programs(PROGRAMS)) {
      try {
        StepMemoComparison.Comparison comparison = StepMemoComparison.compare(program);
        assertThat(comparison.difference()).as(program).isEmpty();
        recalled += comparison.recalled();
        programs += comparison.recalled() > 0 ? 1 : 0;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    System.out.printf("recalled: programs=%d, steps=%d%n", programs, recalled);
    assertThat(programs).isGreaterThan(PROGRAMS * SHAPES.size());
    assertThat(recalled).isGreaterThan(100L * programs);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.RECALL, mutant);
    assertThat(WITNESSES.any(mutant, program -> MutantLoader.differs(changed, program))).isTrue();
  }
}
