package dev.oriel.sim.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.ProcessorTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A finding that a row allows occurs, and one that it forbids occurs in no execution. */
class RowsTest {
  /** Processor time of all rows together. */
  private static final long MOST_NANOS = 10_000_000_000L;

  private static long spent;

  /** Results of shapes that several rows of the catalogue share. */
  private static final Map<String, List<String>> KNOWN = new HashMap<>();

  static Stream<Row> rows() {
    return RowTable.ALL.stream().filter(Row::expressible);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowIsWitnessedOrExhausted(Row row) {
    long start = ProcessorTime.nanos();
    List<String> differences =
        KNOWN.computeIfAbsent(
            row.toString().substring(row.name().length()) + row.found() + row.full(),
            shape -> RowRunner.differences(row));
    long took = ProcessorTime.nanos() - start;
    spent += took;
    if (took > 400_000_000) {
      System.out.printf("%s: ms=%d%n", row, took / 1_000_000);
    }
    if (!row.note().isEmpty()) {
      System.out.printf(
          "known wrong: %s: %s%s%n",
          row, row.note(), differences.isEmpty() ? "; right by now" : "");
      return;
    }
    assertThat(differences).as("%s", row).isEmpty();
  }

  @AfterAll
  static void says() {
    RowTable.ALL.stream()
        .filter(row -> !row.expressible())
        .forEach(row -> System.out.printf("not expressible: %s: %s%n", row.name(), row.note()));
    System.out.printf("rows: %d, ms=%d of a processor%n", rows().count(), spent / 1_000_000);
    assertThat(spent).as("nanoseconds for all rows").isLessThan(MOST_NANOS);
  }
}
