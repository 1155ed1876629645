package dev.oriel.ports.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CandidateProgram;
import dev.oriel.domain.tuning.Collective;
import dev.oriel.domain.tuning.CostModel;
import dev.oriel.domain.tuning.ProgramChoice;
import dev.oriel.domain.tuning.TuningKey;
import dev.oriel.ports.TuningStore;
import dev.oriel.ports.tuning.Tuner.Decision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TunerTest {
  private static final Topology TWO = Topology.grid(1, 2);
  private static final TuningKey KEY =
      TuningKey.of(Collective.SENDRECV, 100, Optional.empty(), TWO, "any");
  private static final CandidateProgram SMALL = new CandidateProgram("small", form("small", 64));
  private static final CandidateProgram LARGE = new CandidateProgram("large", form("large", 128));
  private static final CandidateProgram OTHER = new CandidateProgram("other", form("other", 128));
  private static final List<CandidateProgram> ALL = List.of(SMALL, LARGE, OTHER);

  /** Costs increase with names in alphabetical order. */
  private static final CostModel BY_NAME = (program, topology) -> program.form().name().charAt(0);

  private static final CostModel UNASKED =
      (program, topology) -> {
        throw new AssertionError("priced although a choice was kept");
      };

  private final Map<String, String> kept = new HashMap<>();
  private final TuningStore store =
      new TuningStore() {
        @Override
        public Optional<String> find(String key) {
          return Optional.ofNullable(kept.get(key));
        }

        @Override
        public void keep(String key, String configuration) {
          kept.put(key, configuration);
        }
      };

  @Test
  void aChoiceIsMadeOnceAndKept() {
    Decision first = new Tuner(store, BY_NAME).choose(KEY, TWO, ALL);
    assertThat(first)
        .isEqualTo(
            new Decision(ProgramChoice.of(LARGE, Optional.empty()), false, Optional.empty()));
    assertThat(kept).containsExactly(Map.entry(KEY.text(), first.choice().text()));
    assertThat(new Tuner(store, UNASKED).choose(KEY, TWO, ALL))
        .isEqualTo(new Decision(first.choice(), true, Optional.empty()));
  }

  @Test
  void aStoredChoiceIsUsedEvenIfItIsSlower() {
    ProgramChoice measured = ProgramChoice.of(OTHER, Optional.empty());
    kept.put(KEY.text(), measured.text());
    assertThat(new Tuner(store, UNASKED).choose(KEY, TWO, ALL).choice()).isEqualTo(measured);
  }

  /** The last one names a program that does not accept that many bytes. */
  @ParameterizedTest
  @CsvSource({
    "1 2 3, not a choice",
    "gone lanes=own digest=00, unknown program: name=gone",
    "large lanes=own digest=00, program has changed",
    "SMALL, parameter out of range: name=B"
  })
  void invalidChoicesAreIgnoredWithTheirReason(String text, String reason) {
    kept.put(
        KEY.text(), text.equals("SMALL") ? ProgramChoice.of(SMALL, Optional.empty()).text() : text);
    Decision decision = new Tuner(store, BY_NAME).choose(KEY, TWO, ALL);
    assertThat(decision.choice()).isEqualTo(ProgramChoice.of(LARGE, Optional.empty()));
    assertThat(decision.kept()).isFalse();
    assertThat(decision.ignored().orElseThrow()).startsWith(reason);
    assertThat(kept).containsEntry(KEY.text(), decision.choice().text());
  }

  @Test
  void nothingIsKeptWhereNothingCanRun() {
    assertThatThrownBy(() -> new Tuner(store, BY_NAME).choose(KEY, TWO, List.of(SMALL)))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("no program can do this");
    assertThat(kept).isEmpty();
  }

  private static Form form(String name, long most) {
    return FormParser.parse(
        """
        form %s
        param B <= %d
        input in[B]
        output out[B]
        ensure out[0] = in[0] bytes B

        lane main: sm(32) {
          move out[0] <- in[0] bytes B
        }
        """
            .formatted(name, most));
  }
}
