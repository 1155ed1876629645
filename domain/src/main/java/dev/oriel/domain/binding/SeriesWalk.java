package dev.oriel.domain.binding;

import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;
import java.util.function.Consumer;

/** Walks sources one by one, each with the value of its series' variable. */
final class SeriesWalk {
  /** As many as the largest world has ranks. */
  private static final int MAX_SOURCES = 1 << 20;

  private SeriesWalk() {}

  /**
   * Passes every source's region to {@code look} while the variable holds its number.
   *
   * @throws dev.oriel.domain.program.ProgramException if there is none, or too many
   */
  static void each(
      RankProgram rank,
      OperationProof proofs,
      List<SourceSeries> sources,
      BindingBudget effort,
      Consumer<Region> look) {
    long total = 0;
    for (SourceSeries s : sources) {
      long count = rank.value(s.count());
      if (count < 0 || count > MAX_SOURCES - total) {
        throw proofs.fail(
            s.count(),
            "number of sources out of range",
            "count=" + count + ", max=" + MAX_SOURCES,
            "use fewer, in several moves");
      }
      total += count;
      for (long i = 0; i < count; i++) {
        if (!s.single()) {
          effort.spend();
          proofs.values().put(s.variable(), LinearExpression.of(i));
        }
        look.accept(s.region());
      }
    }
    if (total == 0) {
      throw proofs.fail(sources, "nothing to reduce", "sources=0", "name at least one source");
    }
  }
}
