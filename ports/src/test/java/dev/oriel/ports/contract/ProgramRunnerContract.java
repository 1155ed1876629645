package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The violations that every {@link ProgramRunner} must find, the correct programs that it must
 * accept, and its wording.
 */
public abstract class ProgramRunnerContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Visits every execution of a small program, within the budget of {@link #open}. */
    EXHAUSTION
  }

  private static final String CREDIT = "await FREE[g]@succ reached sent + S - D * S acquire";

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected ProgramRunnerContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** A runner that launches at least twice and spends a second or two on a small program. */
  protected abstract ProgramRunner open();

  /** A runner with a minimal budget. */
  protected abstract ProgramRunner hurried();

  private static Program allGather(int world, String... changes) {
    Form form = ShippedPrograms.edited("ll_all_gather", changes);
    return Program.bind(form, world, Map.of("B", 3L));
  }

  private static Program oneLaneAllGather(int world) {
    return allGather(world, ShippedPrograms.LANES, "let K = 1");
  }

  /** Three tiles of 16 bytes through a ring of one, on one lane. */
  private static Program ring(int world, String credit) {
    Form form =
        ShippedPrograms.edited(
            "ring_send_recv",
            "let S = 16384",
            "let S = 16",
            "let D = 4",
            "let D = 1",
            "let K = 8",
            "let K = 1",
            CREDIT,
            credit);
    return Program.bind(form, world, Map.of("B", 48L));
  }

  private Verdict check(Program program, String shape) {
    return open().check(program, Topology.parse(shape));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1", "1x2", "2x1", "1x3"})
  void theShippedAllGatherHolds(String shape) {
    Program program = oneLaneAllGather(Topology.parse(shape).world());
    assertThat(check(program, shape).violation()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1", "1x2", "2x1"})
  void theShippedRingHolds(String shape) {
    Program program = ring(Topology.parse(shape).world(), CREDIT);
    assertThat(check(program, shape).violation()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aRingWithoutItsCreditIsReported(String shape) {
    Verdict verdict = check(ring(2, ""), shape);
    assertThat(verdict.holds()).isFalse();
    // It shows in the outcome, or in accesses that are not ordered.
    assertThat(verdict.violation().orElseThrow().kind()).isIn("value", "race");
    assertReported(verdict, "buffer=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void anAllGatherWithOneHalfIsReported(String shape) {
    Program program =
        allGather(
            2, ShippedPrograms.LANES, "let K = 1", "let half = (epoch & 1) * n", "let half = 0");
    Verdict verdict = check(program, shape);
    assertThat(verdict.holds()).isFalse();
    assertReported(verdict, "rank=");
  }

  @Test
  void aWaitWithoutEndIsADeadlockThatNamesTheWait() {
    Verdict verdict = check(ContractPrograms.waitsForEver(2), "1x2");
    assertThat(verdict.violation().map(Violation::kind)).contains("deadlock");
    assertReported(verdict, "rank=1");
    assertReported(verdict, "S[0]");
  }

  @Test
  void aFailedCheckIsReportedWithItsCode() {
    Verdict verdict = check(ContractPrograms.fails(2), "1x2");
    assertThat(verdict.violation().map(Violation::kind)).contains("check");
    assertReported(verdict, "code=7");
  }

  private static void assertReported(Verdict verdict, String fact) {
    Violation violation = verdict.violation().orElseThrow();
    assertThat(violation.message()).contains(fact).containsPattern(";\\s");
    assertThat(violation.trace()).isNotEmpty().allSatisfy(line -> assertThat(line).isNotBlank());
  }

  @Test
  void aVerdictNamesAllItsConditions() {
    Program program = oneLaneAllGather(2);
    Verdict near = check(program, "1x2");
    Verdict far = check(program, "2x1");
    assertThat(near.program()).isEqualTo(program.digest()).isEqualTo(far.program());
    assertThat(near.lowered()).isNotBlank().isNotEqualTo(far.lowered());
    assertThat(near.model()).isNotBlank();
    assertThat(near.strategy()).isNotBlank();
    assertThat(near.launches()).isGreaterThanOrEqualTo(2);
    assertThat(near.executions()).isPositive();
  }

  @Test
  void theSameCallGivesTheSameVerdict() {
    ProgramRunner runner = open();
    Program broken = ring(2, "");
    Topology topology = Topology.parse("1x2");
    assertThat(runner.check(broken, topology)).isEqualTo(runner.check(broken, topology));
    assertThat(open().check(broken, topology)).isEqualTo(runner.check(broken, topology));
  }

  @Test
  void anIncompleteSearchReportsItsBounds() {
    Verdict verdict = hurried().check(oneLaneAllGather(3), Topology.parse("1x3"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isNotEmpty().allSatisfy(b -> assertThat(b).matches(".*\\d.*"));
  }

  @Test
  void aProgramWithoutEndIsCutOff() {
    Verdict verdict = hurried().check(ContractPrograms.takesTurns(2), Topology.parse("1x2"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isNotEmpty();
  }

  @Test
  void aLaneThatOnlyCountsIsCutOffToo() {
    Verdict verdict = hurried().check(ContractPrograms.counts(2), Topology.parse("1x2"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isNotEmpty();
  }

  @Test
  void aSmallProgramIsExhausted() {
    assumeTrue(!lacking.contains(Capability.EXHAUSTION), "the implementation lacks EXHAUSTION");
    Verdict verdict = check(oneLaneAllGather(2), "1x2");
    assertThat(verdict.bounds()).isEmpty();
    assertThat(verdict.executions()).isPositive();
  }

  @Test
  void aProgramOfAnotherWorldIsRefused() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> check(oneLaneAllGather(3), "1x2"))
        .withMessageContainingAll("3", "2");
  }
}
