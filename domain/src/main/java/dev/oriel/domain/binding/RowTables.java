package dev.oriel.domain.binding;

import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Op;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Buffers whose words name the rows that hooks gather, and how many rows there are to name. */
public final class RowTables {
  private RowTables() {}

  /**
   * By name of a buffer: every INT32 of it that a hook reads has to be below that, and not less
   * than 0.
   */
  public static Map<String, Long> of(RankProgram rank) {
    Map<String, Long> tables = new TreeMap<>();
    AppliedHooks.moves(rank.program().form())
        .forEach(move -> {
          if (rank.bound(move.combine()) instanceof Combine.Apply(HookForm hook)) {
            tables(BoundHook.of(hook).hook().sources(), move, tables);
          }
        });
    return tables;
  }

  private static void tables(List<HookSource> sources, Op.Move move, Map<String, Long> into) {
    for (HookSource source : sources) {
      if (source.map() instanceof IndexMap.Gather(int table, long rows, long _)) {
        into.merge(move.sources().get(table).region().buffer(), rows, Math::min);
      }
    }
  }
}
