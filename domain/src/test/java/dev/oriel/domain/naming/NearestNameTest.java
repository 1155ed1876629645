package dev.oriel.domain.naming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.ProcessorTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  private static final List<String> WORDS =
      List.of("move", "signal", "await", "acquire", "relaxed", "release", "succ", "B", "--world");

  @ParameterizedTest
  @CsvSource({
    "mvoe, move", "mve, move", "moove, move", "mave, move", "MOVE, move", "aquire, acquire",
    "releas, release", "relase, release", "suc, succ", "b, B", "--wrold, --world", "awiat, await"
  })
  void findsTheNameThatIsMeant(String given, String meant) {
    assertThat(NearestName.of(given, WORDS)).contains(meant);
    assertThat(NearestName.question(given, WORDS)).isEqualTo("did you mean " + meant + "? ");
  }

  @ParameterizedTest
  @CsvSource({"x", "c", "BB", "mo", "put", "everything", "''"})
  void suggestsNothingFarAway(String given) {
    assertThat(NearestName.of(given, WORDS)).isEmpty();
    assertThat(NearestName.question(given, WORDS)).isEmpty();
  }

  @Test
  void theNearestWinsAndOfEqualsTheFirst() {
    assertThat(NearestName.of("boxes", List.of("boxing", "boxed", "boxer"))).contains("boxed");
    assertThat(NearestName.of("out", List.of("out"))).as("the name itself is no mistake").isEmpty();
  }

  @Test
  void longNamesCostLittle() {
    String longName = "a".repeat(1 << 20);
    List<String> known = Collections.nCopies(1_000, longName + "b");
    assertThat(ProcessorTime.of(() -> NearestName.of(longName, known)))
        .isLessThan(Duration.ofSeconds(2));
  }
}
