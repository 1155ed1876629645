package dev.oriel.domain.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.group.GroupCall.Receive;
import dev.oriel.domain.group.GroupCall.Send;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupTest {

  @Test
  void buffersAreInTheOrderOfTheRanksList() {
    Form form =
        Group.form(
            List.of(
                List.of(
                    new Send(1, 8),
                    new Receive(1, 5),
                    new Send(1, 3),
                    new Send(0, 2),
                    new Receive(0, 2)),
                List.of(new Receive(0, 8), new Receive(0, 3), new Send(0, 5))));
    assertThat(claims(form, 2, 0))
        .containsExactly("out[5] = 2 of in[11] at 0", "out[0] = 5 of in[0] at 1");
    assertThat(claims(form, 2, 1))
        .containsExactly("out[0] = 8 of in[0] at 0", "out[8] = 3 of in[8] at 0");
  }

  private static List<String> claims(Form form, int world, int rank) {
    return Program.bind(form, world, Map.of())
        .rank(rank)
        .claims(BoundPostCondition.InitialContents.UNKNOWN)
        .stream()
        .filter(c -> c.bytes() > 0)
        .map(c ->
            "out[%d] = %d of in[%d] at %d"
                .formatted(
                    c.actualOffset(),
                    c.bytes(),
                    c.sources().getFirst().offset(),
                    c.sources().getFirst().rank()))
        .toList();
  }

  @Test
  void emptyTransfersAreOmitted() {
    Form form = Group.form(List.of(List.of(new Send(1, 0)), List.of(new Receive(0, 0))));
    assertThat(FormPrinter.print(form)).doesNotContain("await", "ensure");
    assertThat(FormPrinter.print(Group.form(List.of(List.of())))).contains("lane carry0");
  }

  @Test
  void emptyGroupsHaveNoSlots() {
    List<GroupCall> sends = new ArrayList<>();
    List<GroupCall> receives = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sends.add(new Send(1, i == 99 ? 8 : 0));
      receives.add(new Receive(0, i == 99 ? 8 : 0));
    }
    assertThat(FormPrinter.print(Group.form(List.of(sends, receives)))).contains("signal DATA[1]");
  }

  @Test
  void largeTransfersAreCarriedBySeveralLanes() {
    Form form =
        Group.form(List.of(List.of(new Send(1, 200_000)), List.of(new Receive(0, 200_000))));
    assertThat(form.lanes()).hasSize(4);
    Program.bind(form, 2, Map.of());
  }

  @Test
  void groupsAreLimitedAndTheLargestOneBinds() {
    List<GroupCall> sends = new ArrayList<>();
    List<GroupCall> receives = new ArrayList<>();
    for (int i = 0; i < Group.MOST_TRANSFERS; i++) {
      sends.add(new Send(1, 1_000_000));
      receives.add(new Receive(0, 1_000_000));
    }
    Program.bind(Group.form(List.of(sends, receives)), 2, Map.of());
    sends.add(new Send(1, 1));
    receives.add(new Receive(0, 1));
    refuses(List.of(sends, receives), "too many transfers: transfers=1001, max=1000");
  }

  @Test
  void endsThatDisagreeAreNamed() {
    refuses(
        List.of(
            List.of(new Send(1, 8), new Send(1, 7)), List.of(new Receive(0, 8), new Receive(0, 6))),
        "ends of a group disagree: from=0, to=1, number=2, sent=7, received=6");
    refuses(List.of(List.of(new Send(1, 8)), List.of()), "from=0, to=1, sends=1, receives=0");
    refuses(List.of(List.of(), List.of(new Receive(0, 0))), "from=0, to=1, sends=0, receives=1");
    refuses(List.of(List.of(new Send(2, 8))), "no such rank: rank=0, peer=2, world=1");
    refuses(List.of(List.of(new Send(0, -1))), "bytes out of range: rank=0");
  }

  private static void refuses(List<List<GroupCall>> byRank, String why) {
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> Group.form(byRank))
        .withMessageContaining(why);
  }

  @Test
  void aTextListsBothEndsAtOnce() {
    assertThat(GroupText.form("0-1=8,1-0=5,0-1=3"))
        .isEqualTo(
            Group.form(
                List.of(
                    List.of(new Send(1, 8), new Receive(1, 5), new Send(1, 3)),
                    List.of(new Receive(0, 8), new Send(0, 5), new Receive(0, 3)))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-1|no transfer: text=0-1;",
        "0-1=8,|no transfer: text=;",
        "0>1=8|no transfer: text=0>1=8;",
        "0-1=-8|no transfer",
        "0-1=99999999999999|no transfer",
        "0-2000000=8|no such rank: rank=2000000, max=1048575",
        "0-1=9999999999999|bytes out of range"
      })
  void badTextsAreRefused(String text, String why) {
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> GroupText.form(text))
        .withMessageContaining(why);
  }
}
