package dev.oriel.sim.testing;

import static dev.oriel.sim.testing.Explorer.assertHolds;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A property over drawn worlds and sizes, as {@code it/docs/howto/test-in-ci.md} shows one. */
class HandshakeTest {
  private static final String HANDSHAKE = ReplayTexts.HANDSHAKE;

  @Provide
  Arbitrary<WorldShape> worlds() {
    return WorldArbitraries.shapes(6);
  }

  @Provide
  Arbitrary<Long> sizes() {
    return SizeArbitraries.bytes(4096);
  }

  @Property(tries = 30)
  void holds(@ForAll("worlds") WorldShape world, @ForAll("sizes") long bytes) {
    Program program = Program.bind(FormParser.parse(HANDSHAKE), world.world(), Map.of("B", bytes));
    assertHolds(program, Topology.of(world.facts()));
  }
}
