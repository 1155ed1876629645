package dev.oriel.it.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.kernel.HardwareTest;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels with loops or barriers, executed without a GPU: they end with outcomes that the model
 * allows.
 */
final class PlayedKernelsTest {
  private static final Path ROWS = Path.of("../adapters-sim/src/test/resources/litmus");
  private static final LitmusChecker CHECKER = new LitmusChecker(MemoryModel.parse("ptx-7.5"));
  private static final int RUNS = 20;

  private static HardwareTest row(String name) throws IOException {
    return HardwareTest.of(
        LitmusParser.parse(Files.readString(ROWS.resolve(name + ".litmus"))), CHECKER);
  }

  private static OutcomeTally played(HardwareTest test, String ptx) {
    OutcomeTally tally = new OutcomeTally(test);
    SplittableRandom random = new SplittableRandom(1);
    for (int run = 0; run < RUNS; run++) {
      KernelPlay play = new KernelPlay(test, ptx);
      assertThat(play.run(random.split())).as("a kernel that ends").isTrue();
      tally.add(
          play.outputs(), test.observesMemory() ? play.cells() : new long[0], KernelPlay.COPIES);
    }
    return tally;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "block-barrier",
        "block-barrier-arrive-then-sync",
        "block-barrier-other-block",
        "block-barrier-other-instance",
        "block-barrier-other-resource",
        "block-barrier-quorum-of-all",
        "block-barrier-sync-then-arrive",
        "block-barrier-twice",
        "cluster-scope-same-cluster",
        "cluster-scope-two-clusters",
        "cluster-scope-without-clusters",
        "g14-store-buffering-in-a-block-barrier",
        "g01-release-acquire-across-gpus",
        "g12-sum-of-signals",
        "g29-ticket-lock-acquiring-ticket",
        "g29-ticket-lock-across-gpus",
        "g29-ticket-lock-relaxed-release",
        "g29-ticket-lock-relaxed-wait",
        "g29-ticket-lock-same-gpu",
        "g30-flag-barrier-plain",
        "g30-flag-barrier-relaxed",
        "g30-flag-barrier-release-acquire",
        "g33-spin-by-plain-loads",
        "g33-spin-on-a-flag",
        "acquiring-update-passed-by-a-store",
        "posted-update-passed-by-a-store",
        "spin-lock",
        "spin-lock-relaxed-unlock",
        "update-then-release-store"
      })
  void everyCopyEndsAsTheModelAllows(String name) throws IOException {
    HardwareTest test = row(name);
    OutcomeTally tally = played(test, test.ptx("sm_90"));
    assertThat(tally.samples()).isEqualTo((long) RUNS * KernelPlay.COPIES);
    assertThat(tally.outside()).isZero();
  }

  /** No thread stores the awaited value: the copy times out, and gives no sample. */
  @Test
  void anEndlessLoopTimesOut() throws IOException {
    HardwareTest test = row("g33-spin-on-nothing");
    OutcomeTally tally = played(test, test.ptx("sm_90"));
    assertThat(tally.samples()).isZero();
    assertThat(tally.gaveUp()).isEqualTo((long) RUNS * KernelPlay.COPIES);
  }

  /** An endless kernel blocks a GPU for all users, so only kernels that end may run. */
  @Test
  void drawnBarriersThatRunEndAsTheModelAllows() {
    SplittableRandom random = new SplittableRandom(17);
    int run = 0;
    int unsupported = 0;
    for (int i = 0; i < 3_000; i++) {
      LitmusTest test = LitmusParser.parse(DrawnBarriers.text(random));
      if (HardwareTest.unsupported(test).isEmpty()) {
        run++;
        HardwareTest hardware = HardwareTest.of(test, CHECKER);
        // Copies synchronise before they start until a timeout; barriers must not depend on that.
        String hasty = hardware.ptx("sm_90").replace("%r2, 2048;", "%r2, 0;");
        assertThat(hasty).isNotEqualTo(hardware.ptx("sm_90"));
        KernelPlay play = new KernelPlay(hardware, hasty);
        assertThat(play.run(random.split())).as(test.name()).isTrue();
        OutcomeTally tally = new OutcomeTally(hardware);
        tally.add(play.outputs(), play.cells(), KernelPlay.COPIES);
        assertThat(tally.outside()).as(test.name()).isZero();
      } else {
        unsupported++;
      }
    }
    assertThat(run).isGreaterThan(300);
    assertThat(unsupported).isGreaterThan(300);
  }

  /** A block barrier that is missing in the kernel is detected. */
  @ParameterizedTest
  @ValueSource(strings = {"block-barrier", "block-barrier-twice", "block-barrier-quorum-of-all"})
  void aKernelWithoutItsBarriersIsDetected(String name) throws IOException {
    HardwareTest test = row(name);
    String ptx = test.ptx("sm_90");
    String open = ptx.replaceAll("barrier\\.sync [^;]*;", "");
    assertThat(open).isNotEqualTo(ptx);
    assertThat(played(test, open).outside()).isPositive();
  }

  /** A loop that is missing in the kernel, or that ends too early, is detected. */
  @Test
  void aKernelThatDoesNotWaitIsDetected() throws IOException {
    HardwareTest test = row("spin-lock");
    String ptx = test.ptx("sm_90");
    String hasty = ptx.replaceAll("@!(%p\\d+) bra", "bra");
    assertThat(hasty).isNotEqualTo(ptx);
    assertThat(played(test, hasty).outside()).isPositive();
  }
}
