package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts operations that have no model, by their names, so that nothing is said of their plan. */
final class UnsupportedOperations {
  private static final int SHOWN = 10;

  private final Map<String, Integer> counts = new TreeMap<>();
  private Optional<TextPosition> first = Optional.empty();
  private Optional<ProgramException> mistake = Optional.empty();

  void add(String name, TextPosition at) {
    counts.merge(name, 1, Integer::sum);
    first = first.or(() -> Optional.of(at));
  }

  /** Keeps an error of an operation until it is known whether all are supported. */
  void mistake(ProgramException error) {
    mistake = mistake.or(() -> Optional.of(error));
  }

  /** Refuses the plan if there was one, or a mistake. */
  void refuse(String file) {
    if (first.isEmpty()) {
      mistake.ifPresent(error -> {
        throw error;
      });
      return;
    }
    List<String> words = new ArrayList<>();
    counts.entrySet().stream()
        .limit(SHOWN)
        .forEach(count -> words.add(count.getValue() + " of " + count.getKey()));
    if (counts.size() > SHOWN) {
      words.add((counts.size() - SHOWN) + " other kinds");
    }
    throw JsonText.error(
        file,
        first.get(),
        "operations that are not supported",
        "operations=" + String.join(" and ", words),
        "these operations are not modelled, so this plan gets no verdict");
  }
}
