package dev.oriel.sim.replay;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Executions, and parts of them, for the tests of this package. */
final class ReplayFixtures {
  static final Form RING = ShippedPrograms.form("ring_send_recv");
  static final List<String> PROFILES = List.of("l3", "l2", "l1", "l0");

  private ReplayFixtures() {}

  static ExecutionCase ring(int hosts, int gpus, FaultPlan faults, int... choices) {
    return new ExecutionCase(
        RING,
        new WorldShape(hosts, gpus),
        Map.of("B", 4096L),
        3,
        TimeoutPolicy.NEVER,
        faults,
        ChoiceScript.of(choices),
        "l3");
  }

  static Arbitrary<ChoiceScript> scripts() {
    Arbitrary<Integer> choice =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.just(0)),
            Tuple.of(2, Arbitraries.integers().between(1, 5)),
            Tuple.of(1, Arbitraries.integers().between(1, Integer.MAX_VALUE - 1)));
    return choice.array(int[].class).ofMaxSize(200).map(ChoiceScript::of);
  }

  static Arbitrary<Fault> faults(int world) {
    Arbitrary<Integer> number =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, Fault.MAX_NUMBER));
    Arbitrary<int[]> numbers = number.array(int[].class).ofSize(4);
    return Combinators.combine(Arbitraries.of(FaultKind.class), numbers)
        .as((kind, drawn) -> {
          int[] values = Arrays.copyOf(drawn, kind.keys().size());
          for (int i = 0; i < values.length; i++) {
            values[i] %= kind.isRank(i) ? world : Integer.MAX_VALUE;
          }
          if (kind.joinsRanks() && values[0] == values[1]) {
            values[1] = (values[0] + 1) % world;
          }
          return kind.of(values);
        });
  }

  static Arbitrary<FaultPlan> plans(int world) {
    return faults(world).list().ofMaxSize(8).map(FaultPlan::new);
  }

  static Arbitrary<ReplayToken> tokens() {
    Arbitrary<String> name =
        Arbitraries.strings().withChars("abcXYZ019._-").ofMinLength(1).ofMaxLength(64);
    Arbitrary<String> digest = Arbitraries.strings().withChars("0123456789abcdef").ofLength(32);
    Arbitrary<WorldShape> world =
        Combinators.combine(
                Arbitraries.integers().between(1, 1000), Arbitraries.integers().between(2, 1000))
            .as(WorldShape::new);
    Arbitrary<Map<String, Long>> params =
        Arbitraries.maps(
                Arbitraries.strings().withChars("abcBKS_09").ofMinLength(1).ofMaxLength(9),
                Arbitraries.longs().between(0, Long.MAX_VALUE))
            .ofMaxSize(4)
            .map(TreeMap::new);
    return Combinators.combine(
            Combinators.combine(name, name, digest).as(List::of),
            world,
            params,
            Arbitraries.integers().between(1, ReplayToken.MAX_LAUNCHES),
            Arbitraries.of(TimeoutPolicy.class),
            plans(2),
            Arbitraries.longs(),
            scripts())
        .as((names, shape, values, launches, timeouts, plan, seed, script) ->
            new ReplayToken(
                names.get(0),
                names.get(2),
                shape,
                values,
                launches,
                timeouts,
                plan,
                names.get(1),
                seed,
                script));
  }
}
