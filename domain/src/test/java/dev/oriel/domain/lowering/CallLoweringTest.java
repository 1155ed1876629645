package dev.oriel.domain.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.PeerKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lowering of one-sided calls; in the tables {@code ;} separates the steps of either link. */
class CallLoweringTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put b@(1)[0] <- a[0] bytes 8                | move b@(1)[0] <- a[0] bytes 8; bar
          put b@(1)[0] <- a[0] bytes 8 nb             | move b@(1)[0] <- a[0] bytes 8
          put b@(1)[0] <- a[0] bytes 8 notify D[0] add 1 nb | move b@(1)[0] <- a[0] bytes 8; bar; signal D[0]@(1) add 1 release
          put b@(1)[0] <- a[0] bytes 8 notify D[0] set 1 | move b@(1)[0] <- a[0] bytes 8; bar; signal D[0]@(1) set 1 release
          put b@(1)[0] <- a[0] bytes 8 counter c[8] nb | move b@(1)[0] <- a[0] bytes 8; bar; add 1 c[8] release
          put b@(1)[0] <- a[0] bytes 8 counter c[8]   | move b@(1)[0] <- a[0] bytes 8; bar; add 1 c[8] release
          put b@(1)[0] <- a[0] bytes 8 notify D[0] set 1 counter c[8] | move b@(1)[0] <- a[0] bytes 8; bar; signal D[0]@(1) set 1 release; add 1 c[8] release
          get b[0] <- c@(1)[0] bytes 8                | move b[0] <- c@(1)[0] bytes 8; bar
          get b[0] <- c@(1)[0] bytes 8 via 2 nb       | move b[0] <- c@(1)[0] bytes 8
          fence                                       | fence sys
          fence via 1                                 | fence sys
          quiet                                       | fence sys
          atomic b@(1)[0] add 2                       | add 2 b@(1)[0] relaxed
          atomic b@(1)[0] set 2 via 1                 | set 2 b@(1)[0] relaxed
          atomic c[0] <- b@(1)[0] cas 1, 2 nb         | old$0 = cas 1 2 b@(1)[0] relaxed; store c[0] <- old$0
          atomic c[0] <- b@(1)[0] fetch               | old$0 = fetch b@(1)[0] relaxed; store c[0] <- old$0; bar
          wait b[0] == 1 acquire                      | poll b[0] == 1 acquire; bar
          wait b[0] == 1 relaxed                      | poll b[0] == 1 relaxed; bar
          read x <- D[0]@(1) acquire                  | x = read D[0]@(1) acquire; bar
          read x <- D[0]@(1) relaxed                  | x = read D[0]@(1) relaxed
          load x <- b[0] acquire                      | x = fetch b[0] acquire; bar
          load x <- b[0] relaxed                      | x = fetch b[0] relaxed
          store b[0] <- 1 release                     | set 1 b[0] release
          store c[0] <- 2 store b[0] <- 1 release     | store c[0] <- 2; bar; set 1 b[0] release
          store c[0] <- 2 store b[0] <- 1 relaxed     | store c[0] <- 2; set 1 b[0] relaxed
          load x <- b[3] width 1                      | load x <- b[3] width 1
          load x <- b[4] width 4 <= 9 else 2          | load x <- b[4] width 4 <= 9 else 2
          store b[2] width 2 <- 5                     | store b[2] width 2 <- 5
          lock b@(1)[0]                               | lock b@(1)[0]; bar
          unlock b@(1)[0]                             | fence sys; set 0 b@(1)[0] release
          store c[0] <- 2 unlock b@(1)[0]             | store c[0] <- 2; bar; fence sys; set 0 b@(1)[0] release
          """)
  void overMappedMemoryACallIsLoadsStoresAndAtomicSteps(String calls, String steps) {
    assertThat(steps(calls, PeerKind.NVLINK)).startsWith(steps.split("; "));
    assertThat(steps(calls, PeerKind.NVLINK)).hasSize(steps.split("; ").length + 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put b@(1)[0] <- a[0] bytes 8             | fence sys; post @(1) unordered write b@(1)[0] <- a[0] bytes 8; await queue @(1)
          put b@(1)[0] <- a[0] bytes 8 via 5 nb    | fence sys; post @(1) via 5 unordered write b@(1)[0] <- a[0] bytes 8
          store c[0] <- 1 put b@(1)[0] <- c[0] bytes 8 nb | fence sys; post @(1) unordered write b@(1)[0] <- c[0] bytes 8
          put b@(1)[0] <- a[0] bytes 8 notify D[0] add 1 nb | fence sys; post @(1) unordered write b@(1)[0] <- a[0] bytes 8 then add D[0]@(1) <- 1
          put b@(1)[0] <- a[0] bytes 8 counter c[8] nb | fence sys; post @(1) unordered write b@(1)[0] <- a[0] bytes 8; post @(1) count c[8]
          put b@(1)[0] <- a[0] bytes 8 counter c[8] via 5 | fence sys; post @(1) via 5 unordered write b@(1)[0] <- a[0] bytes 8; post @(1) via 5 count c[8]; await queue via 5 @(1)
          get b[0] <- c@(1)[0] bytes 8             | fence sys; post @(1) unordered read b[0] <- c@(1)[0] bytes 8; await queue @(1); visibility fence
          get b[0] <- c@(1)[0] bytes 8 via 2 nb    | fence sys; post @(1) via 2 unordered read b[0] <- c@(1)[0] bytes 8
          atomic b@(1)[0] add 2                    | post @(1) unordered add 2 b@(1)[0]
          atomic c[0] <- b@(1)[0] fetch            | fence sys; post @(1) unordered fetch b@(1)[0] into c[0]; await queue @(1); visibility fence
          atomic c[0] <- b@(1)[0] add 1 via 1 nb   | fence sys; post @(1) via 1 unordered add 1 b@(1)[0] into c[0]
          lock b@(1)[0]                            | post @(1) lock b@(1)[0]; await queue @(1); visibility fence
          """)
  void overRdmaACallIsAnUnorderedRequest(String calls, String steps) {
    List<String> all = steps(calls, PeerKind.RDMA);
    int begin = all.indexOf("unless rdma 1 jump L0") + 1;
    assertThat(all.subList(begin, all.indexOf("jump L1"))).containsExactly(steps.split("; "));
  }

  @Test
  void aStrideIsALoopOfRequests() {
    assertThat(
            steps("put b@(1)[8] <- a[0] bytes 4 count 3 step 16, 8 via 1", PeerKind.RDMA)
                .subList(0, 10))
        .containsExactly(
            "unless rdma 1 jump L0",
            "fence sys",
            "element$0 = 0",
            "label L2",
            "unless element$0 < 3 jump L3",
            "post @(1) via 1 unordered write b@(1)[8 + element$0 * 16] <- a[0 + element$0 * 8] bytes 4",
            "element$0 = element$0 + 1",
            "jump L2",
            "label L3",
            "await queue via 1 @(1)");
  }

  @Test
  void aQuietReadsBackFromEveryPeerAndWaitsForAll() {
    assertThat(steps("quiet via 1", PeerKind.RDMA))
        .containsSubsequence(
            "fence sys",
            "post @(peer$0) via 1 read back",
            "await queue via 1 @(peer$1)",
            "visibility fence",
            "bar");
    assertThat(steps("fence", PeerKind.RDMA))
        .containsSubsequence("fence sys", "post @(peer$0) placement fence")
        .doesNotContain("visibility fence");
  }

  @Test
  void aBarrierCountsInAWordThatMachinesKeep() {
    LoweredLane lane = lane("barrier g meet g", PeerKind.NVLINK);
    assertThat(lane.extras()).containsExactly(new LaneFamily.State("met$g", Expr.of(1)));
    assertThat(lane.persistent())
        .containsExactly(
            new LaneFamily.State("s", Expr.of(1)), new LaneFamily.State("met$g", Expr.of(1)));
    assertThat(print(lane))
        .containsSubsequence(
            "fence sys",
            "met$g = met$g + 1",
            "signal g[0]@peer$0 set met$g release",
            "await g[0]@peers reached met$g acquire",
            "bar",
            "met$g = met$g + 1");
    assertThat(lane("sync", PeerKind.NVLINK).extras()).isEmpty();
  }

  @Test
  void teamMembershipIsTestedForNamedRanksOnly() {
    assertThat(steps("meet h", PeerKind.RDMA))
        .containsSubsequence(
            "fence sys",
            "met$h = met$h + 1",
            "unless nz32(peer$0 % 2) == 1 jump L3",
            "post @(peer$0) write h[0]@peer$0 <- met$h",
            "unless nz32(peer$1 % 2) == 1 jump L10",
            "await h[0]@peer$1 reached met$h acquire",
            "visibility fence",
            "bar");
  }

  private static List<String> steps(String operations, PeerKind kind) {
    return print(lane(operations, kind));
  }

  private static List<String> print(LoweredLane lane) {
    return lane.steps().stream().map(step -> StepPrinter.print(step.micro())).toList();
  }

  private static LoweredLane lane(String operations, PeerKind kind) {
    String text =
        "form f input a[64] output b[64] scratch c[64] signal D[2] barrier g barrier h of odd"
            + " team odd = nz32(r % 2) == 1 lane l: host { state s "
            + operations
            + " }";
    return FormLowering.lower(FormParser.parse(text), Set.of(kind)).lane("l");
  }
}
