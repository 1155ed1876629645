package dev.oriel.sim.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue is complete, and each verdict depends on a single edit. */
class RowCatalogueTest {

  static Stream<Row> rows() {
    return RowTable.ALL.stream().filter(Row::expressible);
  }

  static Stream<String> names() {
    return Stream.of("G33", "R34", "X11")
        .flatMap(last ->
            IntStream.rangeClosed(1, Integer.parseInt(last.substring(1)))
                .mapToObj(n -> last.charAt(0) + "" + n));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowIsOneEditFromTheOtherVerdict(Row row) {
    boolean found =
        rows().anyMatch(other -> other.allowed() != row.allowed() && other.distance(row) == 1);
    assertThat(found).as("%s", row).isTrue();
  }

  /** Both verdicts as a program, or the reason why there is none; GPU rows as litmus tests too. */
  @ParameterizedTest
  @MethodSource("names")
  void everyRowHasBothVerdicts(String name) {
    List<Boolean> programs = new ArrayList<>();
    List<Boolean> litmus = new ArrayList<>();
    boolean said = false;
    for (Row row : RowTable.ALL) {
      if (row.name().equals(name) && row.expressible()) {
        (row.litmus() ? litmus : programs).add(row.allowed());
      }
      said |= row.name().equals(name) && !row.expressible();
    }
    assertThat(said || (programs.contains(true) && programs.contains(false))).isTrue();
    assertThat(!name.startsWith("G") || (litmus.contains(true) && litmus.contains(false))).isTrue();
  }

  @Test
  void noRowOccursTwice() {
    assertThat(RowTable.ALL.stream().map(Row::toString)).doesNotHaveDuplicates();
    assertThat(RowTable.ALL.stream().map(Row::name).distinct().toList())
        .hasSameElementsAs(names().toList());
  }
}
