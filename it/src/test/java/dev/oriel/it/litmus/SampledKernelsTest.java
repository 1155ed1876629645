package dev.oriel.it.litmus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.it.PtxAssembler;
import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.kernel.HardwareTest;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Litmus tests as kernels: their text, that they assemble, and the judgement of outcomes. */
final class SampledKernelsTest {
  private static final Path ROWS = Path.of("../adapters-sim/src/test/resources/litmus");
  private static final LitmusChecker CHECKER = new LitmusChecker(MemoryModel.parse("ptx-7.5"));

  private static final String MESSAGE =
      """
      PTX message
      { x=0; y=0; }
      P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;
      st.weak x, 1 | ld.acquire.sys r0, y ;
      st.release.sys y, 1 | ld.weak r1, x ;
      exists (P1:r0 == 1 /\\ P1:r1 == 0)
      """;

  static Stream<Path> rows() throws IOException {
    try (Stream<Path> files = Files.list(ROWS)) {
      return files
          .filter(f -> f.toString().endsWith(".litmus"))
          .filter(f -> HardwareTest.unsupported(parse(f)).isEmpty())
          .sorted()
          .toList()
          .stream();
    }
  }

  private static LitmusTest parse(Path file) {
    try {
      return LitmusParser.parse(Files.readString(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @Sampled(every = 6)
  void everyRowForGpusAssembles(Path file) {
    assumeTrue(PtxAssembler.absence().isEmpty(), PtxAssembler.absence());
    HardwareTest test = HardwareTest.of(parse(file), CHECKER);
    for (String target : test.needsClusters() ? List.of("sm_90") : List.of("sm_80", "sm_90")) {
      String ptx = test.ptx(target);
      assertThat(PtxAssembler.complaint(ptx, target)).as(ptx).isEmpty();
    }
  }

  @Test
  void mostRowsCanBeRun() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(100);
  }

  @Test
  void aKernelContainsTheInstructionsUnchanged() {
    String ptx = HardwareTest.of(LitmusParser.parse(MESSAGE), CHECKER).ptx("sm_90");
    assertThat(ptx)
        .contains("st.release.sys.global.u64")
        .contains("ld.acquire.sys.global.u64")
        .containsPattern("st\\.weak\\.global\\.u64 \\[%rd\\d+], 1;");
  }

  @Test
  void anOutcomeThatTheModelForbidsIsCountedAndNamed() {
    HardwareTest test = HardwareTest.of(LitmusParser.parse(MESSAGE), CHECKER);
    OutcomeTally tally = new OutcomeTally(test);
    // Registers of three copies: r0 of each, then r1 of each.
    tally.add(new long[] {0, 1, 1, 0, 1, 1}, new long[0], 3);
    assertThat(tally.outside()).isZero();
    tally.add(new long[] {1, 1, 0, 0, 1, 0}, new long[0], 3);
    assertThat(tally.samples()).isEqualTo(6);
    assertThat(tally.outside()).isEqualTo(1);
    assertThat(printed(tally)).contains("1  P1:r0=1 P1:r1=0  asked for  OUTSIDE THE MODEL");
  }

  @Test
  void packedCountsEqualSingleCounts() {
    HardwareTest test = HardwareTest.of(LitmusParser.parse(MESSAGE), CHECKER);
    SplittableRandom random = new SplittableRandom(7);
    int copies = 500;
    long[] registers = random.longs(2L * copies, 0, 10).toArray();
    OutcomeTally together = new OutcomeTally(test);
    together.add(registers, new long[0], copies);
    OutcomeTally alone = new OutcomeTally(test);
    for (int c = 0; c < copies; c++) {
      alone.add(new long[] {registers[c], registers[copies + c]}, new long[0], 1);
    }
    assertThat(printed(together)).isEqualTo(printed(alone)).contains("P1:r0=9 P1:r1=9");
  }

  private static String printed(OutcomeTally tally) {
    StringWriter text = new StringWriter();
    tally.print(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void instructionsOutsideTheModelAreNamedAndOmitted() {
    for (String name : List.of("quorum-of-some", "quorum-too-large", "skipped")) {
      assertThat(HardwareTest.unsupported(parse(ROWS.resolve("block-barrier-" + name + ".litmus"))))
          .as(name)
          .contains("block barriers at which not all that name them plainly meet");
    }
    assertThat(HardwareTest.unsupported(parse(ROWS.resolve("block-barriers-crossed.litmus"))))
        .contains("block barriers at which not all that name them plainly meet");
    assertThat(HardwareTest.unsupported(parse(ROWS.resolve("g32-alias-no-fence.litmus"))))
        .contains("proxies and aliases");
  }
}
