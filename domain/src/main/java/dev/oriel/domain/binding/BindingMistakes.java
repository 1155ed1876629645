package dev.oriel.domain.binding;

import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The mistakes that binding finds. A part of the form that was refused once is not checked again,
 * in another lane or turn: it is one mistake, and costs the work of one.
 */
final class BindingMistakes {
  private final BindingBudget effort;
  private final Set<Object> refused = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Operations that are wrong for the same reason are one mistake. */
  private final MistakeList found = new MistakeList(m -> List.of(m.what(), m.facts()));

  BindingMistakes(BindingBudget effort) {
    this.effort = effort;
  }

  /**
   * Checks a part, unless it was refused before.
   *
   * @return whether it has no mistake
   * @throws ProgramException if the budget is spent
   */
  boolean accepts(Object part, Runnable check) {
    if (refused.contains(part)) {
      return false;
    }
    try {
      check.run();
      return true;
    } catch (ProgramException e) {
      if (effort.spent()) {
        throw e;
      }
      refused.add(part);
      e.mistakes().forEach(mistake -> found.add(mistake.within(part)));
      return false;
    }
  }

  /**
   * Returns if there is no mistake.
   *
   * @throws ProgramException with all mistakes
   */
  void refuse() {
    found.refuse();
  }
}
