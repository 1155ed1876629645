package dev.oriel.cuda.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** A stress run finds nothing in a correct run, and finds each error at its place; needs GPUs. */
class RecordedStressRunTest {
  private static final int B = 4099;
  private static final int SHEETS = 3;
  private static final int CALLS = 25;
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofNanos(20_000);
  private static final byte POISON = (byte) 0xA5;

  private static final String COPY =
      """
      form copies
      param B <= 1048576
      input in[B]
      output out[B]
      lane main: sm(256) {
        move out[0] <- in[0] bytes %s
      }
      """;

  /**
   * Without an await of READY, a rank's output is written before it is poisoned, or compared too
   * early.
   */
  private static final String GATHER =
      """
      form gathers
      param B <= 1048576
      input in[B]
      output out[n * B]
      signal READY[1]
      signal DATA[1]
      lane push(q < n - 1): sm(256) {
        let p = (r + 1 + q) %% n
        signal READY[0]@p set epoch release
        if q == 0 {
          move out[r * B] <- in[0] bytes B
        }
        %s
        move out@p[r * B] <- in[0] bytes B
        signal DATA[0]@p set epoch release
        await DATA[0]@p reached epoch acquire
        flush @p local
      }
      """;

  private static byte[] input(int rank, int sheet) {
    byte[] bytes = new byte[B];
    new SplittableRandom(100L * rank + sheet).nextBytes(bytes);
    return bytes;
  }

  private static byte[] poison(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, POISON);
    return bytes;
  }

  private static byte[] mask(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) -1);
    return bytes;
  }

  private static RecordedStressRun.StressResult stressed(
      String text, int world, IntFunction<byte[]> expected, int runs) {
    CudaExecutor executor;
    try {
      executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime);
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
      throw e;
    }
    try (executor) {
      int gpus = executor.inventory().size();
      assumeTrue(world <= gpus, "not enough GPUs: needed=%d, there=%d".formatted(world, gpus));
      Program program = Program.bind(FormParser.parse(text), world, Map.of("B", (long) B));
      try (CudaInstance instance = executor.prepare(program, Topology.grid(1, world))) {
        Map<Integer, List<StressContents>> sheets = new TreeMap<>();
        for (int rank = 0; rank < world; rank++) {
          List<StressContents> own = new ArrayList<>();
          for (int sheet = 0; sheet < SHEETS; sheet++) {
            byte[] right = expected.apply(sheet);
            own.add(
                new StressContents(
                    Map.of("in", input(rank, sheet), "out", poison(right.length)),
                    Map.of("out", new StressContents.ExpectedBytes(right, mask(right.length)))));
          }
          sheets.put(rank, own);
        }
        RecordedStressRun stressRun = instance.stressRun(sheets, CALLS, 1, PAUSE);
        RecordedStressRun.StressResult last = stressRun.run(LONG);
        for (int run = 1; run < runs; run++) {
          last = stressRun.run(LONG);
        }
        assertThat(last.outcomes()).allMatch(Outcome.Done.class::isInstance);
        return last;
      }
    }
  }

  private static byte[] gathered(int sheet) {
    byte[] all = Arrays.copyOf(input(0, sheet), 2 * B);
    System.arraycopy(input(1, sheet), 0, all, B, B);
    return all;
  }

  @Test
  void findsNothingInACopy() {
    RecordedStressRun.StressResult stressed =
        stressed(COPY.formatted("B"), 1, sheet -> input(0, sheet), 4);
    assertThat(stressed.wrong()).isEmpty();
  }

  @Test
  void namesTheMissingByteAndItsFirstLaunch() {
    RecordedStressRun.StressResult stressed =
        stressed(COPY.formatted("B - 1"), 1, sheet -> input(0, sheet), 1);
    StressedRank.RankMismatch wrong = stressed.wrong().get(0);
    byte right = input(0, 1)[B - 1];
    assertThat(wrong)
        .isEqualTo(new StressedRank.RankMismatch(1, "out", B - 1, POISON, right, CALLS));
  }

  @Test
  void findsNothingInAGatherThatWaitsForReady() {
    String waits = GATHER.formatted("await READY[0]@p reached epoch acquire");
    assertThat(stressed(waits, 2, RecordedStressRunTest::gathered, 8).wrong()).isEmpty();
  }

  @Test
  void findsAGatherThatDoesNotWaitForReady() {
    assertThat(stressed(GATHER.formatted(""), 2, RecordedStressRunTest::gathered, 8).wrong())
        .isNotEmpty();
  }
}
