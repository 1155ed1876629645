package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.time.RandomPrograms;
import dev.oriel.sim.time.TimeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The time driver is a separate engine. The machine that all searches share must allow its order,
 * step by step, and end alike. So every result in time order is a result of an unbounded order.
 */
class TimeOrderTest {
  private static final long SEED = Long.getLong("oriel.time.seed", 1);
  private static final int PROGRAMS =
      Integer.getInteger("oriel.time.programs", Thorough.count(60, 300));
  private static final List<String> WORLDS =
      List.of("1x1", "1x2", "2x1", "1x4", "4x1", "2x2", "3x2", "5x1");

  /** Programs that are correct on mapped links, and race or are rejected elsewhere. */
  private static final List<String> ON_LINKS =
      Stream.of(ShippedPrograms.MAPPED, ShippedPrograms.ENGINES).flatMap(List::stream).toList();

  private static String program(int number) {
    String shape = WORLDS.get(number % WORLDS.size());
    return shape + "\n" + RandomPrograms.draw(SEED * 1_000_003 + number);
  }

  /**
   * Compares by values, since drawn programs race: no forbidden step, no deadlock, no wrong slot.
   */
  @Test
  void timeOrderOfRandomProgramsIsLegal() {
    List<String> wrong =
        IntStream.range(0, PROGRAMS)
            .mapToObj(i -> {
              String program = program(i);
              String why = new TimeOrder().apply(program);
              return why.isEmpty() ? "" : why + "\n" + program;
            })
            .filter(why -> !why.isEmpty())
            .toList();
    System.out.printf("order of time: seed=%d, programs=%d%n", SEED, PROGRAMS);
    assertThat(wrong).isEmpty();
  }

  /** With every check on: no race, no wrong byte. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3", "3x1", "2x2", "1x4"})
  @Sampled(every = 3)
  void timeOrderOfShippedProgramsIsLegal(String shape) {
    Topology topology = Topology.parse(shape);
    int replayed = 0;
    List<String> left = new ArrayList<>();
    boolean far = topology.kinds().contains(PeerKind.RDMA);
    for (String name : ShippedPrograms.all()) {
      if (far && ON_LINKS.contains(name)) {
        continue;
      }
      Form form = ShippedPrograms.form(name);
      try {
        Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 24, 1));
        for (String links : LinkText.PROFILES) {
          for (Profile profile : List.of(Profile.L2, Profile.RDMA_STRICT)) {
            assertThat(TimeOrder.wrong(program, topology, profile, links, 3, DetectorSet.ALL))
                .as("%s %s %s %s", name, shape, links, profile)
                .isEmpty();
          }
        }
        replayed++;
      } catch (ProgramException | MachineException e) {
        left.add(name);
      }
    }
    System.out.printf("order of time: %s, shipped=%d, left out=%s%n", shape, replayed, left);
    // Programs whose steps depend on words of their inputs are not timed.
    assertThat(left).isEqualTo(ShippedPrograms.COUNTED);
    assertThat(replayed).isEqualTo(far ? 30 : 39);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TimedSteps    | return satisfied ? at + 9 : -1;                                 | return at + 9;
          TimedSteps    | for (; source <= last; source++) {                              | for (; source < last; source++) {
          RequestTiming | int cell = cells.slot(peer, rank, ops[from], scene.value(ops[from + 1], lane)); | int cell = cells.slot(peer, rank, ops[from], scene.value(ops[from + 1], lane)); timeline.arrive(begin, cell, scene.value(ops[from + 3], lane), false);
          RequestTiming | Math.max(agents.clock[lane], complete[queue]) + costs.poll      | agents.clock[lane] + costs.poll
          CopyTiming   | if (cells.word(cell) != scene.value(                            | if (1 > 2 && 0 != scene.value(
          RankLaunches | if (--alive[rank] == 0) {                                       | if (--alive[rank] <= 1) {
          RankLaunches | if (running[of] == 0) {                                         | if (running[of] >= 0) {
          VirtualTimeline | long after = adds ? before + arrivingValue[place] : arrivingValue[place]; | long after = arrivingValue[place];
          """)
  void aTimeEngineThatGoesTooFarIsCaught(String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.TIME, new EngineMutant(file, line, becomes));
    assertThat(IntStream.range(0, PROGRAMS).anyMatch(i -> caught(changed, program(i)))).isTrue();
  }

  private static boolean caught(UnaryOperator<String> changed, String program) {
    try {
      return !changed.apply(program).isEmpty();
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }
}
