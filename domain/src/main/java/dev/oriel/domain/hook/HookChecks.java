package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;
import java.util.List;
import java.util.regex.Pattern;

/** The requirements on a hook beyond the typing of its operands. */
final class HookChecks {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private HookChecks() {}

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "bad hook name: name=%s; use up to 64 of a-z, 0-9 and _, a letter first"
              .formatted(name.length() <= 64 ? name : name.substring(0, 64)));
    }
  }

  static void requireSources(List<HookSource> sources) {
    if (sources.size() > Hook.MAX_SOURCES) {
      throw new IllegalArgumentException(
          "too many sources: sources=%d, most=%d; split the hook"
              .formatted(sources.size(), Hook.MAX_SOURCES));
    }
    for (int k = 0; k < sources.size(); k++) {
      if (sources.get(k).map() instanceof IndexMap.Gather gather) {
        requireTable(k, gather.table(), sources);
      }
    }
  }

  private static void requireTable(int source, int table, List<HookSource> sources) {
    boolean plain =
        table < sources.size()
            && sources.get(table).type() == DataType.INT32
            && sources.get(table).map() instanceof IndexMap.Fixed;
    if (!plain) {
      throw new IllegalArgumentException(
          "unfit gather table: source=in%d, table=in%d, sources=%d; %s"
              .formatted(
                  source, table, sources.size(), "name an i32 source that is not gathered itself"));
    }
  }

  static void requireTarget(IndexMap.Fixed target) {
    if (!target.isInjective()) {
      throw new IllegalArgumentException(
          "target writes an element twice: map=%s; use one element for each output"
              .formatted(HookPrinter.print(target)));
    }
  }

  static void requireBounded(HookExpr value) {
    count(value, 1, 0);
  }

  private static int count(HookExpr value, int depth, int before) {
    int nodes = before + 1;
    if (depth > Hook.MAX_DEPTH || nodes > Hook.MAX_NODES) {
      throw new IllegalArgumentException(
          "hook expression too large: depth=%d, deepest=%d, nodes=%d, most=%d; split the hook"
              .formatted(depth, Hook.MAX_DEPTH, nodes, Hook.MAX_NODES));
    }
    for (HookExpr operand : value.operands()) {
      nodes = count(operand, depth + 1, nodes);
    }
    return nodes;
  }

  static void requireDeclared(HookExpr value, List<HookSource> sources) {
    if (value instanceof HookExpr.In in) {
      if (in.source() >= sources.size()) {
        throw new IllegalArgumentException(
            "undeclared source: expression=in%d, sources=%d; declare it"
                .formatted(in.source(), sources.size()));
      }
      DataType declared = sources.get(in.source()).type();
      if (in.type() != declared) {
        throw new IllegalArgumentException(
            "source read as another type: expression=in%d, type=%s, expected=%s; %s"
                .formatted(
                    in.source(), in.type().symbol(), declared.symbol(), "read it as declared"));
      }
    }
    value.operands().forEach(operand -> requireDeclared(operand, sources));
  }
}
