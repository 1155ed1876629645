package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.MutantLoader.Engine;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program whose lanes load input words, and that is covered for any number of launches, has no
 * violation whatever turns these words have in its first launches. Plain searches with fixed words
 * decide that: every sequence of turns of up to three launches, and drawn ones of up to eight. They
 * know nothing of slopes, relative digests or choices of words. {@code -Doriel.words.programs=N}
 * selects the number of drawn programs, {@code -Doriel.words.seed=S} the first.
 */
class ChosenWordsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.words.programs", Thorough.count(8, 60));
  private static final long SEED = Long.getLong("oriel.words.seed", 0);
  private static final int ALL = 3;
  private static final int MOST = 8;
  private static final int DRAWN = 30;
  private static final List<String> OWN =
      List.of("dev.oriel.sim.code.", "dev.oriel.sim.machine.", "dev.oriel.sim.search.");
  private static final Engine MACHINE =
      new Engine("dev.oriel.sim.machine", LaunchBattery.class, OWN);

  private static Program bound(String world, String text) {
    return Program.bind(FormParser.parse(text), Topology.parse(world).world(), Map.of());
  }

  /** A plain search of so many launches, with input words of that draw. */
  private static CheckReport plain(String world, String text, int launches, long draw) {
    return new Checker(
            Strategy.SYNCHRONISATION,
            LaunchBattery.BUDGET,
            1,
            Checker.strict(Profile.L2, launches).drawing(draw))
        .explore(bound(world, text), Topology.parse(world));
  }

  /** The draw with those turns, two bits for each launch. */
  private static boolean fails(String world, String text, int launches, long turns) {
    return plain(world, text, launches, InputContents.draw(turns, launches)).found().isPresent();
  }

  /** The fewest launches with a violation; 0 if none of the searches finds one. */
  private static int first(String world, String text, long seed) {
    for (int launches = 1; launches <= ALL; launches++) {
      for (long turns = 0; turns < 1L << (2 * launches); turns++) {
        if (fails(world, text, launches, turns)) {
          return launches;
        }
      }
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < DRAWN; i++) {
      if (fails(world, text, MOST, random.nextLong() >>> 1)) {
        return MOST;
      }
    }
    return 0;
  }

  @Test
  void whatIsCoveredHasNoViolationWithAnyTurns() {
    Map<String, Integer> counts = new TreeMap<>();
    for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
      String text = WordedLaunchPrograms.text(seed);
      for (String world : List.of("1x1", "1x2", "2x1")) {
        Topology topology = Topology.parse(world);
        Program program = bound(world, text);
        AnyLaunches any =
            AnyLaunches.of(
                program,
                topology,
                FormLowering.lower(program.form(), topology.kinds()),
                Checker.strict(Profile.L2, 1),
                LaunchBattery.BUDGET);
        String as = "seed %d, %s: %s%n%s".formatted(seed, world, any, text);
        if (any.closed()) {
          assertThat(first(world, text, seed)).as(as).isZero();
        } else if (any.found().isPresent()) {
          CheckReport again = plain(world, text, any.launch(), any.draw());
          assertThat(again.found()).as(as).isPresent();
        }
        String answer =
            any.closed() ? "closed" : any.found().isEmpty() ? "open" : found(any.launch());
        counts.merge(answer, 1, Integer::sum);
      }
    }
    if (Integer.getInteger("oriel.words.programs") != null) {
      System.out.println("words of inputs: seed=%d %s".formatted(SEED, counts));
    }
    assertThat(counts.get("closed")).as("%s", counts).isGreaterThan(PROGRAMS / 4);
    assertThat(counts.get("found late")).as("%s", counts).isPositive();
  }

  private static String found(int launch) {
    return launch > 1 ? "found late" : "found";
  }

  @Test
  void everyDrawOfTurnsHasItsNumber() {
    assertThat(
            IntStream.range(0, 64)
                .mapToLong(turns -> InputContents.draw(turns, 3))
                .distinct()
                .count())
        .isEqualTo(64);
    long most = -1L >>> 2;
    assertThat(InputContents.draw(most, InputContents.CHOSEN)).isEqualTo(-1 - most);
    assertThat(InputContents.draw(most, InputContents.CHOSEN + 9)).isEqualTo(-1 - most);
  }

  /**
   * A program that fails, and a change of the engine that covers it nevertheless.
   *
   * @param launches in which it fails with some turns, at most {@link #ALL}
   */
  record Row(String name, int launches, String text, EngineMutant mutant) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, int launches, EngineMutant mutant, String operations) {
    String text =
        """
        form words
        input c[8]
        input in[8]
        scratch w[8]
        lane main: host {
          state p
          load k <- c[0] <= 24 else 1
          %s
          set p = k
        }
        """
            .formatted(operations.replace("\n", "\n  "));
    return new Row(name, launches, text, mutant);
  }

  static List<Row> rows() {
    return List.of(
        row(
            "words change from launch to launch",
            2,
            new EngineMutant(
                "CallerSteps",
                "s.turns[0] = InputContents.with(s.turns[0], launched, chosen);",
                "s.turns[0] = InputContents.with(s.turns[0], launched, 1);"),
            "if p == 24 { check k != 0 else 3 }"),
        row(
            "the first launch has any words, too",
            1,
            new EngineMutant(
                "CallerSteps",
                "s.turns[0] = InputContents.with(s.turns[0], launched, chosen);",
                "s.turns[0] = InputContents.with(s.turns[0], launched, launched == 0 ? 0 : chosen);"),
            "if epoch == 1 { check k != 24 else 3 }"),
        row(
            "a word that is kept in memory keeps its value",
            3,
            new EngineMutant(
                "ShiftedOrigins",
                "return origin(word) | carried | (octet & 0xFF);",
                "return origin(word) | carried;"),
            """
            if epoch == 3 { if p != 0 { if p != 24 { if k == 0 {
              load last <- w[0] <= 24 else 2
              check last != 24 else 3
            } } } }
            if k == 0 { move w[0] <- c[0] bytes 8 }
            if k == 24 { move w[0] <- c[0] bytes 8 }\
            """));
  }

  /** Other bytes of inputs differ from launch to launch. */
  @Test
  void otherBytesThatLanesLoadLeaveTheQuestionOpen() {
    String load = "move w[0] <- %s[0] bytes 1 sync load x <- w[0] width 1 check x >= 0 else 3";
    EngineMutant none = new EngineMutant("", "", "");
    assertThat(new LaunchBattery().apply("1x1\n" + row("", 1, none, load.formatted("c")).text()))
        .isEqualTo("closed");
    assertThat(new LaunchBattery().apply("1x1\n" + row("", 1, none, load.formatted("in")).text()))
        .isEqualTo("open");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void someWordsFail(Row row) {
    assertThat(first("1x1", row.text(), 1)).isEqualTo(row.launches());
    assertThat(new LaunchBattery().apply("1x1\n" + row.text())).isNotEqualTo("closed");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aChangedEngineCoversItNevertheless(Row row) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MACHINE, row.mutant());
    assertThat(changed.apply("1x1\n" + row.text())).isEqualTo("closed");
  }
}
