package dev.oriel.domain.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramChoiceTest {
  private static final List<CandidateProgram> ALL = SomeCandidates.ALLGATHER;
  private static final CandidateProgram PUSH = ALL.get(1);

  @Test
  void aPrintedChoiceParsesToItself() {
    for (Optional<LaneCount> lanes :
        List.of(
            Optional.<LaneCount>empty(),
            Optional.of(new LaneCount(16, 512)),
            Optional.of(new LaneCount(8, 1, 512)))) {
      ProgramChoice choice = ProgramChoice.of(PUSH, lanes);
      assertThat(ProgramChoice.parse(choice.text(), ALL)).isEqualTo(choice);
      assertThat(choice.among(ALL)).isSameAs(PUSH);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "push_all_gather",
        "push_all_gather lanes=own",
        "push_all_gather lanes=0x512 digest=00",
        "push_all_gather lanes=1x99999 digest=00",
        "push_all_gather lanes=8+0x512 digest=00",
        "push_all_gather lanes=8+x512 digest=00",
        "push_all_gather lanes=own digest=00 more",
        "push_all_gather lanes=own digest=00\n"
      })
  void anyOtherTextIsNoChoice(String text) {
    assertThatThrownBy(() -> ProgramChoice.parse(text, ALL))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("not a choice: text=" + text);
  }

  @Test
  void unknownAndChangedProgramsAreIgnored() {
    assertThatThrownBy(() -> ProgramChoice.parse("nothing lanes=own digest=00", ALL))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("unknown program: name=nothing; known: ll_all_gather, log_");
    assertThatThrownBy(() -> ProgramChoice.parse("push_all_gather lanes=own digest=00", ALL))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("program has changed: name=push_all_gather, chosen=00, now=");
  }

  @Test
  void lanesAndThreadsReplaceThoseOfTheText() {
    Form form = new LaneCount(3, 96).in(PUSH.form());
    assertThat(LaneCount.definition(form)).contains("K");
    assertThat(form)
        .isEqualTo(
            FormParser.parse(
                ShippedText.of("push_all_gather")
                    .replace("let K = min(40, max(4, ceil(B, 65536)))", "let K = 3")
                    .replace("sm(512)", "sm(96)")));
  }

  @Test
  void lanesForRemotePeersAreSetSeparately() {
    String text = ShippedText.of("split_all_to_all");
    Form form = new LaneCount(3, 2, 96).in(FormParser.parse(text));
    assertThat(form)
        .isEqualTo(
            FormParser.parse(
                text.replace("let K = min(40, max(4, ceil(B, 65536)))", "let K = 3")
                    .replace("let J = min(8, max(1, ceil(B, 524288)))", "let J = 2")
                    .replace("sm(512)", "sm(96)")));
    assertThat(LaneCount.own(Program.bind(form, 2, Map.of("B", 8L, "domain", 1L))))
        .isEqualTo(new LaneCount(3, 2, 96))
        .hasToString("3+2x96");
    assertThat(new LaneCount(3, 3, 96)).isEqualTo(new LaneCount(3, 96)).hasToString("3x96");
    assertThatThrownBy(() -> new LaneCount(3, 2, 96).in(PUSH.form()))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("form counts its lanes once: form=push_all_gather, lanes=3, far=2");
  }

  @Test
  void aFormThatDoesNotCountLanesKeepsThem() {
    Form ring = ShippedText.form("ring_all_gather");
    assertThat(LaneCount.definition(ring)).isEmpty();
    assertThatThrownBy(() -> new LaneCount(3, 96).in(ring))
        .hasMessageStartingWith("lanes are not counted: form=ring_all_gather");
  }
}
