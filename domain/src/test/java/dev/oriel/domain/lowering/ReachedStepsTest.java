package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReachedStepsTest {
  @ParameterizedTest
  @CsvSource({
    "r == 0, 0, yes",
    "r == 0, 1, no",
    "r < 2, 1, yes",
    "r < 2, 2, no",
    "1 <= r and r < 3, 0, no",
    "1 <= r and r < 3, 2, yes",
    "n == 2, 0, both",
    "r + 1 == 2, 1, both",
    "r == 0 and n == 2, 0, both",
    "r == 0 and n == 2, 1, no",
  })
  void comparisonsOfTheRankWithNumbersAreDecided(String condition, int rank, String taken) {
    Set<String> reached =
        reached(
            """
            form some
            signal S[2]
            lane main: sm(32) {
              if CONDITION { signal S[0]@0 set 1 release } else { signal S[1]@0 set 2 release }
            }
            """
                .replace("CONDITION", condition),
            rank);
    assertThat(reached.contains("0")).as("%s", reached).isEqualTo(!taken.equals("no"));
    assertThat(reached.contains("1")).as("%s", reached).isEqualTo(!taken.equals("yes"));
  }

  @Test
  void allStepsOfALoopAreReachedAndTheEndOfALaneThatHasNone() {
    LoweredLane lane =
        lane(
            """
            form some
            signal S[8]
            lane main: sm(32) {
              if r == 5 { for i < n { signal S[i]@0 set 1 release } }
            }
            """);
    int size = lane.steps().size();
    assertThat(ReachedSteps.of(lane, 5).cardinality()).isEqualTo(size);
    assertThat(ReachedSteps.of(lane, 4).get(size - 1)).isTrue();
    assertThat(ReachedSteps.of(lane, 4).cardinality()).isLessThan(size);
  }

  private static LoweredLane lane(String text) {
    return FormLowering.lower(FormParser.parse(text), Set.of(PeerKind.NVLINK)).lanes().getFirst();
  }

  /** The indices of the signals that are reached. */
  private static Set<String> reached(String text, int rank) {
    LoweredLane lane = lane(text);
    return ReachedSteps.of(lane, rank).stream()
        .mapToObj(i -> lane.steps().get(i).micro())
        .filter(MicroOperation.WriteSlot.class::isInstance)
        .map(m -> StepPrinter.print(m).replaceAll(".*S\\[(\\d)].*", "$1"))
        .collect(Collectors.toSet());
  }
}
