package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.DrivenProgram;
import dev.oriel.sim.search.Endings;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rank code and the equivalent program have the same set of results. */
class SameAsProgramsTest {
  private static final String HEAD =
      """
      form same
      window data[64]
      scratch stage[64]
      signal S[2]
      lane main: sm(32) {
        state x
        state y
      """;

  private static Simulation program(String body, Topology topology, ExecutionSettings settings) {
    Program program = Program.bind(FormParser.parse(HEAD + body + "}"), topology.world(), Map.of());
    return new Simulation(
        program, topology, EngineRequirements.lower(program, topology, topology.kinds()), settings);
  }

  /** The contents of every rank's two registers, or variables. */
  private static String states(Simulation simulation, int world) {
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < world; rank++) {
      text.append(simulation.register(rank, 1)).append(simulation.register(rank, 2)).append(' ');
    }
    return text.toString();
  }

  private static Endings same(
      String shape, Profile profile, boolean full, String body, Function<long[][], RankCode> made) {
    Topology topology = Topology.parse(shape);
    int world = topology.world();
    ExecutionSettings settings = Checker.strict(profile, 1);
    Endings wanted =
        Endings.systematic(program(body, topology, settings), full, s -> states(s, world));
    long[][] held = new long[world][2];
    RankCode inner = made.apply(held);
    RankCode code =
        (window, rank) -> {
          Arrays.fill(held[rank], 0);
          inner.run(window, rank);
        };
    DrivenProgram guided =
        RankCodeExploration.of(
                "same", CorrectRankCode.WINDOW, topology, Thread::startVirtualThread, code)
            .guided();
    Simulation simulation = guided.of(guided.program(), topology, settings, FaultPlan.NONE);
    Endings found =
        Endings.systematic(
            simulation,
            full,
            s -> {
              StringBuilder text = new StringBuilder();
              Arrays.stream(held).forEach(h -> text.append(h[0]).append(h[1]).append(' '));
              return text.toString();
            });
    simulation.guide().ifPresent(LaneDriver::stop);
    assertThat(found.cut).isFalse();
    assertThat(wanted.cut).isFalse();
    assertThat(found.outcomes).isEqualTo(wanted.outcomes);
    assertThat(found.found).isEqualTo(wanted.found);
    return found;
  }

  private static final String SHAPES =
      """
      1x2,L1,false
      1x2,L2,true
      2x1,L2,false
      2x1,L2,true
      2x1,L3,false
      """;

  @ParameterizedTest
  @CsvSource(textBlock = SHAPES)
  void bothSignalAndPoll(String shape, String profile, boolean full) {
    Endings endings =
        same(
            shape,
            Profile.parse(profile),
            full,
            """
            signal S[0]@(1 - r) set 1 release
            read seen <- S[0]@(1 - r) relaxed
            set x = seen
            """,
            held ->
                (window, rank) -> {
                  window.signal(1 - rank, 0, 1);
                  held[rank][0] = window.signalValue(1 - rank, 0);
                });
    assertThat(endings.outcomes).containsExactly("00 00 ", "00 10 ", "10 00 ", "10 10 ");
  }

  @ParameterizedTest
  @CsvSource(textBlock = SHAPES)
  void oneSignalsTwiceAndTheOtherPollsTwice(String shape, String profile, boolean full) {
    Endings endings =
        same(
            shape,
            Profile.parse(profile),
            full,
            """
            if r == 0 {
              signal S[0]@1 set 1 release
              signal S[0]@1 set 2 release
            } else {
              read a <- S[0]@0 relaxed
              set x = a
              read b <- S[0]@0 relaxed
              set y = b
            }
            """,
            held ->
                (window, rank) -> {
                  if (rank == 0) {
                    window.signal(1, 0, 1);
                    window.signal(1, 0, 1);
                  } else {
                    held[1][0] = window.signalValue(0, 0);
                    held[1][1] = window.signalValue(0, 0);
                  }
                });
    assertThat(endings.outcomes)
        .containsExactly("00 00 ", "00 01 ", "00 02 ", "00 11 ", "00 12 ", "00 22 ");
  }

  @ParameterizedTest
  @CsvSource({"1x3,L2,false", "3x1,L2,false", "1x3,L2,true", "3x1,L3,false"})
  void oneWordArrivesAndASecondIsPolled(String shape, String profile, boolean full) {
    Endings endings =
        same(
            shape,
            Profile.parse(profile),
            full,
            """
            if r == 0 {
              signal S[0]@2 set 1 release
              signal S[0]@1 set 1 release
            }
            if r == 1 {
              await S[0]@0 reached 1 acquire
              signal S[0]@2 set 1 release
            }
            if r == 2 {
              await S[0]@1 reached 1 acquire
              read seen <- S[0]@0 relaxed
              set x = seen
            }
            """,
            held ->
                (window, rank) -> {
                  switch (rank) {
                    case 0 -> {
                      window.signal(2, 0, 1);
                      window.signal(1, 0, 1);
                    }
                    case 1 -> {
                      window.await(0, 0, Comparison.REACHED, 1, CorrectRankCode.LONG);
                      window.signal(2, 0, 1);
                    }
                    default -> {
                      window.await(1, 0, Comparison.REACHED, 1, CorrectRankCode.LONG);
                      held[2][0] = window.signalValue(0, 0);
                    }
                  }
                });
    assertThat(endings.outcomes).contains("00 00 10 ");
  }

  /** A poll orders nothing, so a read after it races. */
  @ParameterizedTest
  @CsvSource(textBlock = SHAPES)
  void aReadAfterAPollRaces(String shape, String profile, boolean full) {
    Endings endings =
        same(
            shape,
            Profile.parse(profile),
            full,
            """
            if r == 0 {
              put data@1[0] <- data[8] bytes 8 nb
              fence
              signal S[0]@1 set 1 release
            } else {
              read seen <- S[0]@0 relaxed
              set x = seen
              if seen == 1 { move stage[0] <- data[0] bytes 8 }
            }
            """,
            held ->
                (window, rank) -> {
                  if (rank == 0) {
                    window.put(1, 0, 8, 8);
                    window.signal(1, 0, 1);
                  } else {
                    held[1][0] = window.signalValue(0, 0);
                    if (held[1][0] == 1) {
                      window.read(0, 8);
                    }
                  }
                });
    assertThat(endings.found).isEqualTo(Set.of(Finding.Kind.RACE));
    assertThat(endings.outcomes).containsExactly("00 00 ");
  }
}
