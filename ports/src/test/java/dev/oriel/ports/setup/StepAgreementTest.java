package dev.oriel.ports.setup;

import static dev.oriel.ports.contract.RankThreads.failures;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A step that fails on rank 1, for any reason, fails on all ranks for that reason. */
class StepAgreementTest {
  private static final int WORLD = 3;

  private static List<MachineException> ends(Supplier<? extends Throwable> why) {
    return failures(
        MachineException.class,
        InProcessBootstrap.group(WORLD, Duration.ofSeconds(5)),
        ranks ->
            StepAgreement.all(
                ranks,
                "step",
                () -> {
                  if (ranks.rank() != 1) {
                    return "done";
                  }
                  throw StepAgreementTest.<RuntimeException>as(why.get());
                }));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // thrown unchanged
  private static <E extends Throwable> E as(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void noRankWaitsForOneThatIsOutOfMemory() {
    List<MachineException> ends = ends(() -> new OutOfMemoryError("heap of rank 1"));
    assertThat(ends)
        .hasSize(WORLD)
        .allSatisfy(e -> assertThat(e).hasMessageContaining("heap of rank 1"));
    assertThat(ends.get(1)).hasRootCauseInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void noRankWaitsForOneThatFailedUnexpectedly() {
    assertThat(ends(() -> new ArithmeticException("number too large")))
        .hasSize(WORLD)
        .allSatisfy(e -> assertThat(e).hasMessageContaining("number too large"));
  }

  @Test
  void theFailingRankReportsItsReason() {
    List<MachineException> ends = ends(() -> MachineException.lacking("no module; load it"));
    assertThat(ends.get(1).environment()).isTrue();
    assertThat(ends).allSatisfy(e -> assertThat(e).hasMessageContaining("no module; load it"));
  }
}
