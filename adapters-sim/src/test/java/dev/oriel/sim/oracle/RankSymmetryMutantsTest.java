package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every comparison before a renaming of ranks is needed. Without it, some program has renamings
 * under which states differ, or a reduced search misses a finding of the whole one.
 *
 * <p>Not listed, since another check rejects the same: how ranks are linked, where lanes post
 * (queues would differ), and which operations they are. Nor cases that no program can have:
 * different numbers of lanes or slots on different ranks, and equal bytes of inputs.
 */
class RankSymmetryMutantsTest {
  /** The removed comparison, and a program in which it matters. */
  record Case(EngineMutant mutant, String head, String declared, String op) {
    String program() {
      String body =
          op.startsWith("lane")
              ? op
              : "lane main: sm(32) {\n  " + op.replace(" | ", "\n  ") + "\n}\n";
      return "%s\nform f\ninput in[16]\noutput out[16]\n%s\n%s".formatted(head, declared, body);
    }

    @Override
    public String toString() {
      return mutant.toString();
    }
  }

  private static final String RING = "1x3 L2 1 values none";
  private static final String NOTHING = "scratch a[64] signal S[8] signal T[2]";

  private static Case without(
      String file, String line, String becomes, String declared, String op) {
    return new Case(new EngineMutant(file, line, becomes), RING, declared, op);
  }

  private static Case without(
      String file, String line, String becomes, String head, String declared, String op) {
    return new Case(new EngineMutant(file, line, becomes), head, declared, op);
  }

  /**
   * The next rank writes its slot three times, and the rank before it announces that with its last
   * signal.
   */
  private static final String SIGNALLED =
      "signal S[0]@((r + 1) %% n) set %d release | signal S[0]@((r + 1) %% n) set %d release"
          + " | signal S[0]@((r + 1) %% n) set %d release"
          + " | signal T[0]@((r - 1) %% n) set epoch release"
          + " | await T[0]@((r + 1) %% n) reached epoch acquire"
          + " | signal S[0]@((r - 1) %% n) set %d release | await S[0]@peers %s acquire";

