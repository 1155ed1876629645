package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** An accepted program never leaves its memory, for any states, epochs and words. */
class SoundnessProperties {
  private static final int EXECUTIONS = 12;

  @Provide
  Arbitrary<List<Integer>> tapes() {
    return Arbitraries.integers().between(0, 9_999).list().ofMinSize(10).ofMaxSize(120);
  }

  @Property(tries = 4_000)
  @Sampled(every = 10)
  void anAcceptedProgramStaysInsideItsMemory(
      @ForAll("tapes") List<Integer> tape,
      @ForAll @IntRange(min = 1, max = 4) int world,
      @ForAll long seed) {
    Form form = SmallPrograms.form(tape);
    Program program;
    try {
      program = Program.bind(form, world, Map.of());
    } catch (ProgramException refused) {
      assertThat(refused.getMessage()).contains("rank=").contains(", operation=").contains("; ");
      return;
    }
    Random random = new Random(seed);
    try {
      for (int i = 0; i < EXECUTIONS; i++) {
        BruteForce.run(program, random);
      }
    } catch (BruteForce.Violation violation) {
      fail(violation.getMessage() + "\n" + FormPrinter.print(form));
    }
  }
}
