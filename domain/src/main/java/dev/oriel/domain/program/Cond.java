package dev.oriel.domain.program;

import dev.oriel.domain.window.Comparison;
import java.util.List;

/** A lane-uniform condition: every one of its comparisons holds. */
public record Cond(List<Term> terms) {

  /** One comparison of two operands. */
  public record Term(Expr left, Comparison comparison, Expr right) {}

  public Cond {
    terms = List.copyOf(terms);
    if (terms.isEmpty()) {
      throw new IllegalArgumentException("empty condition: terms=0; give at least one comparison");
    }
  }

  /** The condition {@code left comparison right}. */
  public static Cond of(Expr left, Comparison comparison, Expr right) {
    return new Cond(List.of(new Term(left, comparison, right)));
  }
}
