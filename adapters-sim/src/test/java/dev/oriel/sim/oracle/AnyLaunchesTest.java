package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.MutantLoader.Engine;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program that is covered for any number of launches has no violation in any of the first eight.
 * The search with a fixed number of launches decides that; it knows nothing of slopes, of relative
 * digests or of when launches end. {@code -Doriel.launches.programs=N} selects the number of drawn
 * programs, {@code -Doriel.launches.seed=S} the first.
 */
class AnyLaunchesTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.launches.programs", Thorough.count(150, 800));
  private static final long SEED = Long.getLong("oriel.launches.seed", 0);
  private static final int MOST = 8;
  private static final List<String> OWN =
      List.of("dev.oriel.sim.code.", "dev.oriel.sim.machine.", "dev.oriel.sim.search.");
  private static final Engine MACHINE =
      new Engine("dev.oriel.sim.machine", LaunchBattery.class, OWN);
  private static final Engine CODE = new Engine("dev.oriel.sim.code", LaunchBattery.class, OWN);

  /** Not covered: a flag depends on a state; sums of bytes that nobody reads grow. */
  private static final Set<String> OPEN = Set.of("ll_send_recv", "halving_reduce_scatter");

  /** The first number of launches with a violation; 0 for none, -1 if the search was cut. */
  private static int first(String world, String text) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    int first = 0;
    for (int launches = 1; launches <= MOST && first == 0; launches++) {
      CheckReport report =
          new Checker(
                  Strategy.SYNCHRONISATION,
                  LaunchBattery.BUDGET,
                  1,
                  Checker.strict(Profile.L2, launches))
              .explore(program, topology);
      boolean cut = !report.verdict().bounds().isEmpty();
      first = report.found().isPresent() ? launches : cut ? -1 : 0;
    }
    return first;
  }

  @Test
  void whatIsCoveredHasNoViolationInEightLaunches() {
    Map<String, Integer> counts = new TreeMap<>();
    UnaryOperator<String> battery = new LaunchBattery();
    for (long seed = SEED; seed < SEED + PROGRAMS; seed++) {
      String text = RepeatedLaunchPrograms.text(seed);
      for (String world : List.of("1x2", "2x1")) {
        String answer;
        int first;
        try {
          answer = battery.apply(world + "\n" + text);
          first = first(world, text);
        } catch (ProgramException e) {
          // It cannot be bound.
          continue;
        }
        String as = "seed %d, %s: %s, but %d%n%s".formatted(seed, world, answer, first, text);
        switch (answer) {
          case "closed" -> assertThat(first).as(as).isLessThanOrEqualTo(0);
          case "open" -> {}
          default -> {
            int launch = Integer.parseInt(answer.substring(answer.indexOf(' ') + 1));
            assertThat(first == -1 || launch > MOST || (first > 0 && first <= launch))
                .as(as)
                .isTrue();
          }
        }
        counts.merge(
            (answer.contains(" ") ? "found" : answer) + (first > 3 ? " late" : ""),
            1,
            Integer::sum);
      }
    }
    if (Integer.getInteger("oriel.launches.programs") != null) {
      System.out.println("any number of launches: seed=%d %s".formatted(SEED, counts));
    }
    // The drawn programs are useful: many are covered, and some fail only after three launches.
    assertThat(counts.get("closed")).as("%s", counts).isGreaterThan(PROGRAMS / 5);
    assertThat(counts.get("found late")).as("%s", counts).isGreaterThan(PROGRAMS / 50);
    assertThat(counts.get("open")).as("%s", counts).isLessThan(PROGRAMS / 3);
  }

  /** A lane does the same if it begins late, after a lane before it that does nothing. */
  @Test
  void aLaneThatBeginsLateIsCoveredAlike() {
    Map<String, Integer> counts = new TreeMap<>();
    UnaryOperator<String> battery = new LaunchBattery();
    for (long seed = SEED; seed < SEED + PROGRAMS / 5; seed++) {
      String text =
          RepeatedLaunchPrograms.text(seed)
              .replaceFirst("lane main: (host|sm\\(32\\))", "lane a: sm(32) {\n}\nlane b: sm(32)");
      for (String world : List.of("1x2", "2x1")) {
        String all;
        try {
          all = battery.apply(world + "\n" + text);
        } catch (ProgramException e) {
          // It cannot be bound.
          continue;
        }
        assertThat(battery.apply(world + " L2,resident=1\n" + text))
            .as("seed %d, %s%n%s", seed, world, text)
            .isEqualTo(all);
        counts.merge(all.contains(" ") ? "found" : all, 1, Integer::sum);
      }
    }
    assertThat(counts.get("closed")).as("%s", counts).isGreaterThan(PROGRAMS / 25);
    assertThat(counts.get("found")).as("%s", counts).isGreaterThan(PROGRAMS / 25);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void shippedProgramsAreCoveredForAnyNumberOfLaunches(String world) {
    TreeSet<String> open = new TreeSet<>();
    for (String name : ShippedPrograms.all()) {
      boolean mapped =
          ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name);
      if (mapped && !world.equals("1x2")) {
        continue;
      }
      Topology topology = Topology.parse(world);
      var form = ShippedPrograms.form(name);
      Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 20, 1));
      CheckReport report =
          new Checker(
                  Strategy.SYNCHRONISATION, LaunchBattery.BUDGET, 1, Checker.strict(Profile.L2, 2))
              .anyLaunches()
              .explore(program, topology);
      assertThat(report.found()).as(name).isEmpty();
      if (!report.closed()) {
        assertThat(report.anyLaunches().orElseThrow().why()).as(name).isNotEmpty();
        open.add(name);
      }
    }
    assertThat(open).isEqualTo(OPEN);
  }

  /** What is promised differs with the words, although the lanes load nothing. */
  @Test
  void wordsOfInputsInAPostConditionTakeTheirTurns() {
    String text =
        """
        form promised
        input size[8]
        input in[64]
        output out[64]
        ensure load c <- size[0] <= 64: out[0] = in[0] bytes c
        lane main: host { move out[0] <- in[0] bytes 64 }
        """;
    assertThat(new LaunchBattery().apply("1x1\n" + text)).isEqualTo("closed");
    String half = text.replace("bytes 64 }", "bytes 32 }");
    assertThat(new LaunchBattery().apply("1x1\n" + half)).startsWith("VALUE");
    String fixed = text.replace("load c <- size[0] <= 64: ", "").replace("bytes c", "bytes 64");
    assertThat(new LaunchBattery().apply("1x1\n" + fixed)).isEqualTo("closed");
  }

  /**
   * A program, what is right, and a change of the engine that covers the program though it fails.
   *
   * @param failing the first launch that fails
   */
  record Row(String name, String text, int failing, Engine engine, EngineMutant mutant) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String MEET =
      "signal M[0]@peers set epoch release\n  await M[0]@peers reached epoch acquire\n  ";

  /** Ranks meet in each launch, so that none is ahead by more than one. */
  private static Row row(
      String name, int failing, Engine engine, EngineMutant mutant, String operation) {
    return apart(name, failing, engine, mutant, MEET + operation);
  }

  private static Row apart(
      String name, int failing, Engine engine, EngineMutant mutant, String operations) {
    String text =
        """
        form launches
        scratch w[16]
        signal M[1]
        signal S[1]
        signal T[1]
        lane main: host {
          %s
        }
        """
            .formatted(operations);
    return new Row(name, text, failing, engine, mutant);
  }

  private static EngineMutant change(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }

  static List<Row> rows() {
    return List.of(
        row(
            "a remainder repeats after as many launches as its divisor",
            7,
            CODE,
            change("OperandTable", "case MOD -> left % by == 0 ? 0 : NO_SLOPE;", "case MOD -> 0;"),
            "check epoch % 8 != 7 else 1"),
        row(
            "a quotient grows once in as many launches as its divisor",
            8,
            CODE,
            change(
                "OperandTable",
                "case DIV, CEIL -> left % by == 0 ? left / by : NO_SLOPE;",
                "case DIV, CEIL -> left / by;"),
            "check epoch / 8 < 1 else 1"),
        row(
            "a mask repeats as its highest bit does",
            6,
            CODE,
            change(
                "OperandTable",
                "case AND -> left % (2 * Long.highestOneBit(by)) == 0 ? 0 : NO_SLOPE;",
                "case AND -> 0;"),
            "check (epoch & 7) < 6 else 1"),
        row(
            "a number that is kept from 0 is itself only above 0",
            6,
            MACHINE,
            change(
                "SlopeVariables",
                "operands.keptFromZero(operand, kept -> keptFromZero(lane, kept));",
                ""),
            "check nz32(epoch - 5) + 5 != epoch else 1"),
        row(
            "a comparison of the epoch with a constant settles",
            7,
            MACHINE,
            change(
                "SlopeVariables",
                "settle(factor == 0 ? 1 : Math.floorDiv(Math.abs(rest), Math.abs(factor)) + 1);",
                "settle(1);"),
            "check epoch < 7 else 1"),
        row(
            "launches before that are no launches like others",
            7,
            MACHINE,
            change(
                "LaunchRelativeDigest",
                "int late = least - 1 - slopes.settled();",
                "int late = least - 1;"),
            "check epoch != 7 else 1"),
        row(
            "a value that grows is compared with one that does not",
            6,
            MACHINE,
            change(
                "SlopeVariables",
                "if (a == null || b == null) {",
                "if (a == null || b == null) {\n      return;\n    }\n    if (false) {"),
            "store w[8] <- epoch load x <- w[8] check x < 6 else 1"),
        row(
            "a value that grows fast wraps after few launches",
            8,
            CODE,
            change(
                "OperandTable",
                "bounded(slope(OPERATORS[nodes[at]], left, right, at), FASTEST);",
                "Long.valueOf(slope(OPERATORS[nodes[at]], left, right, at));"),
            "check epoch * 2305843009213693952 >= epoch else 1"),
        row(
            "so does a flag to which much is added",
            8,
            CODE,
            change(
                "OperandTable",
                "return far(a) || far(b) ? NO_SLOPE : operator.apply(left, right);",
                "return operator.apply(left, right);"),
            "check nz32(epoch + 4294967288) == epoch + 4294967288 else 1"),
        apart(
            "a number that stays may be negative, and a sum with it wraps once",
            7,
            MACHINE,
            change(
                "LaunchRelativeDigest",
                "boolean small = value >>> OperandTable.SMALL_BITS == 0 && (slope == 0 || value != 0);",
                "boolean small = slope == 0 || value > 0;"),
            """
            state y
            if epoch == 1 { set y = 0 - 7 }
            signal M[0]@peers set epoch release
            await M[0]@peers reached epoch acquire
            check epoch + y > epoch else 1
            """),
        apart(
            "a number that stays may be so large that a quotient of a sum with it wraps",
            8,
            MACHINE,
            change("SlopeVariables", "order(lane, grows);", ""),
            """
            state y
            if epoch == 1 { set y = 9223372036854775798 }
            signal M[0]@peers set epoch release
            await M[0]@peers reached epoch acquire
            check (epoch + y) / 2 + 1 == (epoch + y + 2) / 2 else 1
            """),
        apart(
            "a small number that stays may be multiplied until a sum with it wraps",
            8,
            MACHINE,
            change("SlopeVariables", "if (judges && operands.wraps(operand)) {", "if (false) {"),
            """
            state y
            if epoch == 1 { set y = 1099511627264 }
            signal M[0]@peers set epoch release
            await M[0]@peers reached epoch acquire
            check epoch * 1073741824 + y * 16777216 > epoch * 1073741824 else 1
            """),
        row(
            "conditions count",
            7,
            MACHINE,
            change(
                "LaunchSlopes",
                "variables.compare(l, ops[term], ops[term + 1], ops[term + 2]);",
                ""),
            "check epoch != 7 else 1"),
        apart(
            "launches may end after any one",
            1,
            MACHINE,
            change(
                "CallerSteps",
                "s.last[0] = chosen == turns ? launched : 0;",
                "s.last[0] = most ? launched : 0;"),
            """
            if r == 0 {
              await T[0]@1 reached epoch - 1 acquire
              signal S[0]@1 set epoch release
            }
            if r == 1 {
              signal T[0]@0 set epoch release
              await S[0]@0 reached epoch + 1 acquire
            }
            """));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aLaterLaunchFails(Row row) {
    assertThat(first("1x2", row.text())).isEqualTo(row.failing());
    assertThat(new LaunchBattery().apply("1x2\n" + row.text())).isNotEqualTo("closed");
  }

  @Sampled(every = 4)
  @ParameterizedTest
  @MethodSource("rows")
  void aChangedEngineCoversItNevertheless(Row row) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(row.engine(), row.mutant());
    assertThat(changed.apply("1x2\n" + row.text())).isEqualTo("closed");
  }
}
