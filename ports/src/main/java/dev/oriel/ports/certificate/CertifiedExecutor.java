package dev.oriel.ports.certificate;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.StepAgreement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An executor that prepares a program only if a certificate covers it: its text, its values, its
 * world and its links. It refuses all others before the machine allocates anything.
 */
public final class CertifiedExecutor implements Executor {
  private static final String STEP = "certificate";

  private final Executor machine;
  private final CertificateSet certificates;
  private final @Nullable Bootstrap ranks;

  private CertifiedExecutor(
      Executor machine, CertificateSet certificates, @Nullable Bootstrap ranks) {
    this.machine = machine;
    this.certificates = certificates;
    this.ranks = ranks;
  }

  /** For a machine whose ranks are all in this process. Closing this one closes the machine. */
  public static CertifiedExecutor of(Executor machine, CertificateSet certificates) {
    return new CertifiedExecutor(machine, certificates, null);
  }

  /**
   * For a machine with ranks in several processes, each of which has certificates of its own: if
   * one of them has none for a program, all of them refuse it.
   *
   * @param ranks the group that the machine joined; it stays the caller's
   */
  public static CertifiedExecutor of(
      Executor machine, CertificateSet certificates, Bootstrap ranks) {
    return new CertifiedExecutor(machine, certificates, ranks);
  }

  @Override
  public String name() {
    return machine.name();
  }

  @Override
  public Instance prepare(Program program, Topology topology) {
    Bootstrap group = ranks;
    if (group == null) {
      require(program, topology);
    } else {
      Boolean ignored =
          StepAgreement.all(
              group,
              STEP,
              () -> {
                require(program, topology);
                return true;
              });
    }
    return machine.prepare(program, topology);
  }

  private void require(Program program, Topology topology) {
    Optional<String> refusal = certificates.refusal(program, topology);
    if (refusal.isPresent()) {
      throw new MachineException(refusal.get());
    }
  }

  @Override
  public void close() {
    machine.close();
  }
}
