package dev.oriel.domain.certificate;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One world and one value for each parameter, for which a program was proved.
 *
 * @param program the digest of the program: its text, its number of ranks and its values
 * @param steps the digest of the micro-operations that the search executed
 * @param states the number of states that the search visited
 */
public record ProvedCase(
    WorldShape world, Map<String, Long> params, String program, String steps, long states) {

  public ProvedCase {
    params = Collections.unmodifiableMap(new TreeMap<>(params));
  }

  /** The case of that program in that world. */
  public static ProvedCase of(Program program, WorldShape world, long states) {
    return new ProvedCase(
        world,
        program.params(),
        program.digest(),
        steps(program, Topology.of(world.facts())),
        states);
  }

  /**
   * Whether that program in that topology is this case: the same text, values, ranks and hosts, the
   * same kind of link between each two ranks, and the same micro-operations.
   */
  boolean is(Program bound, Topology topology) {
    return program.equals(bound.digest())
        && sameLinks(topology)
        && steps.equals(steps(bound, topology));
  }

  /** Whether that topology has the hosts and links of this case. */
  boolean sameLinks(Topology topology) {
    // Before it is built: a certificate may name a very large world.
    if (world.world() != topology.world()) {
      return false;
    }
    Topology mine = Topology.of(world.facts());
    return mine.hosts().equals(topology.hosts())
        && IntStream.range(0, mine.world())
            .allMatch(from ->
                IntStream.range(0, mine.world())
                    .allMatch(to -> mine.kind(from, to) == topology.kind(from, to)));
  }

  private static String steps(Program program, Topology topology) {
    return FormLowering.lower(program.form(), topology.kinds()).digest();
  }

  /** The values as options write them, each after a space. */
  String values() {
    StringBuilder words = new StringBuilder();
    params.forEach((name, value) -> words.append(' ').append(name).append('=').append(value));
    return words.toString();
  }
}
