package dev.oriel.domain.binding;

import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.MapForm;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Buffers whose words select the rows that hooks gather, and the number of rows that they select
 * from.
 */
final class RowTables {
  private RowTables() {}

  /**
   * By buffer name: a limit that every INT32 of it that a hook reads must be below and not
   * negative. A buffer that several hooks read gets the limit that all of them allow.
   */
  static Map<String, Long> of(RankProgram rank) {
    Map<String, Long> tables = new TreeMap<>();
    if (rank.program().appliesHooks()) {
      AppliedHooks.moves(rank.program().form())
          .forEach(move -> tables(rank, move.combine(), move.sources(), tables));
    }
    for (Ensure e : rank.program().form().ensures()) {
      tables(rank, e.combine(), e.expected(), tables);
    }
    return tables;
  }

  private static void tables(
      RankProgram rank, Combine combine, List<SourceSeries> operands, Map<String, Long> into) {
    if (!(combine instanceof Combine.Apply(HookForm hook, HookOperands _))) {
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
