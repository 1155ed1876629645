package dev.oriel.domain.program;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the mistakes of one program. It keeps the first few and counts the others, so a text
 * full of mistakes costs little memory.
 */
public final class MistakeList {
  /** The most mistakes that are kept. */
  public static final int KEPT = 10;

  private final Function<Mistake, Object> identity;
  private final List<Mistake> kept = new ArrayList<>();
  private final Set<Object> seen = new HashSet<>();
  private int more;

  /** Mistakes of the same {@code identity} have one cause; only the first of them counts. */
  public MistakeList(Function<Mistake, Object> identity) {
    this.identity = identity;
  }

  /** Does the work, and keeps the mistakes that end it. */
  public boolean attempt(Runnable work) {
    try {
      work.run();
      return true;
    } catch (ProgramException refused) {
      add(refused);
      return false;
    }
  }

  /** Adds the mistakes of an exception. */
  public void add(ProgramException refused) {
    refused.mistakes().forEach(this::add);
    more += refused.more();
  }

  /** Adds a mistake. */
  public void add(Mistake mistake) {
    Object same = identity.apply(mistake);
    if (seen.contains(same)) {
      return;
    }
    if (kept.size() == KEPT) {
      more++;
    } else {
      seen.add(same);
      kept.add(mistake);
    }
  }

  /** Whether a mistake of that identity would be kept, so that its message is worth the work. */
  public boolean wants(Object mistake) {
    return kept.size() < KEPT && !seen.contains(mistake);
  }

  /** Whether there is no mistake. */
  public boolean isEmpty() {
    return kept.isEmpty();
  }

  /**
   * Returns if there is no mistake.
   *
   * @throws ProgramException with all mistakes
   */
  public void refuse() {
    if (!kept.isEmpty()) {
      List<Mistake> ordered = new ArrayList<>(kept);
      ordered.sort(Mistake.IN_TEXT);
      throw new ProgramException(ordered, more);
    }
  }
}
