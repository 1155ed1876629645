package dev.oriel.domain.tuning;

import dev.oriel.domain.program.ShippedText;
import java.util.List;

/** Shipped programs as candidates. */
final class SomeCandidates {
  static final List<CandidateProgram> ALLGATHER =
      List.of(
          candidate("ll_all_gather"),
          candidate("push_all_gather"),
          candidate("ring_all_gather"),
          candidate("log_all_gather"));
  static final List<CandidateProgram> ALLTOALL =
      List.of(candidate("push_all_to_all"), candidate("split_all_to_all"));
  static final List<CandidateProgram> ALLREDUCE =
      List.of(
          candidate("ll_all_reduce"),
          candidate("two_shot_all_reduce"),
          candidate("ring_all_reduce"));

  private SomeCandidates() {}

  static CandidateProgram candidate(String name) {
    return new CandidateProgram(name, ShippedText.form(name));
  }
}
