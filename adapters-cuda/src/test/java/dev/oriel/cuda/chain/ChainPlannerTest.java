package dev.oriel.cuda.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainPlannerTest {

  private static ChainLink.Copy copy(int rank, long to) {
    return new ChainLink.Copy(
        new ChainLink.Place(rank, "out", to), new ChainLink.Place(2, "in", 0), 100);
  }

  @Test
  void copiesGoToPeersInOrderFromTheNextRank() {
    List<ChainLink> links =
        plan(ShippedPrograms.form("copy_all_gather"), 4, 2, Map.of("B", 100L), 0);
    assertThat(links).hasSize(5);
    assertThat(links.subList(1, 4)).containsExactly(copy(3, 200), copy(0, 200), copy(1, 200));
    assertThat(kinds(links.getFirst())).containsExactly("WriteSlot", "PollSlot", "Bar", "End");
    assertThat(((ChainLink.Stage) links.getFirst()).last()).isFalse();
    assertThat(((ChainLink.Stage) links.getLast()).last()).isTrue();
  }

  @Test
  void emptyTransfersAreNotCopied() {
    List<ChainLink> links = plan(ShippedPrograms.form("copy_all_gather"), 4, 2, Map.of("B", 0L), 0);
    assertThat(links).hasSize(1);
    assertThat(kinds(links.getFirst()))
        .containsExactly("WriteSlot", "PollSlot", "Bar", "WriteSlot", "PollSlot", "Bar", "End");
  }

  @Test
  void ranksOfOneWorldHaveTheSameStages() {
    Form form = ShippedPrograms.form("copy_all_to_all");
    for (int place : new int[] {0, 4}) {
      assertThat(plan(form, 4, 1, Map.of("B", 8L), 0).get(place))
          .isEqualTo(plan(form, 4, 2, Map.of("B", 1000L), 0).get(place));
    }
  }

  @Test
  void theRootAndTheOthersHaveDifferentStages() {
    Form form = ShippedPrograms.form("copy_broadcast");
    Map<String, Long> params = Map.of("B", 8L, "root", 1L);
    assertThat(plan(form, 3, 1, params, 0)).hasSize(4);
    assertThat(plan(form, 3, 0, params, 0)).hasSize(1);
    assertThat(plan(form, 3, 1, params, 1)).hasSize(2);
    assertThat(plan(form, 3, 0, params, 1)).hasSize(1);
  }

  /**
   * A word that changes twice is stored once, as a value computed from its value at the start of
   * the launch.
   */
  @Test
  void stateWordsAreComputedFromTheirInitialValues() {
    List<ChainLink> links =
        plan(
            FormParser.parse(
                """
                form f
                input in[8]
                output out[8]
                signal S[1]
                lane engine: copy {
                  state a
                  state b
                  set a = b + 1
                  signal S[0]@((r + 1) % n) set a release
                  move out[0] <- in[0] bytes 8
                  set b = a + a
                }
                """),
            2,
            0,
            Map.of(),
            0);
    assertThat(((ChainLink.Stage) links.getFirst()).steps().getFirst().micro().toString())
        .contains("value=Binary[operator=ADD, left=Name[name=b], right=Const[value=1]]");
    assertThat(kinds(links.getLast())).containsExactly("Set", "Set", "Set", "Set", "Bar", "End");
    assertThat(((ChainLink.Stage) links.getLast()).steps().get(1).micro().toString())
        .isEqualTo(
            "Set[register=next$b, value=Binary[operator=ADD, left=Binary[operator=ADD, left=Name[name=b], right=Const[value=1]], right=Binary[operator=ADD, left=Name[name=b], right=Const[value=1]]]]");
  }

  /** However often a word is incremented, a stage adds one number to it. */
  @Test
  void incrementedWordsAreAddedOnce() {
    Form form =
        FormParser.parse(
            """
            form f
            output out[8]
            lane engine: copy {
              state c
              for i < 20000 { set c = c + 3 }
            }
            """);
    ChainLink.Stage stage = (ChainLink.Stage) plan(form, 2, 0, Map.of(), 0).getLast();
    assertThat(stage.steps().getFirst().micro())
        .isEqualTo(new MicroOperation.Set("next$c", Expr.name("c").plus(60_000)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "move out[epoch & 1] <- in[0] bytes 1 | addresses and sizes in a copy lane must be known before the first launch",
        "if epoch == 1 { sync } | a condition in a copy lane must be known before the first launch",
        "move out[0] <- sum fp32 in fp32 (in[0], in[4]) bytes 4 | a copy engine adds nothing up",
        "move ll[0] pkt16(1) <- in[0] bytes 8 | a copy engine makes no packets",
        "load x <- in[0] | a copy engine copies, and signals and waits in between",
        "state c for t < 64 { set c = c + c } | value follows from too many others: register=c",
        "state c for t < 64 { set c = (c + 1) * c } | value follows from too many others",
        "for t < 5000 { move out[0] <- in[0] bytes 8 sync } | chain is too long"
      })
  void operationsWithoutAnEngineAreRejectedByName(String operation, String why) {
    Form form =
        FormParser.parse(
            """
            form f
            input in[64]
            output out[64]
            scratch ll[64]
            lane engine: copy { %s }
            """
                .formatted(operation));
    assertThatThrownBy(() -> plan(form, 2, 0, Map.of(), 0))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("lane=engine")
        .hasMessageContaining(why);
  }

  private static List<String> kinds(ChainLink link) {
    return ((ChainLink.Stage) link).steps().stream().map(step -> name(step.micro())).toList();
  }

  private static String name(MicroOperation micro) {
    return micro.getClass().getSimpleName();
  }

  private static List<ChainLink> plan(
      Form form, int world, int rank, Map<String, Long> params, int lane) {
    LoweredForm lowered = FormLowering.lower(form, Set.of(PeerKind.NVLINK));
    Program program = Program.bind(form, world, params);
    return ChainPlanner.plan(program.rank(rank), lowered.lanes().get(lane), Map.of());
  }
}