  static List<Case> cases() {
    return List.of(
        // Values, peers and slots that differ from the renamed ones.
        without(
            "PermutedCodeEquality",
            "return one.same(a[at], other, b[at]);",
            "return true;",
            NOTHING,
            "signal S[0]@peers set epoch + r release"),
        without(
            "PermutedCodeEquality",
            "return a < 0 && b < 0 && peer(~a, ~b);",
            "return true;",
            NOTHING,
            "signal S[0]@0 set epoch release"),
        without(
            "PermutedCodeEquality",
            "return Arrays.equals(renamed, Arrays.stream(model.code.members(b)).sorted().toArray());",
            "return true;",
            NOTHING,
            "each p in peers {\nif p < r {\nsignal S[0]@all set epoch release\n} else {\nsignal S[0]@peers set epoch release\n}\n}"),
        // The order in which an await, or a move, goes through ranks.
        without(
            "PermutedCodeEquality",
            "(anyOrder(a, at) && ranks(a[at + 3], b[at + 3]))",
            "ranks(a[at + 3], b[at + 3])",
            "1x3 L2 1 all none",
            NOTHING,
            SIGNALLED.formatted(1, 0, 1, 1, "== 1")),
        without(
            "MonotoneSignals",
            "values[i] >= 0 && (change != 0 || last[signal] == null || values[i] >= last[signal][i])",
            "true",
            "1x3 L2 1 all none",
            NOTHING,
            SIGNALLED.formatted(1, 0, 1, 1, "reached 1")),
        without(
            "MonotoneSignals",
            "setter[at] >= 0 && setter[at] != by",
            "false",
            "1x3 L2 1 all none",
            NOTHING,
            "lane first: sm(32) {\n  signal S[0]@((r + 1) % n) set 1 release\n}\nlane main: sm(32) {\n  join first\n  "
                + SIGNALLED.formatted(0, 0, 1, 1, "reached 1").replace(" | ", "\n  ")
                + "\n}\n"),
        without(
            "RankPermutation",
            "if (kind < table.signals) {\n      to.words[target]",
            "if (false) {\n      to.words[target]",
            NOTHING,
            SIGNALLED.formatted(1, 2, 3, 4, "reached 1")),
        without(
            "RankPermutation",
            "found(from, to, w, into, by);",
            "",
            NOTHING,
            "atomic a@((r + 1) % n)[0] set 1 | wait a[0] == 1 relaxed"),
        without(
            "PermutedCodeEquality",
            "same &= inOrder(a[place + CopyLayout.RANKS], b[place + CopyLayout.RANKS]);",
            "",
            "1x3 L0 1 values none",
            "scratch pk[48]",
            "move pk@all[16 * r] pkt16(1) <- in[0] bytes 4"),
        // Registers that differ and are read.
        without(
            "PermutedCodeEquality",
            "(values(a, b, at + 2) || !live.get(a[at + 1]));",
            "true;",
            "1x2 L2 2 values none",
            NOTHING,
            "state s | signal S[0]@peers set s release | set s = s + r"),
        // Two places for one byte, one place for two bytes, and words that are split.
        without(
            "PermutedPlaces",
            "return to[at] == into && from[into] == at;",
            "return true;",
            NOTHING,
            "move a[8 * r] <- in[0] bytes 8 | move a[0] <- in[8] bytes 8"),
        // Bytes that are stored at once, and others that are not.
        without(
            "PermutedPlaces",
            "return model.cells && model.scan.aligned.get(buffer) ? Math.max(AtomicCells.BYTES, unit) : unit;",
            "return unit;",
            "1x3 L2,cells=1 1 values none",
            "scratch a[64] scratch b[64]",
            "move a@((r + 1) % n)[0] <- b[8 * r] bytes 16 | wait a[8] == 0 relaxed"),
        without(
            "RankPermutation",
            "agents.cells.rename(rank, places, component);",
            "",
            "1x3 L2,cells=1 1 values none",
            "scratch a[64] scratch b[64]",
            "move a@((r + 1) % n)[16] <- b[0] bytes 16 | wait a[24] == 0 relaxed"),
        // The representative of a search does not depend on the present names.
        without(
            "RankPermutation",
            "Integer.compare(state.at[oldLane[l]], state.at[other.oldLane[l]]);",
            "Integer.compare(state.at[lane[l]], state.at[other.lane[l]]);",
            NOTHING,
            "signal S[0]@((r + 1) % n) set epoch release | await S[0]@((r - 1) % n) reached epoch acquire"),
        // Steps that depend on bytes of inputs.
        without(
            "InputTaint",
            "reads(ops[at + 2], \"are loaded\");",
            "",
            NOTHING,
            "load x <- in[0] <= 99 else 1 | signal S[0]@peers set x release"),
        without(
            "InputTaint",
            "uses(b, \"are changed or awaited as words\");",
            "",
            NOTHING,
            "move a[0] <- in[0] bytes 8 | atomic a[0] add 1"),
        without(
            "InputTaint",
            "uses(from, \"may become flags of packets: they come from\");",
            "",
            "scratch pk[16]",
            "move pk[0] <- in[0] bytes 16 | move pk[0] pkt8(1) <- in[0] bytes 8"),
        // Faults, and the expected contents at the end.
        without(
            "RankSymmetry",
            "if (!faults.alike(rank, renaming.queue)) {",
            "if (false) {",
            "1x2 L2 1 values crash rank=1 after=1",
            NOTHING,
            "signal S[0]@peers set epoch release | await S[0]@peers reached epoch acquire"),
        without(
            "RankSymmetry",
            "if (!owed(r, launch, renaming).equals(owed(rank[r], launch, none))) {",
            "if (false) {",
            "1x2 L0 1 values none",
            NOTHING + "\nlet is = min(1, r)\nensure out[0] = in@r[0] bytes 8 * is",
            "signal S[0]@peers set 1 release | read x <- S[0]@((r + 1) % n) acquire"
                + " | if x == 1 {\nmove out[0] <- in[0] bytes 8\n}"),
        // Sizes and numbers of lanes, buffers and slots.
        without(
            "RankSymmetry",
            "if (model.bytes[r * model.buffers + b] != model.bytes[rank[r] * model.buffers + b]) {",
            "if (false) {",
            "scratch a[8 + 8 * r] signal S[1]",
            "signal S[0]@peers set epoch release"));
  }

  @Test
  void unchangedMachineJudgesAllProgramsRight() {
    UnaryOperator<String> whole = new PermutationWalks();
    for (Case one : cases()) {
      assertThat(whole.apply(one.program())).as(one.program()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Sampled(every = 5)
  void everyMissingComparisonIsDetected(Case one) throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.SYMMETRY, one.mutant());
    String shown = shown(changed, one.program());
    System.out.println(one + ": " + shown);
    assertThat(shown).isNotEmpty();
  }

  private static String shown(UnaryOperator<String> changed, String program) {
    try {
      return changed.apply(program);
    } catch (RuntimeException | AssertionError e) {
      return String.valueOf(e);
    }
  }
}
