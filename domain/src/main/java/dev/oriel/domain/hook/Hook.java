package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;
import java.util.List;

/**
 * The computation that a transfer applies to its elements. For each output index i it evaluates an
 * expression over the elements that the sources' maps give for i, and stores it at the target's
 * element for i.
 *
 * <p>Every declared source is read for every output, even if a select drops the value, so the
 * accessed elements follow from its maps alone. A built hook is well typed, bounded, writes no
 * element twice, and its tables are plain INT32 sources.
 */
public record Hook(
    String name, List<HookSource> sources, DataType result, IndexMap.Fixed target, HookExpr value) {

  /** Most arrays that a hook reads. */
  public static final int MAX_SOURCES = 8;

  /** Deepest nesting of an expression. */
  public static final int MAX_DEPTH = 64;

  /** Most operations in an expression; shared ones are counted at each use. */
  public static final int MAX_NODES = 1024;

  public Hook {
    sources = List.copyOf(sources);
    HookChecks.requireName(name);
    HookChecks.requireSources(sources);
    HookChecks.requireTarget(target);
    HookChecks.requireBounded(value);
    HookChecks.requireDeclared(value, sources);
    HookTyping.requireType(value, result);
  }

  /** A hook that stores output i at element i. */
  public static Hook of(String name, List<HookSource> sources, HookExpr value) {
    return new Hook(name, sources, value.type(), IndexMap.IDENTITY, value);
  }

  /** Reads the text form; an error carries its line and column. */
  public static Hook parse(String text) {
    return new HookParser(text).hook();
  }

  /** This hook with another place for each output. */
  public Hook into(IndexMap.Fixed newTarget) {
    return new Hook(name, sources, result, newTarget, value);
  }

  /** Whether output i depends on element i of each source alone, wherever it is. */
  public boolean elementwise() {
    boolean maps =
        target.equals(IndexMap.IDENTITY)
            && sources.stream().allMatch(source -> source.map().equals(IndexMap.IDENTITY));
    return maps && !places(value);
  }

  private static boolean places(HookExpr part) {
    return part instanceof HookExpr.Index
        || part instanceof HookExpr.Field
        || part.operands().stream().anyMatch(Hook::places);
  }

  /** The canonical text form, which {@link #parse} reads back to an equal hook. */
  public String text() {
    return HookPrinter.print(this);
  }
}
