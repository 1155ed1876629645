package dev.oriel.domain.binding;

import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Series;
import java.util.List;
import java.util.function.Consumer;

/** Walks sources one by one, each with the value of its series' variable. */
final class SeriesWalk {
  private SeriesWalk() {}

  /**
   * Hands every source's region to {@code look} while the variable holds its number.
   *
   * @throws dev.oriel.domain.program.ProgramException if there is none, or too many
   */
  static void each(
      RankProgram rank, Proofs proofs, List<Series> sources, Effort effort, Consumer<Region> look) {
    long total = 0;
    for (Series s : sources) {
      long count = rank.value(s.count());
      total += count;
      if (count < 0 || total > Reduction.MAX_SOURCES) {
        throw proofs.fail(
            "number of sources out of range",
            "count=" + count + ", max=" + Reduction.MAX_SOURCES,
            "use fewer, in several moves");
      }
      for (long i = 0; i < count; i++) {
        if (!s.single()) {
          effort.spend();
          proofs.values().put(s.variable(), Linear.of(i));
        }
        look.accept(s.region());
      }
    }
    if (total == 0) {
      throw proofs.fail("nothing to reduce", "sources=0", "name at least one source");
    }
  }
}
