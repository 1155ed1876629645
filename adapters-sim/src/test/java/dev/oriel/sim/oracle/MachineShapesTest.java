package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Shapes that the machine once misjudged, or that have more steps than {@link
 * ProgramsAgainstAxiomsTest} draws. Each is a program and a litmus test, and the machine shows
 * exactly the outcomes that the axioms allow.
 */
class MachineShapesTest {
  private static Set<String> machine(String text) {
    return new TreeSet<>(List.of(new MachineOutcomes().apply(text).split("\n", -1)));
  }

  private static Set<String> axioms(LitmusTest test) {
    Set<String> states = new TreeSet<>();
    for (List<Long> state : new LitmusChecker(MemoryModel.PTX_ISA).states(test)) {
      states.add(state.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
    return states;
  }

  /**
   * Two readers disagree on the order of two relaxed stores although sc fences separate their
   * reads. A plain load misses its own lane's strong store. Copies miss values that were found, or
   * return values whose replacement is ordered before.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 0 1 0 | store word[0] <- 1 relaxed; store word[8] <- 1 relaxed; load a <- word[0] relaxed: order sc sys: load b <- word[8] relaxed; load c <- word[8] relaxed: order sc sys: load d <- word[0] relaxed | st.relaxed.sys x, 1; st.relaxed.sys y, 1; ld.relaxed.sys r1, x: fence.sc.sys: ld.relaxed.sys r2, y; ld.relaxed.sys r1, y: fence.sc.sys: ld.relaxed.sys r2, x | P2:r1; P2:r2; P3:r1; P3:r2
          0       | store word[0] <- 1 relaxed: load a <- word[0]                                  | st.relaxed.sys x, 1: ld.weak r1, x | P0:r1
          1 0     | store word[0] <- 1 relaxed; load a <- word[0] relaxed: sync: move word[16] <- word[0] bytes 8: sync: load b <- word[16] | st.relaxed.sys x, 1; ld.relaxed.sys r1, x: ld.weak r2, x | P1:r1; P1:r2
          1 0     | store word[0] <- 1 release: store word[0] <- 2 relaxed; load a <- word[0] acquire: sync: load b <- word[0] | st.release.sys x, 1: st.relaxed.sys x, 2; ld.acquire.sys r1, x: ld.weak r2, x | P1:r1; P1:r2
          """)
  void forbiddenOutcomesAreNotShown(String outcome, String lanes, String columns, String observed) {
    assertThat(agreed(lanes, columns, observed)).doesNotContain(outcome);
  }

  /**
   * A store of a word reads nothing: it neither acquires the release of the message that it
   * replaces nor passes it on. Earlier releases of its own lane in that word remain, whatever other
   * lanes wrote in between. Releases that its lane only passed on do not remain.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          0 1 2 | store word[0] <- 1 relaxed: store word[8] <- 1 release; store word[8] <- 2 relaxed: order sys: load a <- word[0] relaxed; load b <- word[8] relaxed: load c <- word[8] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; st.relaxed.sys y, 2: fence.acq_rel.sys: ld.relaxed.sys r1, x; ld.relaxed.sys r1, y: ld.relaxed.sys r2, y | P1:r1; P2:r1; P2:r2
          1 2 0 | store word[0] <- 1 relaxed: store word[8] <- 1 release; load a <- word[8] relaxed: store word[8] <- 2 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; ld.relaxed.sys r1, y: st.relaxed.sys y, 2; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P1:r1; P2:r1; P2:r2
          2 0   | store word[0] <- 1 relaxed: store word[8] <- 1 release: store word[8] <- 3 relaxed; store word[8] <- 2 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1: st.relaxed.sys y, 3; st.relaxed.sys y, 2; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P2:r1; P2:r2
          1 5 0 | store word[0] <- 1 relaxed: store word[8] <- 1 release; atomic word[16] <- word[8] add 1: store word[8] <- 5 relaxed; load b <- word[8] acquire: load c <- word[0] relaxed | st.relaxed.sys x, 1: st.release.sys y, 1; atom.relaxed.sys.add r1, y, 1: st.relaxed.sys y, 5; ld.acquire.sys r1, y: ld.relaxed.sys r2, x | P1:r1; P2:r1; P2:r2
          """)
  void aStoreReadsNothing(String outcome, String lanes, String columns, String observed) {
    assertThat(agreed(lanes, columns, observed)).contains(outcome);
  }

  /** The outcomes of lanes and of a test's columns, which are the same. */
  private static Set<String> agreed(String lanes, String columns, String observed) {
    StringBuilder program = new StringBuilder("form known\nscratch word[24]\n");
    List<String> bodies = List.of(lanes.split("; ", -1));
    for (int lane = 0; lane < bodies.size(); lane++) {
      program.append("lane l%d: sm(32) {\n".formatted(lane));
      program.append(bodies.get(lane).replace(": ", "\n")).append("\n}\n");
    }
    StringJoiner head = new StringJoiner(" | ");
    List<List<String>> cells = new ArrayList<>();
    for (String column : columns.split("; ", -1)) {
      head.add("P%d@cta %d,gpu 0".formatted(cells.size(), cells.size()));
      cells.add(List.of(column.split(": ", -1)));
    }
    StringBuilder test = new StringBuilder("PTX known\n{ x=0; y=0; }\n" + head + " ;\n");
    for (int row = 0; row < 3; row++) {
      int now = row;
      test.append(
          cells.stream()
              .map(column -> now < column.size() ? column.get(now) : "")
              .collect(Collectors.joining(" | ", "", " ;\n")));
    }
    test.append("locations [%s]\nexists true".formatted(observed));
    Set<String> allowed = axioms(LitmusParser.parse(test.toString()));
    assertThat(machine(program.toString())).isEqualTo(allowed);
    return allowed;
  }
}
