package dev.oriel.sim.machine.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sizes that a program reads from its inputs have small values, within the bounds of its loads. */
class InputContentsTest {
  private static Verdict check(String text, String world) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(
            Strategy.PORTFOLIO,
            new Budget(20, 10_000, 100_000, 100_000_000),
            1,
            Checker.strict(Profile.L2, 3))
        .check(program, topology);
  }

  /** The sender's input gives the number of bytes to forward, which is sent along with them. */
  private static String counted(String bound) {
    return """
    form counted
    input in[64]
    input size[8]
    output out[64]
    scratch box[64]
    scratch came[8]
    signal DATA[1]
    barrier all_in
    lane main: sm(32) {
      load c <- size[0] %s
      move box@((r + 1) %% n)[0] <- in[0] bytes c
      signal DATA[0]@((r + 1) %% n) set epoch release
      await DATA[0]@((r - 1) %% n) reached epoch acquire
      move out[0] <- box[0] bytes 64
      flush @((r + 1) %% n) local
      barrier all_in
    }
    """
        .formatted(bound);
  }

  @Test
  void valuesRespectTheBoundOfALoad() {
    for (String bound : new String[] {"<= 64 else 7", "<= 3 else 7", "<= 0 else 7"}) {
      assertThat(check(counted(bound), "1x2").violation()).as(bound).isEmpty();
    }
  }

  @Test
  void valuesRespectTheBoundsOfAllWidths() {
    String text =
        """
        form both
        input size[8]
        output out[8]
        lane main: sm(32) {
          load c <- size[0] <= 64 else 7
          load low <- size[0] width 4 <= 64 else 8
          load high <- size[4] width 4 <= 64 else 9
          move out[0] <- size[0] bytes min(c, 8)
        }
        """;
    assertThat(check(text, "1x1").violation()).isEmpty();
  }

  /** A mistake that only small counts show: below 8 there is no wait. */
  @Test
  void smallCountsOccur() {
    String text =
        """
        form few
        input size[8]
        scratch box[64]
        barrier done
        lane main: sm(32) {
          load c <- size[0]
          let m = min(c, 64)
          if m < 8 {
            move box@((r + 1) % n)[0] <- size[0] bytes 8
          } else {
            sync
          }
          load x <- box[0]
          barrier done
        }
        """;
    Verdict verdict = check(text, "1x2");
    assertThat(verdict.violation()).hasValueSatisfying(v -> assertThat(v.kind()).isEqualTo("race"));
  }

  /** A mistake that only a count of 0 shows, one of thousands that the bound allows. */
  @Test
  void zeroOccursForEveryBound() {
    String text =
        """
        form zero
        input in[4096]
        input size[8]
        scratch box[4096]
        signal DATA[1]
        lane main: sm(32) {
          load c <- size[0] <= 4096 else 7
          if c > 0 {
            move box@((r + 1) % n)[0] <- in[0] bytes c
            signal DATA[0]@((r + 1) % n) set epoch release
          }
          await DATA[0]@((r - 1) % n) reached epoch acquire
          flush @((r + 1) % n) local
        }
        """;
    for (String world : new String[] {"1x2", "2x1", "1x3"}) {
      assertThat(check(text, world).violation())
          .as(world)
          .hasValueSatisfying(v -> assertThat(v.kind()).isEqualTo("deadlock"));
    }
  }

  @Test
  void fourLaunchesHaveZeroTheMaximumAndANeighbourOfABound() {
    Topology topology = Topology.parse("1x3");
    Program program = Program.bind(FormParser.parse(counted("<= 50 else 7")), 3, Map.of());
    LoweredForm lowered = EngineRequirements.lower(program, topology, topology.kinds());
    WorldCode code = new WorldCode(program, lowered);
    InputContents inputs =
        new MachineModel(code, topology, Profile.L2, new StateCapacities(), -1).inputs;
    for (int rank = 0; rank < 3; rank++) {
      for (long first : new long[] {1, 5, (1L << 32) - 3}) {
        List<Long> words = new ArrayList<>();
        for (long launch = first; launch < first + 4; launch++) {
          words.add(inputs.at(rank, launch, 1, 0) & 0xFF);
        }
        assertThat(words).contains(0L, 50L).containsAnyOf(1L, 49L);
      }
    }
  }

  /** In every draw, every launch and every turn; the bounds of all ranks hold on each. */
  @Test
  void aUniformInputHasTheSameWordsOnEveryRank() {
    String text =
        counted("<= 50 else 7")
            .replace("input size", "uniform size")
            .replace("load c", "if r == 2 { load few <- size[0] <= 20 else 8 } load c");
    Topology topology = Topology.parse("1x3");
    Program program = Program.bind(FormParser.parse(text), 3, Map.of());
    WorldCode code =
        new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
    Set<Long> words = new HashSet<>();
    for (int draw = 0; draw < 8; draw++) {
      InputContents inputs = new InputContents(code, draw);
      for (long launch = 1; launch < 20; launch++) {
        for (int turn = InputContents.BY_LAUNCH; turn < InputContents.TURNS; turn++) {
          long word = inputs.at(0, launch, turn, 1, 0) & 0xFF;
          words.add(word);
          for (int rank = 1; rank < 3; rank++) {
            assertThat(inputs.at(rank, launch, turn, 1, 0) & 0xFF).isEqualTo(word);
          }
        }
      }
    }
    assertThat(words).contains(0L, 1L, 19L, 20L).allMatch(word -> word <= 20);
  }

  /** So a search that tries all turns of each launch tries all of three values. */
  @Test
  void theTurnsOfAUniformWordAreAllOfThreeValues() {
    for (long most = 0; most <= 2; most++) {
      String text = counted("<= %d else 7".formatted(most)).replace("input size", "uniform size");
      Topology topology = Topology.parse("1x2");
      Program program = Program.bind(FormParser.parse(text), 2, Map.of());
      assertThat(InputWords.tooMany(program)).isEmpty();
      WorldCode code =
          new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
      InputContents inputs = new InputContents(code, 0);
      for (long launch = 1; launch < 20; launch++) {
        Set<Long> words = new HashSet<>();
        for (int turn = 0; turn < InputContents.TURNS; turn++) {
          words.add(inputs.at(1, launch, turn, 1, 0) & 0xFF);
        }
        assertThat(words).hasSize((int) most + 1).allMatch(word -> word <= 2);
      }
    }
  }

  @Test
  void otherInputsHoldArbitraryBytesThatIdentifyTheirPlace() {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(counted("<= 5 else 7")), 2, Map.of());
    LoweredForm lowered = EngineRequirements.lower(program, topology, topology.kinds());
    WorldCode code = new WorldCode(program, lowered);
    InputContents inputs =
        new MachineModel(code, topology, Profile.L2, new StateCapacities(), -1).inputs;
    long any = 0;
    for (int launch = 0; launch < 50; launch++) {
      any |= inputs.at(0, launch, 0, 3);
      assertThat(inputs.at(1, launch, 1, 0) & 0xFF).isBetween(0L, 5L);
      assertThat(inputs.at(1, launch, 1, 4) & 0xFF).isZero();
      assertThat(inputs.at(1, launch, 1, 4) >>> 8)
          .isEqualTo(InputPattern.at(1, launch, 1, 4) >>> 8);
    }
    assertThat(any & 0xF0).isEqualTo(0xF0);
  }
}
