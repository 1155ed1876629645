package dev.oriel.sim.litmus.test;

import java.util.List;
import java.util.Set;

/** A formula over final registers and memory; the indices of its variables are a test's own. */
public sealed interface LitmusCondition {

  /** A register or memory whose final value is part of an outcome. */
  sealed interface Variable {
    record Register(int thread, String name) implements Variable {}

    record Memory(int location) implements Variable {}
  }

  /** One side of a comparison. */
  sealed interface Term {
    record Constant(long value) implements Term {}

    record Final(Variable variable) implements Term {}
  }

  record All(List<LitmusCondition> parts) implements LitmusCondition {
    /** The empty condition, which always holds. */
    public static final All NOTHING = new All(List.of());
  }

  record Any(List<LitmusCondition> parts) implements LitmusCondition {}

  record Not(LitmusCondition part) implements LitmusCondition {}

  record Compare(ValueComparison comparison, Term a, Term b) implements LitmusCondition {}

  /** Whether it holds for the values of {@code variables}, in that order. */
  default boolean holds(List<Variable> variables, List<Long> values) {
    return switch (this) {
      case All all -> all.parts().stream().allMatch(part -> part.holds(variables, values));
      case Any any -> any.parts().stream().anyMatch(part -> part.holds(variables, values));
      case Not not -> !not.part().holds(variables, values);
      case Compare c ->
          c.comparison().holds(value(c.a(), variables, values), value(c.b(), variables, values));
    };
  }

  private static long value(Term term, List<Variable> variables, List<Long> values) {
    return switch (term) {
      case Term.Constant constant -> constant.value();
      case Term.Final last -> values.get(variables.indexOf(last.variable()));
    };
  }

  default void collect(Set<Variable> variables) {
    switch (this) {
      case All all -> all.parts().forEach(part -> part.collect(variables));
      case Any any -> any.parts().forEach(part -> part.collect(variables));
      case Not not -> not.part().collect(variables);
      case Compare c -> {
        if (c.a() instanceof Term.Final last) {
          variables.add(last.variable());
        }
        if (c.b() instanceof Term.Final last) {
          variables.add(last.variable());
        }
      }
    }
  }
}
