package dev.oriel.domain.binding;

import dev.oriel.domain.hook.HookSource;
import dev.oriel.domain.hook.IndexMap;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Series;
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
        .forEach(move -> tables(rank.bound(move.combine()), move.sources(), tables));
    for (Ensure e : rank.program().form().ensures()) {
      tables(rank.bound(e.combine()), e.expected(), tables);
    }
    return tables;
  }

  private static void tables(Combine combine, List<Series> operands, Map<String, Long> into) {
    if (combine instanceof Combine.Apply(HookForm hook)) {
      for (HookSource source : BoundHook.of(hook).hook().sources()) {
        if (source.map() instanceof IndexMap.Gather(int table, long rows, long _)) {
          into.merge(operands.get(table).region().buffer(), rows, Math::min);
        }
      }
    }
  }
}
