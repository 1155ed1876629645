package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProgramTest {

  @Test
  void theAllGatherClaimsEveryRanksBytesInRankOrder() {
    Program program = Program.bind(ShippedText.form("ll_all_gather"), 5, Map.of("B", 12L));
    for (int rank = 0; rank < 5; rank++) {
      assertThat(program.rank(rank).claims(BoundPostCondition.InitialContents.UNKNOWN))
          .isEqualTo(
              IntStream.range(0, 5)
                  .mapToObj(p -> BoundPostCondition.copy(0, "out", p * 12L, p, "in", 0, 12))
                  .toList());
    }
  }

  @Test
  void theRingClaimsItsPredecessorsBytes() {
    Program program = Program.bind(ShippedText.form("ring_send_recv"), 4, Map.of("B", 7L));
    assertThat(program.rank(0).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .containsExactly(BoundPostCondition.copy(0, "out", 0, 3, "in", 0, 7));
    assertThat(program.rank(1).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .containsExactly(BoundPostCondition.copy(0, "out", 0, 0, "in", 0, 7));
    assertThat(program.rank(3).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .containsExactly(BoundPostCondition.copy(0, "out", 0, 2, "in", 0, 7));
    Program alone = Program.bind(ShippedText.form("ring_send_recv"), 1, Map.of());
    assertThat(alone.rank(0).claims(BoundPostCondition.InitialContents.UNKNOWN))
        .containsExactly(BoundPostCondition.copy(0, "out", 0, 0, "in", 0, 16_777_216));
  }

  @Test
  void claimsOfEveryKindOfPeersAreMadeConcrete() {
    String text =
        """
        form f
        output b[64]
        ensure each p in peers: b[p * 8] = b@p[r] bytes p + 1
        ensure each p in self: b[p] = b[0] bytes 1
        ensure each p in @((r + 1) %% n): b[8] = b@((p + 1) %% n)[p] bytes 2
        ensure b[r] = b[3] bytes 4
        lane l: host {}
        """
            .formatted();
    assertThat(
            Program.bind(FormParser.parse(text), 3, Map.of())
                .rank(1)
                .claims(BoundPostCondition.InitialContents.UNKNOWN))
        .containsExactly(
            BoundPostCondition.copy(0, "b", 0, 0, "b", 1, 1),
            BoundPostCondition.copy(0, "b", 16, 2, "b", 1, 3),
            BoundPostCondition.copy(1, "b", 1, 1, "b", 0, 1),
            BoundPostCondition.copy(2, "b", 8, 0, "b", 2, 2),
            BoundPostCondition.copy(3, "b", 1, 1, "b", 3, 4));
  }

  @Test
  void lanesAreExpandedInTheOrderOfTheirIndices() {
    String text = "form f lane z(y < 2, b < 3): host {} lane a: copy {} lane e(i < 0): host {}";
    RankProgram rank = Program.bind(FormParser.parse(text), 1, Map.of()).rank(0);
    assertThat(rank.lanes().stream().map(RankProgram.LaneInstance::label))
        .containsExactly("z[0, 0]", "z[0, 1]", "z[0, 2]", "z[1, 0]", "z[1, 1]", "z[1, 2]", "a");
    assertThat(rank.lanes().get(5).indices())
        .containsExactly(Map.entry("y", 1L), Map.entry("b", 2L));
    assertThat(rank.lanes().get(5).lane().name()).isEqualTo("z");
  }

  @Test
  void aRankKnowsItsSizesAndNames() {
    String text = "form f param B <= 9 let x = B + r input a[x * 8] signal D[B] lane l: host {}";
    Program program = Program.bind(FormParser.parse(text), 3, Map.of("B", 5L));
    RankProgram rank = program.rank(2);
    assertThat(rank.rank()).isEqualTo(2);
    assertThat(rank.program()).isSameAs(program);
    assertThat(rank.bytes("a")).isEqualTo(56);
    assertThat(rank.slots("D")).isEqualTo(5);
    assertThat(rank.known("x")).isEqualTo(7);
    assertThat(rank.known("n")).isEqualTo(3);
    assertThatThrownBy(() -> rank.known("epoch"))
        .isInstanceOf(ProgramException.class)
        .hasMessage("name not known at binding: name=epoch, form=f; known: B, n, r, x");
    assertThatThrownBy(() -> rank.bytes("z"))
        .isInstanceOf(ProgramException.class)
        .hasMessage("unknown buffer: name=z; declare it");
    assertThatThrownBy(() -> rank.slots("z"))
        .isInstanceOf(ProgramException.class)
        .hasMessage("unknown signal: name=z; declare it");
  }

  @Test
  void theDigestNamesFormWorldAndParameters() {
    Program program = Program.bind(ShippedText.form("ring_send_recv"), 4, Map.of("B", 7L));
    assertThat(program.digest()).isEqualTo("de483a872e2089832bd2a78a2f772ace");
    assertThat(program.form()).isEqualTo(ShippedText.form("ring_send_recv"));
    assertThat(program.world()).isEqualTo(4);
    List<String> others =
        List.of(
            Program.bind(program.form(), 5, Map.of("B", 7L)).digest(),
            Program.bind(program.form(), 4, Map.of("B", 8L)).digest(),
            Program.bind(ShippedText.form("ll_all_gather"), 4, Map.of("B", 7L)).digest());
    assertThat(others).doesNotContain(program.digest()).doesNotHaveDuplicates();
    assertThat(Program.bind(program.form(), 4, Map.of("B", 7L)).digest())
        .isEqualTo(program.digest());
  }

  @Test
  void anUnvalidatedFormIsValidated() {
    Form form =
        new Form(
            "f", List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
            List.of());
    assertThatThrownBy(() -> Program.bind(form, 1, Map.of()))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("no lane");
  }
}
