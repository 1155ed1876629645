package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckerTest {
  private static final int LAUNCHES = 3;

  /** Enough tiles that every lane of the ring waits for credits. */
  private static final long MANY_TILES = 2_000;

  private static final String[] SMALL_TILES = {"let S = 16384", "let S = 16"};

  private static Checker strict(int launches) {
    return new Checker(
        Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.RDMA_STRICT, launches));
  }

  private static Verdict check(Form form, String shape, long bytes) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, bytes, 0));
    return new Checker(
            Strategy.SYNCHRONISATION,
            Budget.DEFAULT,
            1,
            Checker.strict(dev.oriel.sim.machine.settings.Profile.RDMA_STRICT, LAUNCHES))
        .check(program, topology);
  }

  private static String found(Form form, String shape, long bytes) {
    return check(form, shape, bytes)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1", "1x2", "2x1", "1x3", "3x1", "2x2", "1x5", "2x4", "8x1"})
  void shippedProgramsHoldInEveryWorldAfterOneExecution(String shape) {
    boolean large = Topology.parse(shape).world() > 5;
    for (String name : ShippedPrograms.NAMES) {
      for (long bytes : large ? new long[] {1, 5001} : new long[] {0, 1, 9, 1000, 5001}) {
        if (!Thorough.takes(24, shape, name, bytes)) {
          continue;
        }
        Verdict verdict = check(ShippedPrograms.form(name), shape, bytes);
        assertThat(verdict.violation()).as("%s %s %d", name, shape, bytes).isEmpty();
        assertThat(verdict.executions()).isEqualTo(1);
      }
    }
  }

  private static List<String> bounds(String body, Strategy strategy, long steps) {
    Form form =
        FormParser.parse("form counts\nsignal S[1]\nlane main: sm(32) { %s }".formatted(body));
    return new Checker(
            strategy, new Budget(1, 1_000, steps, 1_000_000), 1, Checker.strict(Profile.L2, 1))
        .check(Program.bind(form, 2, Map.of()), Topology.parse("1x2"))
        .bounds();
  }

  @Test
  void aBoundNamesTheLimitThatWasHit() {
    String quiet = "for t < 1000000000000 { let x = t }";
    String why =
        "rank=0, lane=main took 1000000 instructions without a visible step;" + " let its loop end";
    assertThat(bounds(quiet, Strategy.FIFO, 5_000))
        .contains("steps: an execution was stopped: " + why);
    assertThat(bounds(quiet, Strategy.FIFO, 5_000)).noneMatch(bound -> bound.contains("5000"));
    for (Strategy all : new Strategy[] {Strategy.SYNCHRONISATION, Strategy.FULL}) {
      assertThat(bounds(quiet, all, 5_000))
          .singleElement()
          .asString()
          .startsWith(all.spelling() + ": stopped at states=")
          .endsWith(" by " + why);
    }
    String many = "for t < 6000 { signal S[0]@r add 1 relaxed }";
    assertThat(bounds(many, Strategy.FIFO, 5_000))
        .contains("steps: an execution stopped at 5000")
        .noneMatch(bound -> bound.contains("instructions"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "1x8", "2x1", "8x1"})
  void aRingUnderBackPressureHolds(String shape) {
    assertThat(found(ShippedPrograms.edited("ring_send_recv", SMALL_TILES), shape, MANY_TILES))
        .isEqualTo("nothing");
  }

  @ParameterizedTest
  @CsvSource({"1x2, overwrite", "1x8, overwrite", "2x1, race", "8x1, race"})
  void oneHalfOfPacketSlotsIsNotEnough(String shape, String kind) {
    Form form =
        ShippedPrograms.edited("ll_all_gather", "let half = (epoch & 1) * n", "let half = 0");
    assertThat(found(form, shape, 9)).startsWith(kind);
  }

  @ParameterizedTest
  @CsvSource({
    // A relaxed signal covers nothing, and a relaxed await gives no order.
    "'signal DATA[g]@succ set sent + S release', 'signal DATA[g]@succ set sent + S relaxed', 1x2, race",
    "'await DATA[g]@pred reached rcvd + S acquire', 'await DATA[g]@pred reached rcvd + S relaxed', 1x2, race",
    "'await DATA[g]@pred reached rcvd + S acquire', 'await DATA[g]@pred reached rcvd + S relaxed', 2x1, race",
    // Credits prevent an overwrite only if no other chain of the ring does: from 8 ranks on.
    "'signal FREE[g]@pred set rcvd + S release', 'signal FREE[g]@pred set rcvd + S relaxed', 1x8, race",
    "'signal FREE[g]@pred set rcvd + S release', 'signal FREE[g]@pred set rcvd + S relaxed', 8x1, race",
    "'reached sent + S - D * S acquire', 'reached sent + S - D * S - S acquire', 1x8, race",
    "'reached sent + S - D * S acquire', 'reached sent + S - D * S - S acquire', 8x1, race",
    "'reached sent + S - D * S acquire', 'reached sent + S acquire', 1x2, deadlock",
    "'signal DATA[g]@succ set sent + S release', 'signal DATA[g]@succ set sent + S release gpu', 1x2, scope",
    // The language does not guarantee that a queue is in order.
    "'signal DATA[g]@succ set sent + S release', 'signal DATA[g]@succ set sent + S relaxed', 8x1, race",
    "'signal DATA[g]@succ set sent + S release', 'signal DATA[g]@succ set sent + S release gpu', 8x1, scope",
    // The interface may still fetch when the caller overwrites its input.
    "'flush @succ local', '', 2x1, race",
    "'flush @succ local', '', 8x1, race",
  })
  @Sampled(every = 4)
  void aRingThatLacksAnEdgeIsCaught(String line, String replacement, String shape, String kind) {
    Form form =
        ShippedPrograms.edited("ring_send_recv", SMALL_TILES[0], SMALL_TILES[1], line, replacement);
    assertThat(found(form, shape, MANY_TILES)).startsWith(kind);
  }

  @ParameterizedTest
  @CsvSource({
    // Stores over NVLink have read their source when the barrier passes.
    "'flush @succ local', '', 1x8",
    // In a ring of two, the partner's data implies its credit.
    "'signal FREE[g]@pred set rcvd + S release', 'signal FREE[g]@pred set rcvd + S relaxed', 1x2",
  })
  @Sampled(every = 2)
  void orderByAnotherRuleIsNoFinding(String line, String replacement, String shape) {
    Form form =
        ShippedPrograms.edited("ring_send_recv", SMALL_TILES[0], SMALL_TILES[1], line, replacement);
    assertThat(found(form, shape, MANY_TILES)).isEqualTo("nothing");
  }

  @Test
  void twoSignalsOfOnePeerSatisfyASum() {
    Form form =
        FormParser.parse(
            """
            form loud
            param B <= 64
            input in[B]
            output out[n * B]
            signal S[1]
            ensure each p in all: out[p * B] = in@p[0] bytes B
            lane main: sm(64) {
              move out@all[r * B] <- in[0] bytes B
              signal S[0]@all add 1 release
              if r == 1 {
                signal S[0]@all add 1 release
              }
              await sum S[0]@all >= (epoch - 1) * (n + 1) + n acquire
            }
            """);
    assertThat(found(form, "1x3", 8)).startsWith("race").contains("out");
  }

  @Test
  void aSumOfOneSignalPerPeerHolds() {
    Form form =
        FormParser.parse(
            """
            form quiet
            param B <= 64
            input in[B]
            scratch box[n * B]
            output out[n * B]
            signal S[1]
            signal READ[1]
            ensure each p in all: out[p * B] = in@p[0] bytes B
            lane main: sm(64) {
              move box@all[r * B] <- in[0] bytes B
              signal S[0]@all add 1 release
              await sum S[0]@all >= epoch * n acquire
              move out[0] <- box[0] bytes n * B
              signal READ[0]@all set epoch release
              await READ[0]@all reached epoch acquire
            }
            """);
    assertThat(found(form, "1x2", 8)).isEqualTo("nothing");
    assertThat(found(form, "1x3", 8)).isEqualTo("nothing");
  }

  @Test
  void aDirectWriteToAnOutputMustAwaitItsOwner() {
    Form form =
        FormParser.parse(
            """
            form unasked
            param B <= 64
            input in[B]
            output out[B]
            signal DATA[1]
            ensure out[0] = in@((r - 1) % n)[0] bytes B
            lane main: sm(64) {
              move out@((r + 1) % n)[0] <- in[0] bytes B
              signal DATA[0]@((r + 1) % n) set epoch release
              await DATA[0]@((r - 1) % n) reached epoch acquire
            }
            """);
    assertThat(found(form, "1x2", 8))
        .startsWith("race")
        .contains(
            "the caller at rank",
            "may still prepare launch 1",
            "wait for a signal of that rank first");
  }

  @Test
  void anOutputWrittenAfterTheEndIsReported() {
    Form form =
        FormParser.parse(
            """
            form unawaited
            param B <= 64
            input in[B]
            output out[B]
            barrier all_in
            lane main: sm(64) {
              barrier all_in
              move out@((r + 1) % n)[0] <- in[0] bytes B
            }
            """);
    assertThat(found(form, "1x2", 8))
        .startsWith("race")
        .contains(
            "goes on when its own lanes have ended launch 1: let a lane first wait for each rank");
  }

  @Test
  void twoLanesOnOneSlotAreTwoWriters() {
    Form form =
        FormParser.parse(
            """
            form crowded
            signal S[1]
            lane main(g < 2): sm(32) {
              signal S[0]@((r + 1) % n) set epoch release
              await S[0]@((r - 1) % n) reached epoch acquire
            }
            """);
    Topology topology = Topology.parse("1x2");
    Verdict verdict = strict(1).check(Program.bind(form, 2, Map.of()), topology);
    assertThat(verdict.violation()).get().extracting(Verdict.Violation::kind).isEqualTo("writers");
  }

  @Test
  void anAwaitThatMightMissItsValueIsCaught() {
    Form form =
        FormParser.parse(
            """
            form blink
            signal S[1]
            lane main: sm(32) {
              signal S[0]@((r + 1) % n) set 2 * epoch release
              signal S[0]@((r + 1) % n) set 2 * epoch + 1 release
              await S[0]@((r - 1) % n) == 2 * epoch acquire
            }
            """);
    Verdict verdict = strict(1).check(Program.bind(form, 2, Map.of()), Topology.parse("1x2"));
    assertThat(verdict.violation())
        .get()
        .extracting(Verdict.Violation::kind)
        .isEqualTo("overwrite");
  }

  @Test
  void aFailedCheckIsReportedWithItsCode() {
    Form form =
        FormParser.parse(
            """
            form checked
            param B <= 8
            lane main: sm(32) {
              check B < 5 else 42
            }
            """);
    assertThat(found(form, "1x2", 7)).startsWith("check").contains("code=42");
    assertThat(found(form, "1x2", 4)).isEqualTo("nothing");
  }

  @Test
  void overlappingMovesOfOneLaneNeedAnEdgeBetweenThem() {
    String text =
        """
        form twice
        param B <= 64
        input in[B]
        scratch box[64]
        output out[B]
        ensure out[0] = in[0] bytes B
        lane main: sm(64) {
          move box[0] <- in[0] bytes B
          sync
          move out[0] <- box[0] bytes B
        }
        """;
    assertThat(found(FormParser.parse(text), "1x1", 32)).isEqualTo("nothing");
    assertThat(found(FormParser.parse(text.replace("  sync\n", "")), "1x1", 32)).startsWith("race");
    String narrow = text.replace("  sync\n", "").replace("sm(64)", "host");
    assertThat(found(FormParser.parse(narrow), "1x1", 32)).isEqualTo("nothing");
  }

  @Test
  void anEqualityThatALaterValueMayReplaceIsCaughtHoweverTheLanesRan() {
    Form form =
        FormParser.parse(
            """
            form replaced
            signal S[1]
            signal T[1]
            lane main: sm(32) {
              if r == 0 {
                signal S[0]@1 set 2 * epoch release
                await T[0]@2 reached epoch acquire
                signal S[0]@1 set 2 * epoch + 1 release
              }
              if r == 1 {
                await S[0]@0 == 2 * epoch acquire
              }
              if r == 2 {
                signal T[0]@0 set epoch release
              }
            }
            """);
    Verdict verdict = strict(1).check(Program.bind(form, 3, Map.of()), Topology.parse("1x3"));
    assertThat(verdict.violation())
        .get()
        .extracting(Verdict.Violation::kind)
        .isEqualTo("overwrite");
  }

  /** A strategy that draws reports that it may omit executions. */
  @ParameterizedTest
  @EnumSource
  void onlyExhaustiveStrategiesReportNoBound(Strategy strategy) {
    Form form =
        FormParser.parse(
            """
            form told
            signal S[1]
            lane main: sm(32) {
              if r > 0 { signal S[0]@0 set epoch release }
              if r == 0 { await S[0]@1 reached epoch acquire }
            }
            """);
    Program program = Program.bind(form, 2, Map.of());
    CheckReport report =
        new Checker(
                strategy, new Budget(2, 1000, 1000, 1_000_000), 1, Checker.strict(Profile.L2, 1))
            .explore(program, Topology.parse("1x2"));
    boolean all =
        Set.of(Strategy.PORTFOLIO, Strategy.SYNCHRONISATION, Strategy.FULL).contains(strategy);
    assertThat(report.verdict().bounds())
        .isEqualTo(
            all
                ? List.of()
                : List.of("drawn: these executions only; synchronisation and full go through all"));
    // A part of a campaign reports it as well, since a merge sees only the parts.
    assertThat(report.parts().getFirst().bounds()).isEqualTo(report.verdict().bounds());
  }

  /** Neither the steps nor the words of a program show how often a loop repeats. */
  @ParameterizedTest
  @ValueSource(strings = {"", "let x = t", "if t % 2 == 2 { sync }"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anEndlessIdleLoopIsCut(String body) {
    String text =
        "form idle\nlane main: sm(32) {\n for t < 1000000000000 { %s }\n}\n".formatted(body);
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    Verdict verdict = strict(1).check(program, Topology.parse("1x2"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).singleElement().asString().startsWith("synchronisation: stopped");
  }

  @Test
  void addsOfSeveralLanesAreTriedInEveryOrder() {
    Form form =
        FormParser.parse(
            """
            form adders
            signal S[1]
            lane main(g < 2): sm(32) {
              signal S[0]@((r + 1) % n) add 1 release
              await S[0]@((r - 1) % n) >= 2 * epoch acquire
            }
            """);
    Verdict verdict = strict(1).check(Program.bind(form, 2, Map.of()), Topology.parse("1x2"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
    assertThat(verdict.executions()).isGreaterThan(1);
  }

  @Test
  void aCreditForPacketsMustFollowAllPollingThreads() {
    String text =
        """
        form credit
        param B <= 2048
        input in[B]
        output out[B]
        scratch ll[4096]
        signal CR[1]
        ensure out[0] = in@((r - 1) % n)[0] bytes B
        lane main: sm(128) {
          let succ = (r + 1) % n
          let pred = (r - 1) % n
          await CR[0]@succ reached epoch - 1 acquire
          move ll@succ[0] pkt16(nz32(epoch)) <- in[0] bytes B
          move out[0] <- ll[0] pkt16(nz32(epoch)) bytes B
          signal CR[0]@pred set epoch release
        }
        """;
    assertThat(found(FormParser.parse(text), "1x2", 2000)).isEqualTo("nothing");
    String relaxed = text.replace("set epoch release", "set epoch relaxed");
    assertThat(found(FormParser.parse(relaxed), "1x2", 2000)).startsWith("overwrite");
    String synced = relaxed.replace("signal CR[0]@pred", "sync signal CR[0]@pred");
    assertThat(found(FormParser.parse(synced), "1x2", 2000)).isEqualTo("nothing");
  }

  @Test
  void aReleaseOfGpuScopeDoesNotReachAnotherGpu() {
    Form form =
        FormParser.parse(
            """
            form chain
            param B <= 64
            input in[2 * B]
            scratch box[2 * B]
            output out[2 * B]
            signal S[1]
            signal READ[1]
            lane a: sm(32) {
              await READ[0]@((r + 1) % n) reached epoch - 1 acquire
              move box@((r + 1) % n)[0] <- in[0] bytes B
              signal S[0]@((r + 1) % n) add 1 release gpu
            }
            lane b: sm(32) {
              signal S[0]@((r + 1) % n) add 1 release
            }
            lane c: sm(32) {
              await S[0]@((r - 1) % n) reached 2 * epoch acquire
              move out[0] <- box[0] bytes B
              signal READ[0]@((r - 1) % n) set epoch release
            }
            """);
    assertThat(found(form, "1x2", 32)).startsWith("race").contains("box");
  }

  @Test
  void packetsForAMappedPeerAreNotStagedLocally() {
    Form form =
        FormParser.parse(
            """
            form pairs
            param B <= 64
            input in[B]
            output out[B]
            scratch ll[512]
            ensure out[0] = in@(r ^ 1)[0] bytes B
            lane main: sm(32) {
              move ll@(r ^ 1)[(epoch & 1) * 256] pkt16(nz32(epoch)) <- in[0] bytes B
              move out[0] <- ll[(epoch & 1) * 256] pkt16(nz32(epoch)) bytes B
            }
            """);
    assertThat(found(form, "1x4", 32)).isEqualTo("nothing");
    assertThat(found(form, "2x2", 32)).isEqualTo("nothing");
  }

  @Test
  void aSumOfManySignalsReportsItsBound() {
    Form form =
        FormParser.parse(
            """
            form voices
            signal A[1]
            lane main: sm(32) {
              signal A[0]@all set epoch release
              await sum A[0]@all reached epoch * n acquire
            }
            """);
    int world = Thorough.count(11, 16);
    Topology topology = Topology.parse("1x" + world);
    Verdict verdict = strict(2).check(Program.bind(form, world, Map.of()), topology);
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isNotEmpty();
  }

  @Test
  void aSumWithTooManyCombinationsReportsItsBound() {
    Form form =
        FormParser.parse(
            """
            form sums
            signal S[1]
            lane main: sm(32) {
              for t < 8 { signal S[0]@all add 1 release }
              await sum S[0]@all reached 8 * n * epoch acquire
            }
            """);
    Verdict verdict =
        new Checker(Strategy.FIFO, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .check(Program.bind(form, 7, Map.of()), Topology.parse("1x7"));
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).anySatisfy(b -> assertThat(b).startsWith("sums"));
  }

  @Test
  void aFailedLaneWaitsForNoLock() {
    String text =
        """
        form failing
        scratch w[8]
        barrier B
        lane main: sm(32) {
          check r == 1 else 7
          lock w@(0)[0]
          barrier B
        }
        """;
    for (String shape : new String[] {"1x2", "2x1"}) {
      Verdict verdict = check(FormParser.parse(text), shape, -1);
      assertThat(verdict.violation()).get().extracting(Verdict.Violation::kind).isEqualTo("check");
    }
  }

  /** Rejected data would name the target of the call, so it may be no rank. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock w@p[0]",
        "put w@p[0] <- own[8] bytes 8",
        "get own[8] <- w@p[0] bytes 8",
        "atomic w@p[0] add 1",
        "move w@p[0] <- own[8] bytes 8",
        "read x <- S[0]@p relaxed"
      })
  void aFailedLaneMakesNoCallToARankFromBadData(String call) {
    String text =
        """
        form failing
        scratch w[8]
        scratch own[16]
        signal S[1]
        barrier B
        lane main: sm(32) {
          store own[0] <- 7 * r
          sync
          load p <- own[0] <= 100 else 8
          check p < n else 9
          %s
          barrier B
        }
        """
            .formatted(call);
    for (String shape : new String[] {"1x2", "2x1"}) {
      Verdict verdict = check(FormParser.parse(text), shape, -1);
      assertThat(verdict.violation()).get().extracting(Verdict.Violation::kind).isEqualTo("check");
    }
  }
}
