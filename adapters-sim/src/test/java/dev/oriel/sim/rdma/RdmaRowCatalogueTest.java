package dev.oriel.sim.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.rdma.RdmaRow.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue and the axioms agree, and each verdict depends on a single edit. */
class RdmaRowCatalogueTest {
  private static final Set<RdmaRule> ALL = EnumSet.allOf(RdmaRule.class);

  static Stream<RdmaRow> rows() {
    return RdmaRowCatalogue.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowHasItsVerdict(RdmaRow row) {
    assertThat(RdmaOracle.allows(row, ALL))
        .as("%s: %s", row.name(), row.shape())
        .isEqualTo(row.verdict() == Verdict.ALLOWED);
  }

  /** Otherwise an outcome could be forbidden because there is no execution at all. */
  @ParameterizedTest
  @MethodSource("rows")
  void everyRowHasExecutions(RdmaRow row) {
    assertThat(RdmaOracle.allows(row.anyEnd(), ALL)).isTrue();
  }

  /** Without any one of the rules, some forbidden row is allowed. */
  @ParameterizedTest
  @EnumSource
  void everyRuleDecidesARow(RdmaRule rule) {
    Set<RdmaRule> others = EnumSet.complementOf(EnumSet.of(rule));
    assertThat(rows())
        .anyMatch(row -> row.verdict() == Verdict.FORBIDDEN && RdmaOracle.allows(row, others));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowIsOneEditFromTheOtherVerdict(RdmaRow row) {
    assertThat(RdmaRowCatalogue.ALL)
        .anyMatch(
            other -> other.verdict() != row.verdict() && edits(row.lines(), other.lines()) == 1);
  }

  @Test
  void theCatalogueIsComplete() {
    assertThat(
            RdmaRowCatalogue.ALL.stream()
                .map(row -> row.name().replaceAll("[a-z]$", ""))
                .distinct())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 34).mapToObj(n -> "R" + n).toList());
    assertThat(RdmaRowCatalogue.ALL.stream().map(RdmaRow::name)).doesNotHaveDuplicates();
    assertThat(RdmaRowCatalogue.LEFT_OUT.keySet())
        .isSubsetOf(IntStream.rangeClosed(1, 34).mapToObj(n -> "R" + n).toList());
  }

  /** Lines inserted, removed, changed, or swapped with their neighbour. */
  private static int edits(List<String> a, List<String> b) {
    int[][] edits = new int[a.size() + 1][b.size() + 1];
    for (int i = 0; i <= a.size(); i++) {
      for (int j = 0; j <= b.size(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int change = a.get(i - 1).equals(b.get(j - 1)) ? 0 : 1;
        int fewest = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
        fewest = Math.min(fewest, edits[i - 1][j - 1] + change);
        boolean swapped =
            i > 1
                && j > 1
                && a.get(i - 1).equals(b.get(j - 2))
                && a.get(i - 2).equals(b.get(j - 1));
        edits[i][j] = swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
      }
    }
    return edits[a.size()][b.size()];
  }
}
