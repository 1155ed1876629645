package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.it.options.SourceText;
import java.util.List;
import java.util.Optional;

/** The blocks that no checked combination executes, in words. */
final class UnreachedWords {
  private static final int NAMED = 3;

  private UnreachedWords() {}

  /** Empty if there are none. */
  static Optional<String> of(CheckCoverage coverage, Optional<SourceText> source) {
    Program shown = coverage.shown().combination().program();
    List<Program> programs =
        coverage.checked().stream()
            .map(one -> one.combination().program())
            .filter(program -> program.form().equals(shown.form()))
            .toList();
    List<String> blocks =
        UnreachedBlocks.of(shown.form(), programs).stream()
            .map(block -> words(block, source))
            .toList();
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    String more = blocks.size() > NAMED ? " and %d more".formatted(blocks.size() - NAMED) : "";
    return Optional.of(
        String.join(", ", blocks.subList(0, Math.min(NAMED, blocks.size())))
            + more
            + ": not executed for any of these values and worlds");
  }

  private static String words(UnreachedBlocks.Block block, Optional<SourceText> source) {
    return source
        .flatMap(text -> text.line(block.lane(), block.operation()))
        .map(line -> "line " + line.number())
        .orElseGet(() -> "operation %d of lane %s".formatted(block.operation() + 1, block.lane()));
  }
}
