package dev.oriel.it.check;

import dev.oriel.domain.boundary.UnreachedBlocks;
import dev.oriel.domain.program.Form;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.options.VariedForm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of a text that no search executes.
 *
 * @param blocks those that nothing executes
 * @param never the same in words; empty if there are none
 * @param line the line of the first of these, if the program has a text
 * @param once those that only combinations execute which are not searched, in words
 */
record UnreachedWords(
    List<UnreachedBlocks.Block> blocks,
    Optional<String> never,
    Optional<SourceText.Line> line,
    Optional<String> once) {
  static final UnreachedWords NONE =
      new UnreachedWords(List.of(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final int NAMED = 3;

  /**
   * Those of the form that was checked.
   *
   * @param source the lines of the form's text
   */
  static UnreachedWords of(CheckCoverage coverage, Optional<SourceText> source) {
    Form form = coverage.shown().combination().program().form();
    return of(coverage, new VariedForm(form, List.of(Map.of()), source));
  }

  /** Those of a form in which parameters differ between launches, before that change. */
  static UnreachedWords of(CheckCoverage coverage, VariedForm varied) {
    Form checked = coverage.shown().combination().program().form();
    Form form = varied.before();
    Optional<SourceText> source = varied.source();
    List<UnreachedBlocks.Binding> searched =
        coverage.checked().stream()
            .map(one -> one.combination().program())
            .filter(program -> program.form().equals(checked))
            .flatMap(varied::bindings)
            .toList();
    List<UnreachedBlocks.Block> unsearched = UnreachedBlocks.of(form, searched);
    if (unsearched.isEmpty()) {
      return NONE;
    }
    List<UnreachedBlocks.Binding> all =
        Stream.concat(
                searched.stream(),
                coverage.sampled().executed().stream()
                    .map(Combination::program)
                    .flatMap(varied::bindings))
            .toList();
    List<UnreachedBlocks.Block> never = UnreachedBlocks.of(form, all);
    return new UnreachedWords(
        never,
        words(never, source, "not executed for any of these values and worlds"),
        never.stream()
            .findFirst()
            .flatMap(block -> source.flatMap(text -> text.line(block.lane(), block.operation()))),
        words(
            unsearched.stream().filter(block -> !never.contains(block)).toList(),
            source,
            "only executed once for each of some values and worlds"));
  }

  /** Whether a form with these values executes one of the blocks that nothing executed. */
  boolean isReached(Form form, int world, Map<String, Long> params) {
    return !UnreachedBlocks.of(form, List.of(new UnreachedBlocks.Binding(world, params)))
        .containsAll(blocks);
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
