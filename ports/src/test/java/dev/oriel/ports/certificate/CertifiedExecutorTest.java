package dev.oriel.ports.certificate;

import static dev.oriel.ports.contract.RankThreads.failures;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.domain.certificate.ProvedCase;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CertifiedExecutorTest {
  private static final Form FORM =
      FormParser.parse(
          """
          form meet
          signal DATA[1]
          lane main: sm(32) {
            signal DATA[0]@((r + 1) % n) set epoch release
            await DATA[0]@((r + n - 1) % n) reached epoch acquire
          }
          """);

  private static final Topology WORLD = Topology.grid(1, 2);
  private static final Program PROGRAM = Program.bind(FORM, 2, Map.of());
  private static final CertificateSet COVERING =
      new CertificateSet(
          List.of(
              new Certificate(
                  ReleaseName.NAME,
                  FORM.name(),
                  FORM.digest(),
                  "L2",
                  List.of(ProvedCase.of(PROGRAM, new WorldShape(1, 2), 1)))));
  private static final CertificateSet NONE = new CertificateSet(List.of());

  /** A machine that counts what it is asked for. */
  private static final class CountingMachine implements Executor {
    private final AtomicInteger prepared = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public Instance prepare(Program program, Topology topology) {
      prepared.incrementAndGet();
      throw new MachineException("prepared");
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void aCoveredProgramReachesTheMachine() {
    CountingMachine machine = new CountingMachine();
    assertThatThrownBy(() -> CertifiedExecutor.of(machine, COVERING).prepare(PROGRAM, WORLD))
        .hasMessage("prepared");
    assertThat(machine.prepared).hasValue(1);
  }

  @Test
  void theMachineSeesNoOtherProgram() {
    CountingMachine machine = new CountingMachine();
    CertifiedExecutor executor = CertifiedExecutor.of(machine, COVERING);
    Topology apart = Topology.grid(2, 1);
    assertThatThrownBy(() -> executor.prepare(PROGRAM, apart))
        .isInstanceOf(MachineException.class)
        .hasMessageStartingWith("world not proved: ");
    assertThat(machine.prepared).hasValue(0);
  }

  @Test
  void nameAndEndAreThoseOfTheMachine() {
    CountingMachine machine = new CountingMachine();
    CertifiedExecutor executor = CertifiedExecutor.of(machine, NONE);
    assertThat(executor.name()).isEqualTo("counting");
    executor.close();
    assertThat(machine.closed).hasValue(1);
  }

  @Test
  void ifOneRankHasNoCertificateAllRefuse() {
    CountingMachine machine = new CountingMachine();
    List<MachineException> ends =
        failures(
            MachineException.class,
            InProcessBootstrap.group(2, Duration.ofSeconds(5)),
            ranks ->
                CertifiedExecutor.of(machine, ranks.rank() == 1 ? NONE : COVERING, ranks)
                    .prepare(PROGRAM, WORLD));
    assertThat(ends)
        .hasSize(2)
        .allSatisfy(e -> assertThat(e).hasMessageContaining("program without a certificate"));
    assertThat(machine.prepared).hasValue(0);
  }

  @Test
  void ifAllRanksHaveOneAllReachTheMachine() {
    CountingMachine machine = new CountingMachine();
    List<MachineException> ends =
        failures(
            MachineException.class,
            InProcessBootstrap.group(2, Duration.ofSeconds(5)),
            ranks -> CertifiedExecutor.of(machine, COVERING, ranks).prepare(PROGRAM, WORLD));
    assertThat(ends).hasSize(2).allSatisfy(e -> assertThat(e).hasMessage("prepared"));
    assertThat(machine.prepared).hasValue(2);
  }
}
