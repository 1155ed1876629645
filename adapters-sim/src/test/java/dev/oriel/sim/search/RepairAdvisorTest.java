package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct hand-over without one edge: the report names that edge, or a cheaper one. */
class RepairAdvisorTest {
  private static final String TEXT =
      """
      form handover
      input in[8]
      scratch box[8]
      output out[8]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(64) {
        signal READY[0]@((r - 1) % n) set epoch release
        await READY[0]@((r + 1) % n) reached epoch acquire
        move box@((r + 1) % n)[0] <- in[0] bytes 8
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r - 1) % n) reached epoch acquire
        move out[0] <- box[0] bytes 8
        flush peers local
      }
      """;

  private static final String ANOTHER_CONTEXT =
      """
      form another_context
      scratch mine[16]
      scratch box[16]
      signal DATA[1]
      lane main: sm(32) {
        let next = (r + 1) % n
        put box@next[0] <- mine[0] bytes 8 via 1 nb
        signal DATA[0]@next set 1 release
        await DATA[0]@((r - 1) % n) reached 1 acquire
        load x <- box[0]
        store mine[0] <- 8
        quiet via 1
      }
      """;

  private static final String OVERWRITTEN =
      """
      form overwritten
      scratch mine[16]
      scratch box[16]
      lane main: sm(32) {
        put box@((r + 1) % n)[0] <- mine[0] bytes 8 via 2 nb
        get mine[8] <- box@((r + 1) % n)[8] bytes 8 nb
        quiet
        store mine[0] <- 8
        quiet via 2
      }
      """;

  private static final String FLAG =
      """
      form flag
      scratch mine[16]
      scratch box[16]
      lane main: sm(32) {
        put box@((r + 1) % n)[0] <- mine[0] bytes 8 nb
        atomic box@((r + 1) % n)[8] add 1
        wait box[8] >= 1 acquire
        load x <- box[0]
        quiet
      }
      """;

  private static final String WORDS =
      """
      form words
      scratch data[8]
      scratch flag[8]
      lane writer: host {
        store data[0] <- 1
        store flag[0] <- 1 release
      }
      lane reader: sm(32) {
        wait flag[0] == 1 acquire
        load x <- data[0]
      }
      """;

  private static final String READ =
      """
      form read
      scratch mine[16]
      scratch box[16]
      lane main: sm(32) {
        let next = (r + 1) % n
        get mine[0] <- box@next[0] bytes 8 nb
        -- here
        atomic box@next[8] add 1
        wait box[8] >= 1 acquire
        store box[0] <- 1
        quiet
      }
      """;

  private static final String READ_BACK =
      """
      form read_back
      scratch mine[16]
      scratch box[16]
      lane main: sm(32) {
        put box@((r + 1) % n)[0] <- mine[0] bytes 8
        -- here
        get mine[8] <- box@((r + 1) % n)[0] bytes 8
      }
      """;

  private static final String OWN_END =
      """
      form own_end
      scratch w[16]
      scratch mine[16]
      lane main: sm(32) {
        if r == 0 {
          atomic mine[0] <- w@1[0] add 1 nb
          fence
          put w@1[8] <- mine[0] bytes 8
          quiet
        }
      }
      """;

  private static final String TWO_DEFECTS =
      """
      form two_defects
      scratch data[16]
      signal A[1]
      signal B[1]
      lane writer: sm(32) {
        store data[0] <- 1
        signal A[0]@r set 1 relaxed
        store data[8] <- 1
        signal B[0]@r set 1 release
      }
      lane reader: sm(32) {
        await A[0] == 1 acquire
        load x <- data[0]
        check x == 1 else 3
        await B[0] == 1 relaxed
        load y <- data[8]
      }
      """;

  /** Rank 1 updates a word of rank 0, which accesses it like any other memory. */
  private static final String UPDATED =
      """
      form updated
      scratch w[16]
      scratch v[16]
      signal S[1]
      lane main: sm(32) {
        if r == 1 {
          ONE
        }
        if r == 0 {
          ZERO
        }
        quiet
      }
      """;

