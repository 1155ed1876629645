package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.ProgramException;

/** Refuses an operation that no network interface supports; the text names the operation. */
final class NoRdmaForm {
  private NoRdmaForm() {}

  static ProgramException of(String what, Lane lane, String operation, String rule) {
    return new ProgramException(
        "%s has no RDMA form: lane=%s, operation=%s; %s"
            .formatted(what, lane.name(), operation, rule));
  }
}
