package dev.oriel.ibverbs.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostedRequestsTest {
  private static final String BUFFERS =
      "input in[64]\noutput out[64]\nscratch box[64]\nsignal S[2]\nsignal T[3]";

  @Test
  void aFlushToRemoteReadsBackAndIsSignalled() {
    assertThat(printed("move box@(1 - r)[8] <- in[0] bytes 16\nflush @(1 - r) remote"))
        .containsExactly(
            "lane 0 to 1 #1 write box@1[8, 16 bytes] <- in@0[0, 16 bytes]",
            "lane 0 to 1 #2 read back slots@1 signalled");
  }

  @Test
  void onlyTheLastRequestBeforeAnAwaitedQueueAndTheLastOfTheLaunchAreSignalled() {
    assertThat(
            printed(
                """
                move box@(1 - r)[0] <- in[0] bytes 8
                move box@(1 - r)[8] <- in[8] bytes 8
                flush @(1 - r) local
                flush @(1 - r) local
                move box@(1 - r)[16] <- in[16] bytes 8
                move box@(1 - r)[24] <- in[24] bytes 8
                """))
        .containsExactly(
            "lane 0 to 1 #1 write box@1[0, 8 bytes] <- in@0[0, 8 bytes]",
            "lane 0 to 1 #2 write box@1[8, 8 bytes] <- in@0[8, 8 bytes] signalled",
            "lane 0 to 1 #3 write box@1[16, 8 bytes] <- in@0[16, 8 bytes]",
            "lane 0 to 1 #4 write box@1[24, 8 bytes] <- in@0[24, 8 bytes] signalled");
  }

  @Test
  void anAddedSlotLiesBehindTheSignalsDeclaredBeforeIt() {
    // A row is S[2] then T[3]; rank 0 writes row 0 of rank 1.
    assertThat(printed("signal T[1]@(1 - r) add 5 release\nawait T[1]@(1 - r) reached 1 acquire"))
        .containsExactly("lane 0 to 1 #1 add T[1]@1 of source 0 at 24 <- 5 signalled");
    // Rank 1 writes row 1 of rank 0: 5 words further.
    Program program = program("signal T[1]@(1 - r) set 5 relaxed\nawait T[1]@(1 - r) == 5 acquire");
    assertThat(
            Launches.of(program, 1, 1, LoadedWords.NONE).getFirst().requests().stream()
                .map(RequestPrinter::print))
        .containsExactly("lane 0 to 0 #1 set T[1]@0 of source 1 at 64 <- 5 signalled");
  }

  @Test
  void aWriteThatFollowsAnAtomicIsFencedOnceAndNotAfterAnAwaitedQueue() {
    assertThat(
            printed(
                """
                move out[0] <- box@(1 - r)[0] bytes 8
                signal T[0]@(1 - r) add 1 release
                signal T[1]@(1 - r) add 1 release
                signal S[0]@(1 - r) set 1 release
                signal S[1]@(1 - r) set 1 release
                move out[8] <- box@(1 - r)[8] bytes 8
                flush @(1 - r) local
                move box@(1 - r)[16] <- in[0] bytes 8
                await S[0]@(1 - r) reached 1 acquire
                """))
        .containsExactly(
            "lane 0 to 1 #1 read out@0[0, 8 bytes] <- box@1[0, 8 bytes] signalled",
            "lane 0 to 1 #2 add T[0]@1 of source 0 at 16 <- 1",
            "lane 0 to 1 #3 add T[1]@1 of source 0 at 24 <- 1",
            "lane 0 to 1 #4 set S[0]@1 of source 0 at 0 <- 1 fenced",
            "lane 0 to 1 #5 set S[1]@1 of source 0 at 8 <- 1",
            "lane 0 to 1 #6 read out@0[8, 8 bytes] <- box@1[8, 8 bytes] signalled",
            "lane 0 to 1 #7 write box@1[16, 8 bytes] <- in@0[0, 8 bytes] signalled");
  }

  @Test
  void aReadIsAwaitedByTheEndOfItsLaunchSoTheNextNeedsNoFence() {
    Program program =
        program(
            """
            if epoch == 1 { move out[0] <- box@(1 - r)[0] bytes 8 }
            else { move box@(1 - r)[0] <- in[0] bytes 8 }
            """);
    List<Launch> launches = Launches.of(program, 0, 3, LoadedWords.NONE);
    assertThat(launches.stream().flatMap(l -> l.requests().stream()).map(RequestPrinter::print))
        .containsExactly(
            "lane 0 to 1 #1 read out@0[0, 8 bytes] <- box@1[0, 8 bytes] signalled",
            "lane 0 to 1 #2 write box@1[0, 8 bytes] <- in@0[0, 8 bytes] signalled",
            "lane 0 to 1 #3 write box@1[0, 8 bytes] <- in@0[0, 8 bytes] signalled");
    assertThat(launches.getLast().after().epoch()).isEqualTo(3);
  }

  @Test
  void aMoveOfNoBytesIsNotPosted() {
    assertThat(printed("move box@(1 - r)[0] <- in[0] bytes 0")).isEmpty();
  }

  @Test
  void aMoveToTheRankItselfIsNotPosted() {
    assertThat(printed("move box@r[0] <- in[0] bytes 8")).isEmpty();
  }

  @Test
  void aSuppliedWordDecidesWhatIsPosted() {
    assertThat(
            Launches.printed(
                program("load c <- in[8] <= 16 else 3\nmove box@(1 - r)[0] <- in[0] bytes c"),
                (buffer, offset) ->
                    buffer.equals("in") && offset == 8
                        ? OptionalLong.of(12)
                        : OptionalLong.empty()))
        .containsExactly("lane 0 to 1 #1 write box@1[0, 12 bytes] <- in@0[0, 12 bytes] signalled");
  }

  @Test
  void aFailedLaneMovesNothingAndStillSignals() {
    Program program =
        program(
            """
            load c <- in[8] <= 16 else 3
            move box@(1 - r)[0] <- in[0] bytes c
            signal S[0]@(1 - r) set 1 release
            await S[0]@(1 - r) reached 1 acquire
            """);
    Launch launch = Launches.of(program, 0, 1, (buffer, offset) -> OptionalLong.of(17)).getFirst();
    assertThat(launch.requests().stream().map(RequestPrinter::print))
        .containsExactly("lane 0 to 1 #1 set S[0]@1 of source 0 at 0 <- 1 signalled");
    assertThat(launch.failures()).isEqualTo(Map.of(0, 3));
  }

  @Test
  void aRegisterThatNobodyKnowsIsNamedWhereARequestNeedsIt() {
    Program program = program("load c <- in[8] <= 16 else 3\nmove box@(1 - r)[0] <- in[0] bytes c");
    assertThatThrownBy(() -> Launches.printed(program, LoadedWords.NONE))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "register not known at post time: rank=0, lane=main, register=c, word=in[8];"
                + " supply the word's value");
  }

  @Test
  void aRegisterThatNoRequestNeedsMayStayUnknown() {
    assertThat(printed("load c <- in[8] <= 16 else 3\nstore out[0] <- c")).isEmpty();
  }

  @Test
  void queuesGroupTheRequestsOfALaneByPeer() {
    Program program = Program.bind(ShippedPrograms.form("ring_send_recv"), 4, Map.of("B", 40_000L));
    Launch launch = Launches.of(program, 0, 1, LoadedWords.NONE).getFirst();
    assertThat(launch.queues().keySet())
        .containsExactly(
            new Queue(0, 1),
            new Queue(0, 3),
            new Queue(1, 1),
            new Queue(1, 3),
            new Queue(2, 1),
            new Queue(2, 3));
    assertThat(launch.queues().get(new Queue(0, 1))).hasSize(2);
  }

  @Test
  void directPeersGetNoRequests() {
    Program program = program("move box@(1 - r)[0] <- in[0] bytes 8");
    PostedRequests requests =
        new PostedRequests(
            program,
            Lowering.lower(program.form(), Set.of(PeerKind.NVLINK, PeerKind.RDMA)),
            (rank, peer) -> PeerKind.NVLINK);
    assertThat(requests.launch(0, Carried.NOTHING, LoadedWords.NONE).requests()).isEmpty();
  }

  @Test
  void anotherFormsStepsAreRefused() {
    Program program = program("move box@(1 - r)[0] <- in[0] bytes 8");
    var other = Lowering.lower(ShippedPrograms.form("ll_all_gather"), Set.of(PeerKind.RDMA));
    assertThatThrownBy(() -> new PostedRequests(program, other, Links.ALL_RDMA))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "lowered form is not the program's: lowered=ll_all_gather, program=test;"
                + " lower the program's own form");
  }

  private static Program program(String lane) {
    return Launches.program(BUFFERS, lane);
  }

  private static List<String> printed(String lane) {
    return Launches.printed(program(lane), LoadedWords.NONE);
  }
}
