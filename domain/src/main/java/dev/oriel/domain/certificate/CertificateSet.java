package dev.oriel.domain.certificate;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import java.util.List;
import java.util.Optional;

/** Certificates of several programs, or of one program in several worlds. */
public record CertificateSet(List<Certificate> certificates) {

  public CertificateSet {
    certificates = List.copyOf(certificates);
  }

  /** The first certificate that covers the program in that topology. */
  public Optional<Certificate> covering(Program program, Topology topology) {
    return certificates.stream()
        .filter(one -> one.refusal(program, topology).isEmpty())
        .findFirst();
  }

  /** Why no certificate covers that program in that topology; empty if one does. */
  public Optional<String> refusal(Program program, Topology topology) {
    if (covering(program, topology).isPresent()) {
      return Optional.empty();
    }
    String form = program.form().digest();
    List<Certificate> same = certificates.stream().filter(one -> one.form().equals(form)).toList();
    List<Certificate> nearest = same.isEmpty() ? certificates : same;
    if (nearest.size() == 1) {
      return nearest.getFirst().refusal(program, topology);
    }
    return Optional.of(
        same.isEmpty()
            ? "program without a certificate: program=%s, text=%s, certificates=%d; run oriel prove for it"
                .formatted(program.form().name(), form, certificates.size())
            : "no certificate covers this case: program=%s, values=%s, certificates=%d; the last one: %s"
                .formatted(
                    program.form().name(),
                    program.params(),
                    same.size(),
                    same.getLast().refusal(program, topology).orElseThrow()));
  }
}
