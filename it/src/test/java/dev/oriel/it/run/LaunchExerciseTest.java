package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.Program;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.ports.MachineException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** The random contents of a launch. */
class LaunchExerciseTest {
  private static Program gather(int world, long bytes) {
    return Program.bind(
        ProgramTexts.shipped(CommandSpec.create(), "copy-allgather"), world, Map.of("B", bytes));
  }

  /** GPU memory may exceed an array. */
  @Test
  void aBufferLargerThanAnArrayIsRejectedWithItsSize() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> LaunchExercise.draw(gather(4, 1 << 30), new SplittableRandom(1)))
        .withMessageContaining(
            "buffer is too large to be filled and checked: rank=0, buffer=out, bytes=4294967296, max=2147483639; ");
    assertThat(LaunchExercise.tooLarge(gather(2, 1 << 30))).isPresent();
    assertThat(LaunchExercise.tooLarge(gather(3, 1 << 29))).isEmpty();
    assertThat(LaunchExercise.draw(gather(2, 16), new SplittableRandom(1)).bytes(1, "out"))
        .hasSize(32);
  }
}
