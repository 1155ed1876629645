package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of 16 aligned bytes: torn, unless {@code ,cells=1} declares them whole. */
class AtomicCellsTest {
  /** Data and flag in the same 16 bytes, and no other signal of the data. */
  private static final String SLOT =
      """
      form slot
      scratch mine[64]
      scratch box[64]
      scratch out[64]
      alias view of box
      signal GO[1]
      lane main: sm(32) {
        if r == 0 {
          store mine[0] <- 7
          store mine[8] <- 1
          sync
          move box@1[0] <- mine[0] bytes 16
        }
        if r == 1 {
          wait box[8] == 1 acquire
          load x <- box[0]
          check x == 7 else 1
        }
        if r == 2 {
        }
      }
      """;

  private static Endings ends(String text, String shape, String profile, DetectorSet detectors) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    ExecutionSettings settings =
        new ExecutionSettings(Profile.parse(profile), 1, detectors, TimeoutPolicy.NEVER);
    Simulation simulation = new Simulation(program, topology, lowered, settings);
    Endings full = Endings.systematic(simulation, true, s -> registers(s));
    Endings reduced = Endings.systematic(simulation, false, s -> registers(s));
    assertThat(full.cut || reduced.cut).isFalse();
    if (detectors.equals(DetectorSet.ALL)) {
      assertThat(reduced.found.isEmpty()).isEqualTo(full.found.isEmpty());
      assertThat(full.outcomes).containsAll(reduced.outcomes);
    }
    return full;
  }

  private static String registers(Simulation s) {
    StringBuilder text = new StringBuilder();
    for (int l = 0; l < s.code().lanes().size(); l++) {
      for (int i = 0; i < s.code().lanes().get(l).registers(); i++) {
        text.append(s.register(l, i)).append(' ');
      }
    }
    return text.toString();
  }

  private static Set<Kind> found(String text, String profile) {
    return ends(text, "1x3", profile, DetectorSet.ALL).found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"L1", "L2", "L3", "nvlink-h200", "rdma-strict", "rdma-multirail"})
  void relianceOnWholeStoresIsARaceUnlessTheProfileHasThem(String profile) {
    assertThat(found(SLOT, profile)).containsExactly(Kind.RACE);
    assertThat(found(SLOT, profile + ",cells=1")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"L0", "L0,cells=1"})
  void inOneTotalOrderAllStoresAreWhole(String profile) {
    assertThat(found(SLOT, profile)).isEmpty();
  }

  /** By values alone: a torn store shows old data, a whole one never does. */
  @ParameterizedTest
  @CsvSource({"L2, true", "'L2,cells=1', false"})
  void aTornStoreShowsOldData(String profile, boolean torn) {
    Endings ends = ends(SLOT, "1x2", profile, DetectorSet.VALUES);
    assertThat(ends.found.contains(Kind.CHECK)).isEqualTo(torn);
    assertThat(ends.outcomes).isNotEmpty();
  }

  /** The text after edits: pairs of a part that occurs once, and its replacement. */
  private static String edited(List<String> edits) {
    String text = SLOT;
    for (int i = 0; i < edits.size(); i += 2) {
      assertThat(text).containsOnlyOnce(edits.get(i));
      text = text.replace(edits.get(i), edits.get(i + 1));
    }
    return text;
  }

  private static final String STORE = "move box@1[0] <- mine[0] bytes 16";
  private static final String WAIT = "wait box[8] == 1 acquire";
  private static final String LOAD = "load x <- box[0]";
  private static final String CHECK = "check x == 7 else 1";

  static Stream<List<String>> thatNeedNoMoreThanWholeWords() {
    return Stream.of(
        // Twin flags.
        List.of(
            STORE,
            "move box@1[0] pkt16(1) <- mine[0] bytes 8",
            WAIT,
            "move out[0] <- box[0] pkt16(1) bytes 8 sync",
            LOAD,
            "load x <- out[0]"),
        // A separate flag with a release.
        List.of(
            STORE,
            "move box@1[0] <- mine[0] bytes 8 signal GO[0]@1 set 1 release",
            WAIT,
            "await GO[0]@0 reached 1 acquire"),
        List.of(STORE, "move box@1[0] <- mine[0] bytes 8 sync order sys atomic box@1[8] set 1"));
  }

  @ParameterizedTest
  @MethodSource("thatNeedNoMoreThanWholeWords")
  void correctProgramsPassWithTornAndWholeStores(List<String> edits) {
    assertThat(found(edited(edits), "L2")).isEmpty();
    assertThat(found(edited(edits), "L2,cells=1")).isEmpty();
  }

  static Stream<List<String>> thatAreBroken() {
    return Stream.of(
        // Other 16 bytes: of the same copy, of an earlier one, and of the leader's store.
        List.of(STORE, "move box@1[0] <- mine[0] bytes 32", LOAD, "load x <- box[16]"),
        List.of(STORE, STORE.replace("16", "32"), LOAD, LOAD + " move out[0] <- box[16] bytes 8"),
        List.of(STORE, "move box@1[16] <- mine[0] bytes 16 " + STORE, LOAD, "load x <- box[16]"),
        List.of(STORE, "atomic box@1[32] set 7 " + STORE, LOAD, "load x <- box[32]"),
        // Unaligned at one end, and fewer than 16 bytes.
        List.of(STORE, "move box@1[8] <- mine[0] bytes 16", "box[8] == 1", "box[16] == 1"),
        List.of(
            STORE,
            "move box@1[0] <- mine[8] bytes 16",
            "mine[0] <- 7",
            "mine[8] <- 7",
            "mine[8] <- 1",
            "mine[16] <- 1"),
        List.of(STORE, "move box@1[0] <- mine[0] bytes 15"),
        // Found, but not acquired.
        List.of("== 1 acquire", "== 1 relaxed"),
        // Two copies of one lane are unordered, and so are a copy and other stores there.
        List.of(STORE, STORE + " " + STORE),
        List.of(STORE, STORE + " atomic box@1[0] set 7"),
        List.of("if r == 2 {", "if r == 2 { move box@1[0] <- mine[0] bytes 16"),
        List.of("if r == 2 {", "if r == 2 { atomic box@1[8] set 1"),
        // By an alias of the memory.
        List.of(LOAD, "move out[0] <- view[0] bytes 8 load x <- box[0]"),
        List.of(STORE, "move view@1[0] <- mine[0] bytes 16"),
        // Not stored by threads, or not copied.
        List.of("sm(32)", "host"),
        List.of("<- mine[0] bytes", "<- sum int64 in int64 (mine[0], mine[32]) bytes"),
        List.of("move box@1[0] <- mine[0]", "order bulk bulk box@1[0] <- mine[0]"),
        // Read by a plain load.
        List.of(WAIT, "load seen <- box[8]"));
  }

  @ParameterizedTest
  @MethodSource("thatAreBroken")
  void otherAccessesAreNotWhole(List<String> edits) {
    assertThat(found(edited(edits), "L2,cells=1")).contains(Kind.RACE);
    assertThat(found(edited(edits), "L2")).contains(Kind.RACE);
  }

  static Stream<List<String>> thatHold() {
    String read = "if r == 2 { await GO[0]@1 reached 1 acquire move out[0] <- box@1[0] bytes 16";
    return Stream.of(
        // After an acquire of the flag, a release passes the order on.
        List.of(CHECK, CHECK + " signal GO[0]@2 set 1 release", "if r == 2 {", read),
        // A fence acquires the messages found before it.
        List.of("== 1 acquire", "== 1 relaxed order sys"),
        List.of(LOAD, LOAD + " acquire"),
        List.of(LOAD, LOAD + " relaxed"),
        List.of(LOAD, "move out[0] <- box[0] bytes 16 sync load x <- out[0]"),
        // An agent ordered after all of a cell may store there.
        List.of(LOAD, LOAD + " store box[0] <- 9"),
        List.of(LOAD, LOAD + " store box[8] <- 0 release load y <- box[0]"),
        List.of(LOAD, "store box[8] <- 0 " + LOAD),
        // Each 16 bytes of a copy through a word of their own.
        List.of(
            STORE,
            "move box@1[0] <- mine[0] bytes 32",
            "mine[8] <- 1",
            "mine[8] <- 1 store mine[24] <- 2",
            LOAD,
            "wait box[24] == 2 acquire move out[0] <- box[0] bytes 32 " + LOAD),
        // Earlier steps of the lane are released as always.
        List.of(
            STORE,
            "move box@1[32] <- mine[0] bytes 8 " + STORE + " signal GO[0]@1 set 1 release",
            LOAD,
            "await GO[0]@0 reached 1 acquire move out[0] <- box[0] bytes 40 " + LOAD));
  }

  @ParameterizedTest
  @MethodSource("thatHold")
  void orderAfterACellIsPassedOn(List<String> edits) {
    assertThat(found(edited(edits), "L2,cells=1")).isEmpty();
    assertThat(found(edited(edits), "L2")).contains(Kind.RACE);
  }

  /** A relaxed signal passes nothing on, and a signal of too narrow a scope is reported. */
  @ParameterizedTest
  @CsvSource({"relaxed, RACE", "release gpu, SCOPE"})
  void aSignalWithoutASufficientReleaseGivesNoOrder(String signal, Kind kind) {
    String read = "if r == 2 { await GO[0]@1 reached 1 acquire move out[0] <- box@1[0] bytes 16";
    List<String> edits =
        List.of(CHECK, CHECK + " signal GO[0]@2 set 1 " + signal, "if r == 2 {", read);
    assertThat(found(edited(edits), "L2,cells=1")).containsExactly(kind);
  }

  /**
   * The same 16 bytes may be stored again only after a credit, which shows that the reader is done.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCellIsReusableAfterACredit(boolean credit) {
    List<String> edits =
        List.of(
            STORE,
            STORE
                + (credit ? " await GO[0]@1 reached 1 acquire" : " sync")
                + " store mine[0] <- 8 store mine[8] <- 2 sync "
                + "move box@1[0] <- mine[0] bytes 16",
            CHECK,
            CHECK
                + (credit ? " signal GO[0]@0 set 1 release" : "")
                + " wait box[8] == 2 acquire load y <- box[0] check y == 8 else 2");
    assertThat(found(edited(edits), "L2,cells=1").isEmpty()).isEqualTo(credit);
  }

  /** A ring in which data and flag travel together in every launch. */
  private static final String RING =
      """
      form slots
      scratch mine[16]
      scratch row[16]
      signal FREE[1]
      lane main: sm(32) {
        store mine[0] <- epoch + 6
        store mine[8] <- epoch
        sync
        move row@((r + 1) % n)[0] <- mine[0] bytes 16
        wait row[8] reached epoch acquire
        load x <- row[0]
        check x == epoch + 6 else 1
        signal FREE[0]@((r - 1) % n) set epoch release
        await FREE[0]@((r + 1) % n) reached epoch acquire
      }
      """;

  private static CheckReport explored(String text, String profile, Strategy strategy) {
    Topology topology = Topology.parse("1x3");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    Budget budget = new Budget(300, 20_000, 100_000, 200_000_000);
    return new Checker(strategy, budget, 3, Checker.strict(Profile.parse(profile), 3))
        .explore(program, topology);
  }

  @ParameterizedTest
  @EnumSource
  void everyStrategyUsesWholeStoresAndReportsThem(Strategy strategy) {
    CheckReport whole = explored(RING, "L2,cells=1", strategy);
    assertThat(whole.verdict().violation()).isEmpty();
    assertThat(whole.verdict().model()).contains("L2,cells=1");
    CheckReport torn = explored(RING, "L2", strategy);
    assertThat(torn.verdict().violation()).get().extracting(v -> v.kind()).isEqualTo("race");
    assertThat(torn.verdict().model()).doesNotContain("cells");
  }

  @ParameterizedTest
  @EnumSource
  void aTokenHoldsTheProfile(Strategy strategy) {
    String relaxed = RING.replace("reached epoch acquire\n  load", "reached epoch relaxed\n  load");
    assertThat(relaxed).isNotEqualTo(RING);
    CheckReport.Found found = explored(relaxed, "L2,cells=1", strategy).found().orElseThrow();
    ReplayToken token = ReplayToken.parse(found.token().orElseThrow().toString());
    TokenReplay.ReplayedExecution played = TokenReplay.play(token, FormParser.parse(relaxed));
    assertThat(played.recording()).isEqualTo(found.recording());
    assertThat(played.finding()).get().extracting(f -> f.kind()).isEqualTo(Kind.RACE);
  }

  /** If a link tears lines, the flag of a line arrives with the 8 bytes before it, at most. */
  @ParameterizedTest
  @CsvSource({
    "'L2,torn=1', true",
    "'L2,torn=1,cells=1', false",
    "L2, false",
    "'L2,cells=1', false"
  })
  void theLastStoreOfALineIsACell(String profile, boolean torn) {
    String text =
        """
        form line
        scratch src[128]
        scratch ll[128]
        scratch got[128]
        lane main: sm(32) {
          if r == 0 {
            store src[112] <- 7
            sync
            move ll@1[0] line128(1) <- src[0] bytes 120
          }
          if r == 1 {
            move got[0] <- ll[0] line128(1) bytes 120
            sync
            load x <- got[112]
          }
        }
        """;
    Endings ends = ends(text, "1x2", profile, DetectorSet.VALUES);
    boolean old = ends.outcomes.stream().anyMatch(o -> o.endsWith("0 "));
    assertThat(old).isEqualTo(torn);
  }
}
