package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.ExhaustiveEndings.Judged;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relations between the results of one program on two machines, and of two programs. */
@SuppressWarnings("RedundantControlFlow")
class RelationsTest {
  private static final int PROGRAMS = Thorough.count(15, 50);
  private static final long MAX_STEPS = 600;
  private static final List<Profile> LAYERS =
      List.of(Profile.L0, Profile.L1, Profile.L2, Profile.L3);

  private record Bound(Topology topology, Program program, LoweredForm lowered, PlainCode code) {
    static Bound of(String text, String shape) {
      Topology topology = Topology.parse(shape);
      Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
      LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
      PlainCode code = new PlainCode(program, topology, lowered, Profile.L2);
      return new Bound(topology, program, lowered, code);
    }

    Simulation on(Profile profile, DetectorSet detectors) {
      return new Simulation(
          program,
          topology,
          lowered,
          new ExecutionSettings(profile, 1, detectors, TimeoutPolicy.NEVER));
    }

    Endings ends(Profile profile, DetectorSet detectors) {
      return Endings.systematic(on(profile, detectors), true, this::memory);
    }

    String memory(Simulation s) {
      return PlainComparison.outcome(s, code);
    }
  }

  /**
   * A result of a layer with more order that a layer with less order does not show, if any.
   * Compares by values alone, since a layer with more order may stop at another finding. Empty as
   * well where the program is rejected or too large for a layer; then {@code compared} is not
   * called.
   */
  private static Optional<String> lost(
      UnaryOperator<String> ends, String shape, String text, Runnable compared) {
    Set<String> outcomes = new TreeSet<>();
    Set<String> found = new TreeSet<>();
    for (Profile layer : LAYERS) {
      Judged judged;
      try {
        judged = Judged.of(ends, shape + " " + layer.name() + " values\n" + text);
      } catch (ProgramException refused) {
        return Optional.empty();
      }
      if (judged.cut()) {
        return Optional.empty();
      }
      if (!judged.outcomes().containsAll(outcomes) || !judged.found().containsAll(found)) {
        return Optional.of("%s %s%n%s".formatted(shape, layer.name(), text));
      }
      outcomes = judged.outcomes();
      found = judged.found();
    }
    compared.run();
    return Optional.empty();
  }

  /** Half of them need most of their ordering operations. */
  private static String drawn(String shape, long seed) {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    boolean rdma = shape.charAt(0) > '1';
    return seed % 2 == 0
        ? PlainPrograms.text(~seed, world, rdma)
        : SignallingPrograms.text(~seed, world, rdma);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void layerWithLessOrderShowsAllResultsOfOneWithMore(String shape) {
    int[] compared = new int[1];
    for (long seed = 0; compared[0] < PROGRAMS; seed++) {
      assertThat(lost(new ExhaustiveEndings(), shape, drawn(shape, seed), () -> compared[0]++))
          .isEmpty();
    }
  }

  /** A layer that is swapped for another shows too few results. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ':',
      textBlock =
          """
          2x1 : OrderingAssumptions : fused = profile.fused() || waitsForAll; : fused = !profile.fused() || waitsForAll;
          1x2 : MachineModel : ordered = profile.ordered(); : ordered = !profile.ordered();
          2x1 : Profile : Visibility.NONE, EnumSet.of(Trait.RELAXED_ORDERING), 2, DEPTH, 0); : Visibility.ALL, EnumSet.of(Trait.FUSED), 2, DEPTH, 0);
          """)
  @Sampled(every = 3)
  void layerThatShowsTooLittleIsCaught(String shape, String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.ENDS, new EngineMutant(file, line, becomes));
    Optional<String> caught = Optional.empty();
    for (long seed = 0; caught.isEmpty() && seed < 2_000; seed++) {
      caught = lost(changed, shape, drawn(shape, seed), () -> {});
    }
    assertThat(caught).isPresent();
    System.out.println(becomes + " by " + caught.get());
  }

  /** By values and by findings: stores of whole cells only remove results, and do remove some. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "1x3"})
  void tornStoresShowAllResultsOfWholeStores(String shape) {
    Profile cells = Profile.parse("L2,cells=1");
    int fewer = 0;
    int held = 0;
    int tested = 0;
    for (long seed = 0; tested < 4 * PROGRAMS; seed++) {
      String text = PlainCells.text(~seed, shape.charAt(2) - '0');
      try {
        Bound bound = Bound.of(text, shape);
        new PlainSearch(bound.code, false, MAX_STEPS);
        tested++;
        Endings torn = bound.ends(Profile.L2, DetectorSet.VALUES);
        Endings whole = bound.ends(cells, DetectorSet.VALUES);
        assertThat(torn.outcomes).as("%s%n%s", shape, text).containsAll(whole.outcomes);
        // An agent that observes all of a cell waits in vain for an overwritten value, which an
        // await that reads word by word may still find. That such an await may miss it is detected
        // separately.
        whole.found.remove(Kind.DEADLOCK);
        assertThat(torn.found).as("%s%n%s", shape, text).containsAll(whole.found);
        fewer += torn.outcomes.equals(whole.outcomes) ? 0 : 1;
        Set<Kind> anything = bound.ends(Profile.L2, DetectorSet.ALL).found;
        Set<Kind> left = bound.ends(cells, DetectorSet.ALL).found;
        assertThat(left.isEmpty() || !anything.isEmpty()).as("%s%n%s", shape, text).isTrue();
        held += left.isEmpty() && !anything.isEmpty() ? 1 : 0;
      } catch (ProgramException | PlainSearch.TooLargeException e) {
        continue;
      }
    }
    assertThat(fewer).isPositive();
    assertThat(held).isPositive();
  }
}
