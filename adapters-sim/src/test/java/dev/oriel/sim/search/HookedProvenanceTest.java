package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.HookedPackets;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The result of a hook is compared by its term and the origin of its elements, not by its value.
 */
class HookedProvenanceTest {
  private static String found(Form form, String world, long bytes, Profile profile, boolean races) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, bytes, 0));
    ExecutionSettings settings =
        races
            ? Checker.strict(profile, 3)
            : new ExecutionSettings(profile, 3, DetectorSet.VALUES, TimeoutPolicy.NEVER);
    return new Checker(
            races ? Strategy.SYNCHRONISATION : Strategy.FIFO, Budget.DEFAULT, 1, settings)
        .check(program, topology)
        .violation()
        .map(v -> v.kind() + ": " + v.message())
        .orElse("nothing");
  }

  @ParameterizedTest
  @CsvSource({"1x1", "1x2", "2x1", "1x3", "2x2"})
  void shippedProgramsHoldOverBothKindsOfLinks(String world) {
    for (String name : ShippedPrograms.HOOKED) {
      for (Profile layer : new Profile[] {Profile.L1, Profile.L2, Profile.L3}) {
        assertThat(found(ShippedPrograms.form(name), world, 24, layer, true))
            .as("%s at %s", name, layer.name())
            .isEqualTo("nothing");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          transposing_all_to_all | <- turn (in[p * T + 4 * c])                | <- in[p * T + o]          | value
          transposing_all_to_all | <- turn (in[p * T + 4 * c])                | <- turn (in[r * T])       | value
          transposing_all_to_all | await READY[b]@p reached epoch acquire     | sync                      | race
          transposing_all_to_all | await DATA[b]@p reached epoch acquire      | sync                      | value
          transposing_all_to_all | flush @p local                             | sync                      | race
          quantised_all_gather   | quantise(bf16, e4m3, 128)                  | quantise(bf16, e5m2, 128) | value
          quantised_all_gather   | move box@peers[r * W + F + 4 * g] <- scale | move box[r * W + F] <- scale | value
          quantised_all_gather   | await READY[b]@peers reached epoch acquire | sync                      | race
          quantised_all_gather   | await DATA[b]@p reached epoch acquire      | sync                      | value
          quantised_all_gather   | flush @peers local                         | sync                      | race
          expert_counts          | group (box[4 * (p * E + e)], peer=p)       | group (box[4 * (p * E + e)], peer=r) | value
          expert_counts          | group (counts[4 * e], peer=r)              | group (counts[4 * e], peer=0) | value
          expert_counts          | await READY[b]@peers reached epoch acquire | sync                      | race
          expert_counts          | await DATA[b]@peers reached epoch acquire  | sync                      | value
          expert_counts          | flush peers local                          | sync                      | race
          """)
  void oneMistakeIsFound(String name, String right, String wrong, String kind) {
    String text = ShippedPrograms.text(name);
    assertThat(text).contains(right);
    assertThat(found(FormParser.parse(text.replace(right, wrong)), "2x1", 24, Profile.L2, true))
        .startsWith(kind + ": ");
  }

  /** The index of an element counts, not how a hook computes it; the parts of a sum do count. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          in0 + (i + slot)           | slot=2    | nothing
          in0 + (slot + i)           | slot=2    | nothing
          in0 + (i * 1:i64 + step)   | step=2    | nothing
          in0 + (i + block)          | block=3   | value
          in0 + i + role             | role=2    | value
          """)
  void aPartThatReadsNoElementHasItsValue(String value, String field, String kind) {
    String text =
        """
        form indexed
        input in[32]
        output out[32]
        hook whole(in0: i64) -> i64 = in0 + (i + tile)
        hook part(in0: i64) -> i64 = VALUE
        ensure out[0] = whole (in[0], tile=0) bytes 32
        lane main: sm(32) {
          move out[0] <- whole (in[0], tile=0) bytes 16
          move out[16] <- part (in[16], FIELD) bytes 16
        }
        """;
    Form form = FormParser.parse(text.replace("VALUE", value).replace("FIELD", field));
    assertThat(found(form, "1x1", 0, Profile.L2, true)).startsWith(kind);
  }

  /**
   * The pipelined channel with hooks at both ends; credits are cursors that persist across
   * launches.
   */
  private static Form channel(String credit) {
    return ShippedPrograms.edited(
        "ring_send_recv",
        "let S = 16384 ",
        "let S = 16 ",
        "let D = 4 ",
        "let D = 2 ",
        "let K = 8 ",
        "let K = 1 ",
        "scratch stage[K * D * S]",
        """
        scratch stage[K * D * S]
        scratch made[K * D * S]
        hook doubled(in0: i32) -> i32 = in0 + in0
        hook less(in0: i32) -> i32 = in0 - 1:i32
        hook both(in0: i32) -> i32 = in0 + in0 - 1:i32
        """,
        "ensure out[0] = in@((r - 1) % n)[0]",
        "ensure out[0] = both (in@((r - 1) % n)[0])",
        "sent + S - D * S",
        credit,
        "move stage@succ[g * D * S + sent % (D * S)] <- in[o + t * S] bytes m",
        """
        move made[g * D * S + sent % (D * S)] <- doubled (in[o + t * S]) bytes m
        sync
        move stage@succ[g * D * S + sent % (D * S)] <- made[g * D * S + sent % (D * S)] bytes m
        """,
        "move out[o + t * S] <- stage[g * D * S + rcvd % (D * S)] bytes m",
        "move out[o + t * S] <- less (stage[g * D * S + rcvd % (D * S)]) bytes m");
  }

  @ParameterizedTest
  @CsvSource({"1x2", "2x1", "1x3", "2x2"})
  void aChannelWithHooksAtBothEndsHoldsOverBothKindsOfLinks(String world) {
    for (Profile layer : new Profile[] {Profile.L1, Profile.L2, Profile.L3}) {
      assertThat(found(channel("sent + S - D * S"), world, 72, layer, true))
          .as(layer.name())
          .isEqualTo("nothing");
    }
  }

  /** Two ranks wait for each other's tiles anyway, so the mistake needs three. */
  @ParameterizedTest
  @CsvSource({"1x3", "3x1", "2x2"})
  void oneTileOfCreditTooManyIsFound(String world) {
    assertThat(found(channel("sent - D * S"), world, 72, Profile.L2, true)).startsWith("race");
  }

  @ParameterizedTest
  @CsvSource({"1x2, pkt8", "1x3, pkt16", "1x2, line128", "2x1, pkt16", "2x2, pkt16"})
  void packetsWrittenAndReadByHooksHold(String world, String format) {
    for (Profile layer : new Profile[] {Profile.L1, Profile.L2, Profile.L3}) {
      assertThat(found(HookedPackets.form(format), world, 24, layer, true))
          .as(layer.name())
          .isEqualTo("nothing");
    }
  }

  @Test
  void packetsOfAnotherLaunchAreFound() {
    String text = FormPrinter.print(HookedPackets.form("pkt16"));
    String stale = text.replace("pkt16(e)", "pkt16(1)");
    assertThat(stale).isNotEqualTo(text);
    assertThat(found(FormParser.parse(stale), "1x2", 24, Profile.L2, true)).isNotEqualTo("nothing");
  }

  private static String twice(String hooks, String steps) {
    String text =
        """
        form twice
        input in[64]
        input scale[16]
        output out[64]
        scratch mid[64]
        %s
        lane main: sm(32) {
          %s
        }
        """
            .formatted(hooks, steps);
    return found(FormParser.parse(text), "1x1", 0, Profile.L2, false);
  }

  @Test
  void twoHooksEqualTheirComposition() {
    String hooks =
        """
        hook pack = quantise(bf16, e4m3, 8)
        hook unpack = dequantise(e4m3, bf16, 8)
        hook both(in0: bf16, in1: f32 at blocks(size=8)) -> bf16 = bf16(f32(e4m3(f32(in0) / in1)) * in1)
        ensure out[0] = both (in[0], scale[0]) bytes 64
        """;
    String steps =
        "move mid[0] <- pack (in[0], scale[0]) bytes 32 sync move out[0] <- unpack (mid[0], %s) bytes 64";
    assertThat(twice(hooks, steps.formatted("scale[0]"))).isEqualTo("nothing");
    assertThat(
            twice(
                hooks.replace("bytes 64\n", "bytes 32\n"),
                steps.formatted("scale[0]").replace("bytes 64", "bytes 32")))
        .isEqualTo("nothing");
  }

  @Test
  void aCopyByAHookIsACopy() {
    String hooks = "hook same = copy(i64) ensure out[0] = in[0] bytes 64";
    assertThat(twice(hooks, "move out[0] <- same (in[0]) bytes 64")).isEqualTo("nothing");
    String turned =
        "hook turn = transpose(i16, 4, 8) hook back = transpose(i16, 8, 4) ensure out[0] = in[0] bytes 64";
    String steps = "move mid[0] <- turn (in[0]) bytes 64 sync move out[0] <- %s (mid[0]) bytes 64";
    assertThat(twice(turned, steps.formatted("back"))).isEqualTo("nothing");
    assertThat(
            twice(turned.replace("hook back = transpose(i16, 8, 4)", ""), steps.formatted("turn")))
        .startsWith("value: wrong byte");
  }

  @Test
  void equalValuesOfAnotherOriginAreWrong() {
    // Independent of the bits, a value negated twice differs from the original.
    String hooks = "hook same(in0: i32) -> i32 = neg(neg(in0)) ensure out[0] = in[0] bytes 64";
    assertThat(twice(hooks, "move out[0] <- same (in[0]) bytes 64"))
        .startsWith("value: wrong byte");
    String zero = "hook zero(in0: i32) -> i32 = in0 & 0:i32 ensure out[0] = zero (in[0]) bytes 32";
    assertThat(twice(zero, "move out[0] <- zero (in[0]) bytes 32")).isEqualTo("nothing");
    assertThat(twice(zero, "move out[0] <- zero (in[32]) bytes 32"))
        .startsWith("value: wrong byte");
  }

  @Test
  void gatheredRowsOutOfRangeAreFound() {
    String pick = "hook rows(in0: i32) -> i32 = i32(i + %d:i64) hook pick = gather(i64, 4, 1)";
    String steps =
        "move mid[0] <- rows (in[0]) bytes 16 sync move out[0] <- pick (in[0], mid[0]) bytes 32";
    assertThat(twice(pick.formatted(0), steps)).isEqualTo("nothing");
    assertThat(twice(pick.formatted(1), steps))
        .startsWith("bounds: gather row out of range: hook=pick, source=in0, i=3, row=4, rows=4");
  }

  @Test
  void inputsNameValidRows() {
    String text = "hook pick = gather(i64, 3, 1) ensure out[0] = pick (in[0], scale[0]) bytes 32";
    assertThat(twice(text, "move out[0] <- pick (in[0], scale[0]) bytes 32")).isEqualTo("nothing");
    assertThat(twice(text, "move out[0] <- pick (in[0], scale[0]) bytes 24"))
        .startsWith("value: wrong byte");
  }

  /** With the map at either end, the elements are at the same places. */
  @Test
  void mapsAtSourceAndDestinationAreEquivalent() {
    // The inverse of a map at one end is the map at the other.
    String inverse =
        """
        hook pulled(in0: i16 at transpose(rows=8, columns=4)) -> i16 = in0
        hook pushed(in0: i16) -> i16 to transpose(rows=4, columns=8) = in0
        ensure out[0] = %s (in[0]) bytes 64
        """;
    String same = inverse.replace("rows=8, columns=4", "rows=4, columns=8");
    String steps = "move out[0] <- %s (in[0]) bytes 64";
    assertThat(twice(inverse.formatted("pulled"), steps.formatted("pushed"))).isEqualTo("nothing");
    assertThat(twice(inverse.formatted("pushed"), steps.formatted("pulled"))).isEqualTo("nothing");
    assertThat(twice(same.formatted("pulled"), steps.formatted("pushed")))
        .startsWith("value: wrong byte");
    assertThat(twice(same.formatted("pushed"), steps.formatted("pulled")))
        .startsWith("value: wrong byte");
  }

  /** The operands of a hook, such as the tile, are part of its result's origin. */
  @Test
  void operandsOfAHookArePartOfItsOrigin() {
    String hooks =
        """
        hook mark(in0: i32) -> i32 = in0 + i32(tile)
        ensure for t < 4: out[16 * t] = mark (in[16 * t], tile=%s) bytes 16
        """;
    String steps = "for t < 4 { move out[16 * t] <- mark (in[16 * t], tile=%s) bytes 16 }";
    assertThat(twice(hooks.formatted("t"), steps.formatted("t"))).isEqualTo("nothing");
    assertThat(twice(hooks.formatted("t"), steps.formatted("t & 1")))
        .startsWith("value: wrong byte");
    assertThat(twice(hooks.formatted("3 - t"), steps.formatted("t")))
        .startsWith("value: wrong byte");
  }

  /** Both ranks write to rank 0's box at the same time, each to alternate elements. */
  private static final String INTO_STRIPES =
      """
      form into_stripes
      input in[32]
      output out[8]
      window box[64]
      hook stripe(in0: i64) -> i64 to affine(offset=%s, stride=2) = in0
      lane main: sm(32) {
        move box@0[0] <- stripe (in[0]) bytes 32
      }
      """;

  @Test
  void onlyElementsThatAreStoredAreWritten() {
    assertThat(found(FormParser.parse(INTO_STRIPES.formatted("r")), "1x2", 0, Profile.L2, true))
        .isEqualTo("nothing");
    assertThat(found(FormParser.parse(INTO_STRIPES.formatted("0")), "1x2", 0, Profile.L2, true))
        .startsWith("race");
  }

  /** A bound of rows that depends on the rank, for a peer's table. */
  @Test
  void rowsOfAPeersTableFollowTheReadersBound() {
    String text =
        """
        form rows
        input in[64]
        input table[16]
        output out[32]
        barrier begun
        barrier done
        hook pick(in0: i64 at gather(in1, rows=2 + 3 * r, width=1), in1: i32) -> i64 = in0
        ensure out[0] = pick (in[0], table@((r + 1) % n)[0]) bytes 32
        lane main: sm(32) {
          barrier begun
          move out[0] <- pick (in[0], table@((r + 1) % n)[0]) bytes 32
          barrier done
        }
        """;
    assertThat(found(FormParser.parse(text), "1x2", 0, Profile.L2, true)).isEqualTo("nothing");
    // The reader's bound is 2 rows at rank 0, whose peer's own bound would be 5.
    assertThat(
            found(
                FormParser.parse(text.replace("table@((r + 1) % n)", "table@1")),
                "1x3",
                0,
                Profile.L2,
                true))
        .isEqualTo("nothing");
  }

  /**
   * One rank writes alternate elements of a box, and its peer the rest, during a gather of both.
   */
  private static final String STRIPES =
      """
      form stripes
      input in[32]
      output out[32]
      window box[64]
      hook even(in0: i64 at affine(offset=%s, stride=2)) -> i64 = in0
      lane main: sm(32) {
        move box[16 * ((r + 1) %% 2)] <- in[0] bytes 8
        move out[0] <- even (box[0]) bytes 16
      }
      """;

  @Test
  void onlyGatheredElementsAreRead() {
    // Rank 0 writes word 2, rank 1 word 0; the hook reads words 1 and 3, or 0 and 2.
    assertThat(found(FormParser.parse(STRIPES.formatted("1")), "1x2", 0, Profile.L2, true))
        .isEqualTo("nothing");
    assertThat(found(FormParser.parse(STRIPES.formatted("0")), "1x2", 0, Profile.L2, true))
        .startsWith("race");
  }
}
