package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps and the text's positions use the same numbers for operations. */
class StepPlacesTest {
  /** Every store writes the number of its own line. */
  private static final String NUMBERED =
      """
      form numbered
      scratch a[8] scratch b[8] barrier all_in
      lane first: sm(32) {
        store a[0] <- 4
        if r == 0 { let x = 1
          store a[0] <- 6
          for t < 2 {
            store a[0] <- 8
            put b@((r + 1) % n)[0] <- a[0] bytes 4 count 2 step 4, 4
            store a[0] <- 10
          }
          store a[0] <- 12
        } else {
          each q in peers {
            store a[0] <- 15
            if r == 1 { sync } else {
              store a[0] <- 17
            }
          }
          store a[0] <- 20
        }
        barrier all_in
        store a[0] <- 23
      }
      lane second: sm(32) {
        join first
        store a[0] <- 27
      }
      """;

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "RDMA"})
  void aStepNamesThePlaceOfItsOperation(PeerKind link) {
    Form form = FormParser.parse(NUMBERED);
    Map<String, List<TextPosition>> places = FormParser.read(NUMBERED).operations();
    List<Long> lines = new ArrayList<>();
    for (LoweredLane lane : FormLowering.lower(form, Set.of(link)).lanes()) {
      List<TextPosition> of = places.getOrDefault(lane.lane().name(), List.of());
      for (LoweredStep step : lane.steps()) {
        if (step.micro()
            instanceof MicroOperation.StoreWord(var word, int width, Expr.Const(long line))) {
          lines.add(line);
          assertThat(of.get(step.operation()).line()).as(step.why()).isEqualTo((int) line);
        }
        assertThat(step.operation()).isBetween(-1, of.size() - 1);
      }
      assertThat(lane.steps().getLast().operation()).isEqualTo(-1);
    }
    assertThat(lines).containsExactly(4L, 6L, 8L, 10L, 12L, 15L, 17L, 20L, 23L, 27L);
  }
}
