package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.it.options.SourceText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of a text that no search executes.
 *
 * @param never those that nothing executes, in words; empty if there are none
 * @param line the line of the first of these, if the program has a text
 * @param once those that only combinations execute which are not searched, in words
 */
record UnreachedWords(
    Optional<String> never, Optional<SourceText.Line> line, Optional<String> once) {
  static final UnreachedWords NONE =
      new UnreachedWords(Optional.empty(), Optional.empty(), Optional.empty());

  private static final int NAMED = 3;

  static UnreachedWords of(CheckCoverage coverage, Optional<SourceText> source) {
    Program shown = coverage.shown().combination().program();
    List<Program> searched =
        coverage.checked().stream()
            .map(one -> one.combination().program())
            .filter(program -> program.form().equals(shown.form()))
            .toList();
    List<UnreachedBlocks.Block> unsearched = UnreachedBlocks.of(shown.form(), searched);
    if (unsearched.isEmpty()) {
      return NONE;
    }
    List<Program> all =
        Stream.concat(
                searched.stream(), coverage.sampled().executed().stream().map(Combination::program))
            .toList();
    List<UnreachedBlocks.Block> never = UnreachedBlocks.of(shown.form(), all);
    return new UnreachedWords(
        words(never, source, "not executed for any of these values and worlds"),
        never.stream()
            .findFirst()
            .flatMap(block -> source.flatMap(text -> text.line(block.lane(), block.operation()))),
        words(
            unsearched.stream().filter(block -> !never.contains(block)).toList(),
            source,
            "only executed once for each of some values and worlds"));
  }

  /** What a verdict leaves out. */
  Optional<String> words() {
    List<String> both = Stream.of(never, once).flatMap(Optional::stream).toList();
    return both.isEmpty() ? Optional.empty() : Optional.of(String.join(", and not for ", both));
  }

  private static Optional<String> words(
      List<UnreachedBlocks.Block> blocks, Optional<SourceText> source, String how) {
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    String more = blocks.size() > NAMED ? " and %d more".formatted(blocks.size() - NAMED) : "";
    return Optional.of(
        blocks.stream()
            .limit(NAMED)
            .map(block -> words(block, source))
            .collect(Collectors.joining(", ", "", more + ": " + how)));
  }

  private static String words(UnreachedBlocks.Block block, Optional<SourceText> source) {
    return source
        .flatMap(text -> text.line(block.lane(), block.operation()))
        .map(line -> "line " + line.number())
        .orElseGet(() -> "operation %d of lane %s".formatted(block.operation() + 1, block.lane()));
  }
}
