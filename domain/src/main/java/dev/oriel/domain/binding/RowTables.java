package dev.oriel.domain.binding;

import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Series;
import dev.oriel.domain.program.Told;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Buffers whose words name the rows that hooks gather, and how many rows there are to name. */
final class RowTables {
  private RowTables() {}

  /**
   * By name of a buffer: every INT32 of it that a hook reads has to be below that, and not less
   * than 0. Of a buffer that others read as well it is what all of them allow.
   */
  static Map<String, Long> of(RankProgram rank) {
    Map<String, Long> tables = new TreeMap<>();
    AppliedHooks.moves(rank.program().form())
        .forEach(move -> tables(rank, move.combine(), move.sources(), tables));
    for (Ensure e : rank.program().form().ensures()) {
      tables(rank, e.combine(), e.expected(), tables);
    }
    return tables;
  }

  private static void tables(
      RankProgram rank, Combine combine, List<Series> operands, Map<String, Long> into) {
    if (!(combine instanceof Combine.Apply(HookForm hook, Told _))) {
      return;
    }
    for (HookForm.Source source : hook.sources()) {
      if (source.map() instanceof MapForm.Gather(int table, Expr rows, Expr _)) {
        Region read = operands.get(table).region();
        into.merge(read.buffer(), rows(rank, rows, read), Math::min);
      }
    }
  }

  private static long rows(RankProgram owner, Expr rows, Region table) {
    if (table.at() instanceof Peers.Self) {
      return owner.value(rows);
    }
    return IntStream.range(0, owner.program().world())
        .mapToLong(reader -> owner.program().rank(reader).value(rows))
        .min()
        .orElseThrow();
  }
}
