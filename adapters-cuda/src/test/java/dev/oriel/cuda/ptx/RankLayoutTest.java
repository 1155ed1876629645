package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages name the memory at an address as the program does. */
class RankLayoutTest {
  private static final Program PROGRAM =
      Program.bind(
          FormParser.parse(
              """
              form three
              param B <= 4096
              input in[B]
              output out[B]
              signal READY[2]
              signal DATA[3]
              lane main(i < 2): sm(32) {
                move out[0] <- in[0] bytes B
              }
              lane last: sm(32) {
                signal DATA[0]@((r + 1) % n) set epoch release
                await DATA[0]@((r + 2) % n) reached epoch acquire
              }
              """),
          3,
          Map.of("B", 100L));

  @Test
  void eachPartHasItsOwnRange() {
    RankLayout layout = new RankLayout(PROGRAM.rank(1), Set.of());
    assertThat(layout.reached(99)).isEqualTo("in[99]");
    assertThat(layout.reached(100)).as("between two buffers").isEqualTo("?");
    assertThat(layout.reached(layout.buffer("out") + 7)).isEqualTo("out[7]");
    long slots = layout.slots();
    assertThat(layout.reached(slots)).isEqualTo("READY[0] of rank 0");
    assertThat(layout.reached(slots + 4 * PtxKernel.LINE)).isEqualTo("DATA[2] of rank 0");
    assertThat(layout.reached(slots + 14 * PtxKernel.LINE)).isEqualTo("DATA[2] of rank 2");
    assertThat(layout.reached(layout.reached())).isEqualTo("?");
    assertThat(layout.lane(RankLayout.lane(1))).isEqualTo("main[1]");
    assertThat(layout.lane(RankLayout.lane(2))).isEqualTo("last");
    assertThat(layout.lane(layout.status())).isEqualTo("?");
    assertThat(layout.lane(-1L)).isEqualTo("?");
  }

  @Test
  void buffersElsewhereTakeNoRoom() {
    RankLayout all = new RankLayout(PROGRAM.rank(0), Set.of());
    RankLayout some = new RankLayout(PROGRAM.rank(0), Set.of("in"));
    assertThat(some.buffer("out")).isZero();
    assertThat(all.reached() - some.reached()).isEqualTo(all.buffer("out"));
    assertThat(some.reached(3)).isEqualTo("out[3]");
    assertThat(some.own()).isEqualTo(all.own()).isEqualTo(3L * PtxKernel.LINE + LaneStatus.BYTES);
  }
}
