package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every pair of calls, with every wait between them, over a network, against the guarantees in the
 * language's tables: the cases of suites of one-sided races.
 */
class PairsOfCallsTest {
  private static final String HEAD =
      """
      form pair
      scratch win[16]
      scratch mine[16]
      scratch other[16]
      signal S[2]
      barrier all_in

      lane main: sm(32) {
        barrier all_in
      """;

  /** The effect of a call on the word at its target. */
  private enum Access {
    READ,
    WRITE,
    CHANGE,
    FETCH;

    boolean reads() {
      return this == READ || this == FETCH;
    }

    boolean indivisible() {
      return this == CHANGE || this == FETCH;
    }
  }

  /**
   * A call between {@code MINE} and the word of rank 1: its effect there, and when it has ended.
   */
  enum Remote {
    PUT("put win@1[0] <- MINE bytes 8", Access.WRITE, false, false),
    PUT_NB("put win@1[0] <- MINE bytes 8 nb", Access.WRITE, false, false),
    STRIDED("put win@1[0] <- MINE bytes 2 count 2 step 6, 2 nb", Access.WRITE, false, false),
    NOTIFYING_PUT(
        "put win@1[0] <- MINE bytes 8 notify S[SLOT] set epoch nb", Access.WRITE, false, false),
    GET("get MINE <- win@1[0] bytes 8", Access.READ, true, true),
    GET_NB("get MINE <- win@1[0] bytes 8 nb", Access.READ, false, true),
    ADD("atomic win@1[0] add 1", Access.CHANGE, false, false),
    FETCH("atomic MINE <- win@1[0] fetch", Access.FETCH, true, true),
    CAS_NB("atomic MINE <- win@1[0] cas 0, 1 nb", Access.CHANGE, false, true);

    private final String text;
    private final Access access;
    private final boolean over;
    private final boolean fills;

    /** {@code over}: it has ended when it returns; {@code fills}: it writes own memory. */
    Remote(String text, Access access, boolean over, boolean fills) {
      this.text = text;
      this.access = access;
      this.over = over;
      this.fills = fills;
    }

    String at(String own, int slot) {
      return text.replace("MINE", own).replace("SLOT", String.valueOf(slot));
    }

    boolean nonBlocking() {
      return text.endsWith(" nb");
    }

    boolean delivered() {
      return access != Access.READ;
    }
  }

  private static boolean conflict(Access one, Access other) {
    boolean both = (one.reads() && other.reads()) || (one.indivisible() && other.indivisible());
    return !both;
  }

  /**
   * Compares the verdict of a pair with the expected one, and asserts that the search was
   * exhaustive.
   */
  private static void check(List<String> wrong, String body, boolean race, String world) {
    String text = HEAD + body + "  quiet\n  quiet via 1\n  barrier all_in\n}\n";
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    Verdict verdict =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .check(program, topology);
    assertThat(verdict.bounds()).as(body).isEmpty();
    String kind = verdict.violation().map(Violation::kind).orElse("none");
    if (!kind.equals(race ? "race" : "none")) {
      wrong.add(kind + " in " + world + ":\n" + body);
    }
  }

  private static String rank(int rank, String... operations) {
    return "  if r == " + rank + " {\n    " + String.join("\n    ", operations) + "\n  }\n";
  }

  @ParameterizedTest
  @EnumSource
  void ofOneRank(Remote first) {
    List<String> wrong = new ArrayList<>();
    for (Remote second : Remote.values()) {
      boolean race = conflict(first.access, second.access) && !first.over;
      String one = first.at("mine[0]", 0);
      String two = second.at("other[0]", 1);
      check(wrong, rank(0, one, two), race, "2x1");
      check(wrong, rank(0, one, "quiet", two), false, "2x1");
      check(wrong, rank(0, one, "quiet via 1", two), race, "2x1");
      boolean arranged = first.delivered() && second.delivered();
      check(wrong, rank(0, one, "fence", two), race && !arranged, "2x1");
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ofTwoRanks(Remote first) {
    List<String> wrong = new ArrayList<>();
    for (Remote second : Remote.values()) {
      if (second.compareTo(first) >= 0) {
        String body = rank(0, first.at("mine[0]", 0)) + rank(2, second.at("mine[0]", 1));
        check(wrong, body, conflict(first.access, second.access), "3x1");
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void withItsOwner(Remote call) {
    List<String> wrong = new ArrayList<>();
    for (String load : List.of("load x <- win[0]", "load x <- win[7] width 1")) {
      String body = rank(0, call.at("mine[0]", 0)) + rank(1, load);
      check(wrong, body, conflict(call.access, Access.READ), "2x1");
    }
    for (String store : List.of("store win[0] <- 5", "store win[7] width 1 <- 5")) {
      String body = rank(0, call.at("mine[0]", 0)) + rank(1, store);
      check(wrong, body, true, "2x1");
    }
    String beside = rank(0, call.at("mine[0]", 0)) + rank(1, "store win[8] width 1 <- 5");
    check(wrong, beside, false, "2x1");
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void withItsOwnEnd(Remote call) {
    List<String> wrong = new ArrayList<>();
    String one = call.at("mine[0]", 0);
    boolean open = call.nonBlocking();
    check(wrong, rank(0, one, "load x <- mine[0]"), open && call.fills, "2x1");
    boolean used = open && one.contains("mine");
    check(wrong, rank(0, one, "store mine[0] <- 5"), used, "2x1");
    check(wrong, rank(0, one, "fence", "store mine[0] <- 5"), used, "2x1");
    check(wrong, rank(0, one, "quiet", "store mine[0] <- 5"), false, "2x1");
    check(wrong, rank(0, one, "store mine[8] <- 5"), false, "2x1");
    assertThat(wrong).isEmpty();
  }
}
