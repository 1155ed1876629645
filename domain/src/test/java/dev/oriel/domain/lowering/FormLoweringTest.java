package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormLoweringTest {
  private static final String SIGNAL = "signal D[0] set 1 release";

  /**
   * Whether the signal at the start of each turn needs a barrier depends on the end of the turn.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move b[0] <- a[0] bytes 8                                            | true
          load x <- a[0] <= 8 else 1                                           | true
          store b[0] <- 1                                                      | true
          move b[0] <- a[0] bytes 8 signal D[0] set 1 relaxed                  | true
          move b[0] <- a[0] bytes 8 let x = 1 set s = 1 check x == 1 else 1    | true
          move b[0] <- a[0] bytes 8 if s == 1 { sync }                         | true
          sync if s == 1 { move b[0] <- a[0] bytes 8 }                         | true
          sync if s == 1 {} else { move b[0] <- a[0] bytes 8 }                 | true
          move b[0] <- a[0] bytes 8 for u < 2 { sync }                         | true
          sync for u < 2 { store b[0] <- 1 }                                   | true
          move b[0] <- a[0] bytes 8 each p in peers { sync }                   | true
          sync each p in all { store b[0] <- p }                               | true
          sync each p in self { store b[0] <- p }                              | true
          let x = 1 set s = 1 check x == 1 else 1                              | false
          signal D[0] set 1 relaxed await D[0] == 1 relaxed                    | false
          move b[0] <- a[0] bytes 8 signal D[1] set 1 release                  | false
          move b[0] <- a[0] bytes 8 await D[0] == 1 acquire                    | false
          move b[0] <- a[0] bytes 8 await D[0] == 1 relaxed                    | false
          move k: b[0] <- a[0] bytes 8 await ticket k                          | false
          move b[0] <- a[0] bytes 8 flush peers local                          | false
          move b[0] <- a[0] bytes 8 sync                                       | false
          move b[0] <- a[0] bytes 8 join other                                 | false
          move b[0] <- a[0] bytes 8 if s == 1 { sync } else { sync }           | false
          move b[0] <- a[0] bytes 8 sync for u < 2 { store b[0] <- 1 sync }    | false
          sync each p in all { store b[0] <- p sync }                          | false
          move b[0] <- a[0] bytes 8 each p in self { sync }                    | false
          move b[0] <- a[0] bytes 8 each p in @s { sync }                      | false
          """)
  void anIterationStartsWithABarrierIfAccessesArePending(String rest, boolean barrier) {
    List<String> steps = steps("for t < 9 { " + SIGNAL + " " + rest + " }", PeerKind.NVLINK);
    int signal = steps.indexOf(SIGNAL);
    assertThat(steps.get(signal - 1).equals("bar")).isEqualTo(barrier);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          for t < s { set s = s + 1 }                                      | true
          for t < nz32(s) { if t == 1 { set s = s + 1 } }                  | true
          for t < 1 + s { if t == 1 {} else { set s = s + 1 } }            | true
          for t < s + 1 { for u < 2 { set s = s + 1 } }                    | true
          for t < s * 2 { each p in all { set s = s + 1 } }                | true
          for t < s { set w = s + 1 }                                      | false
          for t < w { set s = w + 1 sync }                                 | false
          for t < 4 { set s = s + 1 }                                      | false
          """)
  void aCountIsSavedIfTheBodyChangesIt(String loop, boolean held) {
    List<String> steps = steps(loop, PeerKind.NVLINK);
    assertThat(steps.stream().anyMatch(step -> step.startsWith("held$"))).isEqualTo(held);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "move b[0], b[8] <- a@(0)[0] bytes 8",
        "move b@peers[0] <- a@(0)[0] bytes 8",
        "move b[0] pkt8(1) <- a@(0)[0] bytes 4",
        "move b[0] <- sum fp32 in fp32 (a@(0)[0]) bytes 8",
        "move b[0] <- sum fp32 in fp32 (a[0], a@(0)[0]) bytes 8"
      })
  void aReadOverRdmaFillsOnePlainRegion(String move) {
    assertThat(steps(move, PeerKind.NVLINK)).hasSize(3);
    for (PeerKind[] kinds : new PeerKind[][] {{PeerKind.RDMA}, {PeerKind.NVLINK, PeerKind.RDMA}}) {
      assertThatThrownBy(() -> steps(move, kinds))
          .isInstanceOf(ProgramException.class)
          .hasMessage(
              "move has no RDMA form: lane=l, operation="
                  + move
                  + "; a read over RDMA fills one region of the rank's own memory");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "move b@peers[0] <- b[0] pkt8(1) bytes 4",
        "move b@peers[0] <- sum fp32 in fp32 (a[0], b[0]) bytes 8"
      })
  void aWriteOverRdmaCopiesOnePlainRegion(String move) {
    assertThat(steps(move, PeerKind.NVLINK)).hasSize(3);
    assertThatThrownBy(() -> steps(move, PeerKind.RDMA))
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "move has no RDMA form: lane=l, operation="
                + move
                + "; what goes out over RDMA is copied or packed from one plain region");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bulk b@(1)[0] <- b[8] bytes 16 | bulk  | it reaches memory that a link maps, put the rest
          bulk b[0] <- b@(1)[8] bytes 16 | bulk  | it reaches memory that a link maps, put the rest
          lock b@(1)[0] cta              | scope | leave cta out
          unlock b@(1)[0] gpu            | scope | leave gpu out
          """)
  void aCallThatOnlyMappedMemoryServesIsRefusedOverRdmaByItsLane(
      String call, String what, String rule) {
    Form form = FormParser.parse("form f scratch b[64] lane l: sm(32) { " + call + " }");
    FormLowering.lower(form, Set.of(PeerKind.NVLINK));
    assertThatThrownBy(() -> FormLowering.lower(form, Set.of(PeerKind.RDMA)))
        .isInstanceOf(ProgramException.class)
        .hasMessage("%s has no RDMA form: lane=l, operation=%s; %s".formatted(what, call, rule));
  }

  @Test
  void aReadOverRdmaHasArrivedBeforeTheNextEdge() {
    assertThat(steps("move b[0] <- a@(1)[0] bytes 8 " + SIGNAL, PeerKind.RDMA))
        .containsExactly(
            "unless rdma 1 jump L0",
            "fence sys",
            "post @(1) read b[0] <- a@(1)[0] bytes 8",
            "await queue @(1)",
            "visibility fence",
            "jump L1",
            "label L0",
            "move b[0] <- a@(1)[0] bytes 8",
            "label L1",
            "bar",
            SIGNAL,
            "bar",
            "end");
  }

  @Test
  void aTicketOverRdmaAwaitsTheQueuesOfItsMove() {
    String text = "move k: b@(1)[0], b[8] <- a[0] bytes 8 sync await ticket k";
    assertThat(steps(text, PeerKind.RDMA))
        .endsWith("bar", "unless rdma 1 jump L2", "await queue @(1)", "label L2", "bar", "end");
    assertThat(steps("move k: b[0] <- a@(1)[0] bytes 8 await ticket k", PeerKind.RDMA))
        .endsWith("bar", "unless rdma 1 jump L2", "await queue @(1)", "label L2", "bar", "end");
  }

  @Test
  void aRankNeedsNoTransferToItself() {
    LoweredForm lowered =
        FormLowering.lower(ShippedText.form("ring_send_recv"), Set.of(PeerKind.SELF));
    assertThat(lowered.kinds()).isEmpty();
    assertThat(lowered.form()).isEqualTo(ShippedText.form("ring_send_recv"));
  }

  @Test
  void aLoweredFormNamesItsLanesLabelsAndDigest() {
    LoweredForm lowered =
        FormLowering.lower(ShippedText.form("ring_send_recv"), Set.of(PeerKind.NVLINK));
    LoweredLane main = lowered.lane("main");
    assertThat(main.lane().name()).isEqualTo("main");
    assertThat(main.steps().get(main.position(1)).micro()).isEqualTo(new MicroOperation.Label(1));
    assertThat(lowered.digest()).hasSize(32);
    assertThat(lowered.digest())
        .isNotEqualTo(
            FormLowering.lower(ShippedText.form("ring_send_recv"), Set.of(PeerKind.RDMA)).digest());
    assertThatThrownBy(() -> lowered.lane("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown lane: name=x; see the form");
    assertThatThrownBy(() -> main.position(99))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown label: label=99; lower the lane again");
  }

  private static List<String> steps(String operations, PeerKind... kinds) {
    String text =
        "form f input a[64] output b[64] signal D[2] lane l: host { state s state w "
            + operations
            + " } lane other: host {}";
    return FormLowering.lower(FormParser.parse(text), Set.copyOf(Arrays.asList(kinds)))
        .lane("l")
        .steps()
        .stream()
        .map(step -> StepPrinter.print(step.micro()))
        .toList();
  }
}
