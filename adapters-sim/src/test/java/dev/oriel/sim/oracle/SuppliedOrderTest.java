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
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.OrderRemedy;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.Endings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A machine that supplies an edge is used for advice. Here it runs random programs, and a {@link
 * PlainSearch}, which knows no edges, runs the same programs with the edge written into the text.
 * Both must find the same and show the same outcomes.
 */
class SuppliedOrderTest {
  private static final long MAX_STEPS = 600;

  /** A program of which the edge changes the text. */
  private record Drawn(OrderRemedy remedy, String shape, String profile, String text) {
    static Drawn of(OrderRemedy remedy, String shape, String profile, long seed) {
      int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
      boolean rdma = shape.charAt(0) > '1';
      long from = ((long) (remedy + shape + profile).hashCode() << 24) + seed;
      String text =
          seed % 2 == 0
              ? PlainPrograms.text(from, world, rdma)
              : SignallingPrograms.text(from, world, rdma);
      return new Drawn(remedy, shape, profile, text);
    }

    /** The text with the edge at every place that lacks it. */
    String written() {
      return switch (remedy) {
        case RELEASE -> text.replaceAll("( signal .*) relaxed", "$1 release");
        case ACQUIRE -> text.replaceAll("( await .*) relaxed", "$1 acquire");
        case SCOPE -> text.replaceAll(" gpu\n", "\n");
        case SYNC -> text.replaceAll("\n    (.*)(?=\n)", "\n    $1\n    sync");
        case BULK_ORDER -> text.replaceAll("( bulk )", " order bulk\n   $1");
        case BULK_END -> text.replaceAll("( bulk .*)", "$1\n    await bulk");
        default -> throw new AssertionError(remedy);
      };
    }

    /** The comparison; empty where a program cannot be bound or is too large. */
    Optional<PlainComparison> under(UnaryOperator<String> ends) {
      String written = written();
      if (written.equals(text) || text.contains("\ninput ")) {
        return Optional.empty();
      }
      try {
        Topology topology = Topology.parse(shape);
        Program program = Program.bind(FormParser.parse(written), topology.world(), Map.of());
        LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
        PlainCode code = new PlainCode(program, topology, lowered, Profile.parse(profile));
        PlainSearch plain = new PlainSearch(code, false, MAX_STEPS);
        return Optional.of(
            new PlainComparison(
                code,
                plain,
                ends(ends, remedy, "full", code.registers(0)),
                ends(ends, remedy, "synchronisation", code.registers(0)),
                MAX_STEPS));
      } catch (PlainSearch.TooLargeException | ProgramException e) {
        return Optional.empty();
      }
    }

    /** Whether the machine shows other results without the edge. */
    boolean changes(PlainComparison with) {
      Endings without =
          ends(new SuppliedEndings(), OrderRemedy.NONE, "full", with.code().registers(0));
      return !(without.covers(with.full()) && with.full().covers(without));
    }

    private Endings ends(
        UnaryOperator<String> ends, OrderRemedy edge, String level, int registers) {
      String head = "%s %s %s %s %d".formatted(shape, profile, edge, level, registers);
      List<String> lines = List.of(ends.apply(head + "\n" + text).split("\n", -1));
      Endings all = new Endings();
      all.cut = lines.getFirst().equals("cut");
      if (!all.cut) {
        Stream.of(lines.getFirst().split(" ", -1))
            .filter(kind -> !kind.isEmpty())
            .map(Kind::valueOf)
            .forEach(all.found::add);
        lines.stream().skip(1).filter(line -> !line.isEmpty()).forEach(all.outcomes::add);
      }
      return all;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RELEASE, 1x2, L2, 400",
    "RELEASE, 2x1, L2, 300",
    "RELEASE, 2x1, rdma-strict, 200",
    "ACQUIRE, 1x2, L2, 400",
    "ACQUIRE, 2x1, L2, 300",
    "ACQUIRE, 2x1, rdma-strict, 200",
    "SCOPE, 1x2, L2, 300",
    "SYNC, 1x2, L2, 600",
    "BULK_ORDER, 1x2, L2, 300",
    "BULK_END, 1x2, L2, 300"
  })
  void suppliedEdgeIsTheEdgeInTheText(
      OrderRemedy remedy, String shape, String profile, int programs) {
    int wanted = Thorough.count(programs / 6, programs);
    int matters = 0;
    int compared = 0;
    for (long seed = 0; compared < wanted; seed++) {
      Drawn drawn = Drawn.of(remedy, shape, profile, seed);
      Optional<PlainComparison> both = drawn.under(new SuppliedEndings());
      if (both.isEmpty()) {
        continue;
      }
      compared++;
      assertThat(both.get().disagreement())
          .as("%s %s %s seed=%d%n%s", remedy, shape, profile, seed, drawn.text)
          .isEmpty();

      matters += drawn.changes(both.get()) ? 1 : 0;
    }
    System.out.printf(
        "%s %s %s: programs=%d, the edge matters in %d%n",
        remedy, shape, profile, compared, matters);
    assertThat(matters).isPositive();
  }

  /** An edge that orders nothing, or an edge that nobody asked for, is noticed. */
  @ParameterizedTest
  @Sampled(every = 3)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          RELEASE    | 1x2 | OrderingAssumptions | releases = remedy == OrderRemedy.RELEASE;            | releases = false;
          ACQUIRE    | 1x2 | OrderingAssumptions | acquires = remedy == OrderRemedy.ACQUIRE             | acquires = false
          ACQUIRE    | 1x2 | OrderingAssumptions | releases = remedy == OrderRemedy.RELEASE;            | releases = remedy != OrderRemedy.RELEASE;
          SCOPE      | 1x2 | OrderingAssumptions | scopes = remedy == OrderRemedy.SCOPE;                | scopes = false;
          SYNC       | 1x2 | OrderingAssumptions | syncs = remedy == OrderRemedy.SYNC                   | syncs = false
          BULK_ORDER | 1x2 | OrderingAssumptions | bulkOrdered = remedy == OrderRemedy.BULK_ORDER;      | bulkOrdered = false;
          BULK_END   | 1x2 | OrderingAssumptions | unitsEnd = remedy == OrderRemedy.BULK_END            | unitsEnd = false
          """)
  void wrongEdgeIsCaught(OrderRemedy remedy, String shape, String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.EDGES, new EngineMutant(file, line, becomes));
    boolean caught = false;
    for (long seed = 0; !caught && seed < 3_000; seed++) {
      caught =
          Drawn.of(remedy, shape, "L2", seed)
              .under(changed)
              .flatMap(PlainComparison::disagreement)
              .isPresent();
    }
    assertThat(caught).isTrue();
  }
}
