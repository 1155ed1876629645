package dev.oriel.domain.binding;

import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import java.util.List;
import java.util.Optional;

/**
 * The operation or post-condition of one rank that binding checks, as its mistakes name it.
 *
 * @param agent the rank, and the lane if there is one
 * @param otherwise names the part for programs without a text
 * @param facts further facts of each mistake here; may be empty
 * @param part the part of the form, whose position a text may have
 */
record CheckedPlace(String agent, String otherwise, String facts, Object part) {

  /** An error about a smaller part of this one. */
  ProgramException fail(Object smaller, String what, String more, String remedy) {
    String all = facts.isEmpty() ? more : facts + ", " + more;
    return new ProgramException(
        new Mistake(what, Optional.empty(), agent, otherwise, all, remedy, List.of(smaller, part)));
  }
}
