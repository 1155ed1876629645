package dev.oriel.domain.lowering;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;

/** Refuses an operation that no network interface supports; the text names the operation. */
final class UnsupportedRdmaOperation {
  private UnsupportedRdmaOperation() {}

  static ProgramException of(String what, LaneFamily lane, String operation, String rule) {
    return new ProgramException(
        "%s has no RDMA form: lane=%s, operation=%s; %s"
            .formatted(what, lane.name(), operation, rule));
  }
}
