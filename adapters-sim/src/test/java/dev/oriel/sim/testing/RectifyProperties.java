package dev.oriel.sim.testing;

import static dev.oriel.sim.testing.Explorer.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookArray;
import dev.oriel.domain.hook.HookContext;
import dev.oriel.domain.hook.HookEvaluator;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The example of it/docs/howto/write-a-hook.md, word for word. */
class RectifyProperties {
  private static final String RECTIFY =
      """
      form rectify
      param B <= 4096
      input in[4 * B]
      output out[4 * B]
      scratch mine[4 * B]
      signal READY[1]
      signal DATA[1]
      hook relu(in0: f32) -> f32 = max(in0, 0.0:f32)
      ensure out[0] = relu (in@((r - 1) % n)[0]) bytes 4 * B

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        signal READY[0]@pred set epoch release
        move mine[0] <- relu (in[0]) bytes 4 * B
        await READY[0]@succ reached epoch acquire
        move out@succ[0] <- mine[0] bytes 4 * B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
        flush @succ local
      }
      """;

  private static final Hook RELU = Hook.parse("hook relu(in0: f32) -> f32 = max(in0, 0.0:f32)");

  @Property
  void keepsWhatIsAboveZero(@ForAll @Size(40) byte[] bytes) {
    ElementArray in = ElementArray.of(DataType.FP32, bytes);
    ElementArray out = ElementArray.zeros(DataType.FP32, 10);
    List<HookArray> sources = List.of(HookArray.of(in));
    HookEvaluator.apply(RELU, HookContext.ZERO, sources, HookArray.of(out), 0, 10);
    for (int i = 0; i < 10; i++) {
      float value = Float.intBitsToFloat((int) in.get(i));
      assertThat(Float.intBitsToFloat((int) out.get(i))).isEqualTo(value > 0 ? value : 0);
    }
  }

  @Provide
  Arbitrary<WorldShape> worlds() {
    return WorldArbitraries.shapes(4);
  }

  @Property(tries = 30)
  void arrivesRectified(
      @ForAll("worlds") WorldShape world, @ForAll @IntRange(max = 64) int elements) {
    Map<String, Long> params = Map.of("B", (long) elements);
    Program program = Program.bind(FormParser.parse(RECTIFY), world.world(), params);
    assertHolds(program, Topology.of(world.facts()));
  }
}