  private static final String RELAYED =
      """
      form relayed
      scratch data[8]
      scratch f[8]
      scratch g[8]
      lane first: sm(32) {
        store data[0] <- 1
        store f[0] <- 1 release
      }
      lane second: sm(32) {
        wait f[0] == 1 relaxed
        store g[0] <- 1 relaxed
      }
      lane third: sm(32) {
        wait g[0] == 1 acquire
        load x <- data[0]
      }
      """;

  private static String message(String text, Profile profile, Strategy strategy) {
    return message(text, profile, strategy, "2x1");
  }

  private static String message(String text, Profile profile, Strategy strategy, String shape) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(profile, 1))
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @Test
  void namesTheContextWhoseQuietIsMissing() {
    assertThat(message(ANOTHER_CONTEXT, Profile.L1, Strategy.FIFO))
        .endsWith(
            "smallest repair: a quiet via 1 before others are signalled or the lane continues");
    String repaired = ANOTHER_CONTEXT.replace("  signal DATA", "  quiet via 1\n  signal DATA");
    assertThat(message(repaired, Profile.L1, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
  }

  /** No fence orders transfers of another context, and the advice does not suggest one. */
  @Test
  void noFenceIsAdvisedAcrossContexts() {
    String fenced =
        ANOTHER_CONTEXT.replace("  signal DATA", "  fence via 1\n  fence\n  signal DATA");
    for (String text : List.of(ANOTHER_CONTEXT, fenced)) {
      assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION))
          .startsWith("race")
          .endsWith(
              "smallest repair: a quiet via 1 before others are signalled or the lane continues");
    }
  }

  @Test
  void namesTheContextWhoseFenceIsMissing() {
    String text = FLAG.replace("8 nb", "8 via 1 nb").replace("add 1", "add 1 via 1");
    assertThat(message(text, Profile.L2, Strategy.RANDOM))
        .startsWith("race")
        .endsWith(
            "smallest repair: a fence via 1 after the put or atomic, before the lane's next call or signal");
    String repaired =
        text.replace("  atomic", "  fence via 1\n  atomic").replace("quiet", "quiet via 1");
    assertThat(message(repaired, Profile.L2, Strategy.RANDOM)).isEqualTo("nothing");
  }

  /** A fence does not order a get: only a signal sent after a wait for the get orders its read. */
  @Test
  void noFenceIsAdvisedForTheReadOfAGet() {
    assertThat(message(READ, Profile.L2, Strategy.SYNCHRONISATION))
        .startsWith("race")
        .endsWith("or a quiet, before others are signalled or the lane continues");
    String fenced = READ.replace("  -- here", "  fence");
    assertThat(message(fenced, Profile.L2, Strategy.SYNCHRONISATION)).startsWith("race");
    String repaired = READ.replace("  -- here", "  quiet");
    assertThat(message(repaired, Profile.L2, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
  }

  /** One word alone repairs nothing here; the missing pair would be the wrong advice. */
  @Test
  void aRelaxedSignalWithARelaxedAwaitIsRepairedAtBothEnds() {
    String text =
        TEXT.replace(
                "signal DATA[0]@((r + 1) % n) set epoch release",
                "signal DATA[0]@((r + 1) % n) set epoch relaxed")
            .replace(
                "await DATA[0]@((r - 1) % n) reached epoch acquire",
                "await DATA[0]@((r - 1) % n) reached epoch relaxed");
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION, "1x2"))
        .startsWith("race")
        .endsWith(
            "smallest repair: release and acquire in place of relaxed, where DATA is written and"
                + " where it is read")
        .doesNotContain("no change of one word");
    assertThat(message(TEXT, Profile.L2, Strategy.SYNCHRONISATION, "1x2")).isEqualTo("nothing");
  }

  /** The general proposal for a race with the caller is left out where a repair was tried. */
  @Test
  void aTriedRepairReplacesTheGeneralProposal() {
    String text = TEXT.replace("  flush peers local\n", "");
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION))
        .contains("goes on when its own lanes have ended launch 1; smallest repair: a flush")
        .doesNotContain("let a lane first");
  }

  /** No single edge repairs two defects: the advice for each names the race that remains. */
  @Test
  void adviceNamesTheRaceThatRemains() {
    String message = message(TWO_DEFECTS, Profile.L2, Strategy.FIFO);
    assertThat(message)
        .contains("buffer=data, owner=0, byte=0; ", "smallest repair: release in place of relaxed")
        .contains("; with it this race is gone and another remains: buffer=data, owner=0, byte=8; ")
        .endsWith("and 'load y <- data[8]' at rank=0, lane=reader (read) are not ordered");
    String once = TWO_DEFECTS.replace("set 1 relaxed", "set 1 release");
    assertThat(message(once, Profile.L2, Strategy.FIFO))
        .contains("buffer=data, owner=0, byte=8; ", "smallest repair: acquire in place of relaxed")
        .doesNotContain("remains");
    String twice = once.replace("== 1 relaxed", "== 1 acquire");
    assertThat(message(twice, Profile.L2, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
  }

  @Test
  void adviceNamesTheFindingThatRemains() {
    String text = TWO_DEFECTS.replace("x == 1", "x == 2");
    assertThat(message(text, Profile.L2, Strategy.FIFO))
        .startsWith("race")
        .contains("smallest repair: release in place of relaxed at the signal in between")
        .contains("; with it this race is gone and something else remains, check: ");
  }

  /** A reusable source does not imply that the write was placed. */
  @Test
  void aGetAfterAPutNeedsThePlacedWrite() {
    assertThat(message(READ_BACK, Profile.L2, Strategy.SYNCHRONISATION))
        .startsWith("race")
        .endsWith(
            "a flush of the peer, remote, or a quiet, before others are signalled or the lane continues");
    String local = READ_BACK.replace("-- here", "flush @((r + 1) % n) local");
    assertThat(message(local, Profile.L2, Strategy.SYNCHRONISATION)).startsWith("race");
    for (String edge : List.of("flush @((r + 1) % n) remote", "quiet")) {
      String repaired = READ_BACK.replace("-- here", edge);
      assertThat(message(repaired, Profile.L2, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "put box@((r + 1) % n)[0] <- mine[0] bytes 8 count 2 step STEP, 8",
        "get mine[0] <- box@((r + 1) % n)[0] bytes 8 count 2 step STEP, 8"
      })
  void overlappingElementsOfOneCallAreReported(String call) {
    String text =
        """
        form meeting_elements
        scratch mine[16]
        scratch box[16]
        lane main: sm(32) {
          CALL
          quiet
        }
        """
            .replace("CALL", call);
    assertThat(message(text.replace("STEP", "4"), Profile.L2, Strategy.SYNCHRONISATION))
        .startsWith("race")
        .contains("let its step be no smaller than an element");
    assertThat(message(text.replace("STEP", "8"), Profile.L2, Strategy.SYNCHRONISATION))
        .isEqualTo("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " via 1"})
  void aSecondNotificationOfASlotMustWaitForTheFirst(String via) {
    String text =
        """
        form set_twice
        scratch mine[8]
        scratch box[16]
        signal CAME[1]
        lane main: sm(32) {
          let next = (r + 1) % n
          put box@next[0] <- mine[0] bytes 8 notify CAME[0] set 1 VIA nb
          -- here
          put box@next[8] <- mine[0] bytes 8 notify CAME[0] set 2 nb
          quiet
        }
        """
            .replace(" VIA", via);
    String fenced = text.replace("-- here", via.isEmpty() ? "" : "fence");
    assertThat(message(fenced, Profile.L2, Strategy.SYNCHRONISATION))
        .startsWith("writers")
        .endsWith("wait for the first by a quiet of its context, or give each its own slot");
    assertThat(
            message(text.replace("-- here", "quiet" + via), Profile.L2, Strategy.SYNCHRONISATION))
        .isEqualTo("nothing");
  }

  /** The return of a put does not imply its placement, whatever the other context waits for. */
  @Test
  void namesTheContextOfAPutThatReturned() {
    String text = ANOTHER_CONTEXT.replace("via 1 nb", "via 1");
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION))
        .startsWith("race")
        .endsWith(
            "smallest repair: a quiet via 1 before others are signalled or the lane continues");
  }

  @Test
  void namesTheContextWhoseSourceIsReused() {
    assertThat(message(OVERWRITTEN, Profile.L1, Strategy.FIFO))
        .endsWith("smallest repair: a quiet via 2 before the lane ends or uses the memory again");
    String own = OVERWRITTEN.replace(" via 2", "").replaceFirst("  quiet\n", "");
    assertThat(message(own, Profile.L1, Strategy.FIFO))
        .endsWith("local, or a quiet, before the lane ends or uses the memory again");
    String repaired = OVERWRITTEN.replace("  store", "  quiet via 2\n  store");
    assertThat(message(repaired, Profile.L1, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
  }

  @Test
  void aFenceIsCheaperThanAQuiet() {
    assertThat(message(FLAG, Profile.L2, Strategy.RANDOM))
        .endsWith(
            "smallest repair: a fence after the put or atomic, before the lane's next call or signal");
    String repaired = FLAG.replace("  atomic", "  fence\n  atomic");
    assertThat(message(repaired, Profile.L2, Strategy.RANDOM)).isEqualTo("nothing");
  }

  /** Of two signals that come too early, the one that the reader waited for is moved. */
  @Test
  void theSignalThatTheReaderAwaitsIsMoved() {
    String text =
        """
        form halo
        input in[8]
        scratch left[8]
        scratch right[8]
        output out[16]
        signal FULL[2]
        barrier everyone
        lane send: sm(64) {
          barrier everyone
          put left@((r + 1) % n)[0] <- in[0] bytes 8
          fence
          signal FULL[0]@((r + 1) % n) set epoch release
          signal FULL[1]@((r - 1) % n) set epoch release
          put right@((r - 1) % n)[0] <- in[0] bytes 8
          join receive
          barrier everyone
        }
        lane receive: sm(64) {
          await FULL[0]@((r - 1) % n) reached epoch acquire
          move out[0] <- left[0] bytes 8
          await FULL[1]@((r + 1) % n) reached epoch acquire
          move out[8] <- right[0] bytes 8
        }
        """;
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION, "2x1"))
        .endsWith(
            "smallest repair: move 'signal FULL[1]@((r - 1) % n) set epoch release' after 'put"
                + " right@((r - 1) % n)[0] <- in[0] bytes 8', with a fence between");
  }

  /** The order of two operations of one lane is wrong. */
  @Test
  void aSignalThatComesTooEarlyIsMovedBehindTheAccess() {
    String put = "put box@((r + 1) % n)[0] <- in[0] bytes 8";
    String text =
        """
        form early
        input in[8]
        scratch box[8]
        output out[8]
        signal READY[1]
        signal DATA[1]
        ensure out[0] = in@((r - 1) % n)[0] bytes 8
        lane main: sm(64) {
          signal READY[0]@((r - 1) % n) set epoch release
          await READY[0]@((r + 1) % n) reached epoch acquire
          signal DATA[0]@((r + 1) % n) set epoch release
          put box@((r + 1) % n)[0] <- in[0] bytes 8
          await DATA[0]@((r - 1) % n) reached epoch acquire
          move out[0] <- box[0] bytes 8
          quiet
        }
        """;
    String moved =
        "smallest repair: move 'signal DATA[0]@((r + 1) % n) set epoch release' after '"
            + put
            + "'";
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION, "1x2")).endsWith(moved);
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION, "2x1"))
        .endsWith(moved + ", with a fence between");
    String fenced = text.replace(put + "\n", put + "\n  fence\n");
    assertThat(message(fenced, Profile.L2, Strategy.SYNCHRONISATION, "2x1"))
        .endsWith(moved + " and 'fence'");
    String late =
        TEXT.replace("  await DATA[0]@((r - 1) % n) reached epoch acquire\n", "")
            .replace(
                "  flush peers local\n",
                "  await DATA[0]@((r - 1) % n) reached epoch acquire\n  flush peers local\n");
    assertThat(message(late, Profile.L2, Strategy.SYNCHRONISATION, "1x2"))
        .endsWith(
            "smallest repair: move 'await DATA[0]@((r - 1) % n) reached epoch acquire' before"
                + " 'move out[0] <- box[0] bytes 8'");
  }

  @ParameterizedTest
  @CsvSource({
    "release, relaxed, an order sys before the change of the word in between",
    "acquire, relaxed, acquire at the read of the word in between"
  })
  void namesTheRelaxedSideOfAWord(String order, String instead, String advice) {
    assertThat(message(WORDS, Profile.L2, Strategy.SYNCHRONISATION)).isEqualTo("nothing");
    assertThat(message(WORDS.replace(order, instead), Profile.L2, Strategy.FIFO))
        .startsWith("race")
        .contains("smallest repair: " + advice);
  }

  /** An update cannot have an order: the advice is an operation before or after it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1x2 | atomic w@0[0] add 1; -- one; signal S[0]@0 set 1 relaxed | await S[0]@1 == 1 acquire; load x <- w[0] | release in place of relaxed | relaxed | release
          1x2 | atomic w@0[0] add 1; signal S[0]@0 set 1 release | await S[0]@1 == 1 relaxed; store w[0] <- 5 | acquire in place of relaxed | relaxed | acquire
          1x2 | atomic w@0[0] add 1; -- one; atomic w@0[8] add 1 | wait w[8] >= 1 acquire; load x <- w[0] | an order sys before the change of the word | -- one | order sys
          1x2 | atomic v[0] <- w@0[0] add 1; -- one; atomic w@0[8] add 1 | wait w[8] >= 1 acquire; load x <- w[0] | an order sys before the change of the word in between, or release there (not of an atomic) | -- one | order sys
          1x2 | wait w[8] >= 1 relaxed; -- one; atomic v[0] <- w@0[0] add 1 | store w[0] <- 4; order sys; atomic w@1[8] set 1 | acquire at the read of the word in between, or an order sys after it | -- one | order sys
          2x1 | wait w[8] >= 1 acquire; atomic v[0] <- w@0[0] add 1 | store w[0] <- 4; -- zero; atomic w@1[8] add 1 | an order sys before the change of the word in between, or release there (not of an atomic) | -- zero | order sys
          2x1 | atomic w@0[0] add 1; -- one; signal S[0]@0 set 1 release | await S[0]@1 == 1 acquire; load x <- w[0] | a fence after the put or atomic, before the lane's next call or signal | -- one | fence
          2x1 | atomic w@0[0] add 1; -- one; atomic w@0[8] add 1 | wait w[8] >= 1 acquire; store w[0] <- 5 | a fence after the put or atomic, before the lane's next call or signal | -- one | fence
          1x2 | await S[0]@0 == 1 relaxed; atomic w@0[0] add 1 | load x <- w[0]; signal S[0]@1 set 1 relaxed | release and acquire in place of relaxed, where S is written | == 1 relaxed > set 1 relaxed | == 1 acquire > set 1 release
          2x1 | await S[0]@0 == 1 relaxed; atomic w@0[0] add 1 | load x <- w[0]; signal S[0]@1 set 1 relaxed | release and acquire in place of relaxed, where S is written | == 1 relaxed > set 1 relaxed | == 1 acquire > set 1 release
          """)
  void theAdviceForAnUpdatedWordRemovesTheRace(
      String shape, String one, String zero, String advice, String place, String instead) {
    String text =
        UPDATED.replace("ONE", one.replace("; ", "\n")).replace("ZERO", zero.replace("; ", "\n"));
    assertThat(message(text, Profile.L2, Strategy.SYNCHRONISATION, shape))
        .startsWith("race")
        .contains(advice);
    String repaired = text;
    for (int i = 0; i < place.split(" > ", -1).length; i++) {
      repaired = repaired.replace(place.split(" > ", -1)[i], instead.split(" > ", -1)[i]);
    }
    assertThat(message(repaired, Profile.L2, Strategy.SYNCHRONISATION, shape)).isEqualTo("nothing");
  }

  /** A fence at one side is not enough if a lane passes on a value that it read. */
  @Test
  void namesTheFenceBetweenTwoWords() {
    assertThat(message(RELAYED, Profile.L2, Strategy.SYNCHRONISATION, "1x1"))
        .startsWith("race")
        .endsWith(
            "an order sys after the read of a word in between, before the lane signals others");
    String fenced = RELAYED.replace("  store g", "  order sys\n  store g");
    assertThat(message(fenced, Profile.L2, Strategy.SYNCHRONISATION, "1x1")).isEqualTo("nothing");
  }

  /** With the ordering edge the lanes run for more steps than the budget allows. */
  @Test
  void noEdgeIsAdvisedIfTheExecutionIsCut() {
    String text =
        TEXT.replace(
                "signal DATA[0]@((r + 1) % n) set epoch release",
                "signal DATA[0]@((r + 1) % n) set epoch relaxed")
            .replace("signal DATA[1]", "signal DATA[1]\nsignal MORE[1]")
            .replace(
                "flush peers local",
                "flush peers local\nfor t < 200 { signal MORE[0]@r add 1 relaxed }");
    assertThat(stopped(text, 100))
        .contains("which edge orders them is not known")
        .doesNotContain("smallest repair")
        .doesNotContain("no change of one word");
    assertThat(stopped(text, 5_000)).contains("smallest repair: release in place of relaxed");
  }

  private static String stopped(String text, long steps) {
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    return new Checker(Strategy.FIFO, new Budget(1, 1, steps, 1), 1, Checker.strict(Profile.L2, 1))
        .check(program, Topology.parse("1x2"))
        .violation()
        .orElseThrow()
        .message();
  }

  /** The fence that exists does not order results and sources. */
  @ParameterizedTest
  @ValueSource(strings = {"atomic mine[0] <- w@1[0] add 1 nb", "get mine[0] <- w@1[0] bytes 8 nb"})
  void noFenceIsAdvisedForOwnMemory(String call) {
    String text = OWN_END.replace("atomic mine[0] <- w@1[0] add 1 nb", call);
    assertThat(message(text, Profile.L2, Strategy.RANDOM))
        .startsWith("race")
        .endsWith("local, or a quiet, before the lane ends or uses the memory again");
    String repaired = text.replace("  fence", "  quiet");
    assertThat(message(repaired, Profile.L2, Strategy.RANDOM)).isEqualTo("nothing");
  }

  @ParameterizedTest
  @CsvSource({
    "'signal DATA[0]@((r + 1) % n) set epoch release', 'signal DATA[0]@((r + 1) % n) set epoch relaxed', 1x2, release in place",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', 'await DATA[0]@((r - 1) % n) reached epoch relaxed', 1x2, acquire in place",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', 'await DATA[0]@((r - 1) % n) reached epoch relaxed', 2x1, acquire in place",
    "'flush peers local', '', 2x1, a flush of the peer",
    "'await DATA[0]@((r - 1) % n) reached epoch acquire', '', 1x2, no change of one word",
    "'reached epoch acquire\n  move out[0] <- box[0] bytes 8', 'reached epoch acquire\n  move out[0] <- box[0] bytes 8\n  move box[0] <- in[0] bytes 8', 1x1, a sync"
  })
  void namesTheCheapestEdge(String line, String replacement, String shape, String advice) {
    assertThat(TEXT).contains(line);
    Topology topology = Topology.parse(shape);
    Program program =
        Program.bind(FormParser.parse(TEXT.replace(line, replacement)), topology.world(), Map.of());
    var verdict =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.RDMA_STRICT, 2))
            .check(program, topology);
    assertThat(verdict.violation()).isPresent();
    assertThat(verdict.violation().get().kind()).isEqualTo("race");
    assertThat(verdict.violation().get().message()).contains(advice);
  }

  private static String reason(String text, int launches) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(Strategy.PORTFOLIO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, launches))
        .check(program, topology)
        .violation()
        .orElseThrow()
        .message();
  }

  /** Rank 0 runs ahead, so the first race that is met is of launches 1 and 3. */
  @Test
  void aRaceOfTwoLaunchesSaysWhereOneLaunchHasItToo() {
    String both =
        """
        form slots
        input in[32]
        output out[32]
        scratch slot[16]
        signal FULL[2]
        lane producer: sm(32) {
          state sent
          if r == 0 {
            for t < 4 {
              move slot@1[sent % 2 * 8] <- in[8 * t] bytes 8
              signal FULL[sent % 2]@1 set sent + 1 release
              set sent = sent + 1
            }
          }
        }
        lane consumer: sm(32) {
          state taken
          if r == 1 {
            for t < 4 {
              await FULL[taken % 2]@0 reached taken + 1 acquire
              move out[8 * t] <- slot[taken % 2 * 8] bytes 8
              set taken = taken + 1
            }
          }
        }
        """;
    assertThat(reason(both, 3))
        .contains("; they belong to launches 1 and 3; one launch alone has such a race, too")
        .doesNotContain("barrier");
    // With room for all tiles of a launch, only later launches overwrite them.
    String later = both.replace("slot[16]", "slot[32]").replace("% 2 * 8", "% 4 * 8");
    assertThat(reason(later, 3))
        .contains("; they belong to launches 1 and ", "order them at a launch's end");
  }

  private static final String PIPELINE =
      """
      form pipeline
      input in[24]
      output out[24]
      window slot[16]
      signal FULL[1]
      signal FREE[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 24
      lane tx: sm(32) {
        state sent
        for t < 3 {
          await FREE[0]@((r + 1) % n) reached sent + 1 - 2 acquire
          put slot@((r + 1) % n)[sent % 2 * 8] <- in[t * 8] bytes 8
          fence
          set sent = sent + 1
          signal FULL[0]@((r + 1) % n) set sent release
        }
      }
      lane rx: sm(32) {
        state got
        for t < 3 {
          await FULL[0]@((r - 1) % n) reached got + 1 acquire
          move out[t * 8] <- slot[got % 2 * 8] bytes 8
          set got = got + 1
          signal FREE[0]@((r - 1) % n) set got release
        }
      }
      """;

  /** Three tiles on two slots: from the second launch on, turn 0 has another slot. */
  @Test
  void aSlotThatBeginsAnewInEachLaunchIsCounted() {
    assertThat(reason(PIPELINE.replace("[sent % 2 * 8]", "[t % 2 * 8]"), 2))
        .contains("smallest repair: count the slots of every launch: 'put slot@")
        .contains("[sent % 2 * 8] <- in[t * 8] bytes 8' in place of 'put slot@")
        .doesNotContain("barrier");
    assertThat(reason(PIPELINE.replace("slot[got % 2 * 8]", "slot[t % 2 * 8]"), 2))
        .contains("count the slots of every launch: 'move out[t * 8] <- slot[got % 2 * 8]");
  }

  @Test
  void aWaitForOneCreditTooFewAwaitsOneMore() {
    assertThat(reason(PIPELINE.replace("sent + 1 - 2", "sent - 2"), 1))
        .contains("smallest repair: await one more, unless the slot is wrong: 'await FREE[0]@")
        .contains("reached sent - 2 + 1 acquire' in place of 'await FREE[0]@");
    assertThat(reason(PIPELINE.replace("got + 1 acquire", "got + 1 - 1 acquire"), 1))
        .contains("reached got + 1 acquire' in place of");
    assertThat(reason(PIPELINE.replace("got + 1 acquire", "got + 1 - 2 acquire"), 1))
        .doesNotContain("await one more");
  }
}
