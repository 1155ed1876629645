package dev.oriel.domain.boundary;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Operands of a text whose order, or whose quotient, decides what is done. */
sealed interface OperandThreshold {
  /** Lane indices and loop variables that the operands may name: each is taken as 0. */
  Set<String> zeros();

  /** Parts of {@code whole} that are {@code part} long each. */
  record Division(Expr whole, Expr part, Set<String> zeros) implements OperandThreshold {}

  /** Two operands of a comparison, of {@code min} or {@code max}, or of a difference in bits. */
  record Comparison(Expr left, Expr right, Set<String> zeros) implements OperandThreshold {}

  /** Comparisons that together decide whether one block is executed. */
  record Path(List<Cond.Term> terms, Set<String> zeros) implements OperandThreshold {}

  /** The turns of a loop. */
  record Turns(Expr count, Set<String> zeros) implements OperandThreshold {}

  /**
   * How many turns pass until a place is used again.
   *
   * @param step what one turn adds to the counter that is taken modulo {@code modulus}
   */
  record Period(Expr modulus, Expr step, Set<String> zeros) implements OperandThreshold {
    /** Empty where that is not known. */
    OptionalLong turns(BoundNames names) {
      long modulus = names.value(modulus(), zeros).orElse(0);
      long step = names.value(step(), zeros).orElse(0);
      return step > 0 && modulus % step == 0
          ? OptionalLong.of(modulus / step)
          : OptionalLong.empty();
    }
  }
}
