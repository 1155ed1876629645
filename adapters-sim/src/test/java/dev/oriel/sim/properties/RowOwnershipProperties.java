package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.testing.WorldArbitraries;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Each word of a row has one writer, and its value identifies the writer: every byte of an input
 * has its own origin, which bytes of other writers do not have.
 */
class RowOwnershipProperties {
  /** {@code %1$d} words, written to {@code %2$s} from {@code %3$s} by {@code %4$s}. */
  private static final String ROWS =
      """
      form rows
      let K = %1$d
      input in[n * K * 8]
      output out[n * K * 8]
      scratch box[n * K * 8]
      barrier begin
      barrier sent
      ensure each p in all: out[p * K * 8] = in@p[r * K * 8] bytes K * 8
      lane main: sm(32) {
        barrier begin
        for s < K {
          each q in all {
            %4$s box@q[%2$s] <- in[%3$s] bytes 8
          }
        }
        quiet
        flush all remote
        barrier sent
        move out[0] <- box[0] bytes n * K * 8
      }
      """;

  private static final String ROW = "(r * K + s) * 8";
  private static final String OF_PEER = "(q * K + s) * 8";

  @Provide
  Arbitrary<Topology> worlds() {
    return WorldArbitraries.topologies(5);
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  @Property(tries = 60)
  void everyWordComesFromItsOnlyWriter(
      @ForAll("worlds") Topology world,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll @IntRange(min = 1, max = 3) int launches,
      @ForAll boolean put) {
    String text = ROWS.formatted(slots, ROW, OF_PEER, put ? "put" : "move");
    assertThat(Judged.text(text, world, profile, launches)).isEqualTo(Judged.HOLDS);
  }

  /**
   * Rows of another rank's perspective, of a neighbour, slots that share a word, and another's
   * value.
   */
  @Property(tries = 60)
  void aWordOfAnotherRowIsFound(
      @ForAll @IntRange(min = 2, max = 4) int world,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 4) int slots,
      @ForAll @IntRange(min = 0, max = 3) int mistake,
      @ForAll boolean link) {
    String[] rows = {"(q * K + s) * 8", "((r + 1) %% n * K + s) * 8", "(r * K + s / 2) * 8", ROW};
    String row = rows[mistake].replace("%%", "%");
    String from = mistake == 3 ? "((q + 1) % n * K + s) * 8" : OF_PEER;
    String text = ROWS.formatted(slots, row, from, "put");
    Topology shape = Topology.parse(link ? "1x" + world : world + "x1");
    assertThat(Judged.text(text, shape, profile, 1)).containsPattern("^(race|value): ");
  }
}
