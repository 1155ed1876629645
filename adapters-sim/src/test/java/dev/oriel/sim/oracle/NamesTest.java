package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.ExhaustiveEndings.Judged;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The numbers of ranks, the order of declarations and an idle rank do not change the results of a
 * random program, under any profile.
 */
class NamesTest {
  private static final long SEED = Long.getLong("oriel.names.seed", 1);
  private static final Pattern RANK = Pattern.compile("(r == |@)(\\d)");
  private static final String DECLARATION = "(scratch|signal|barrier|input|output) .*";

  /** The difference, if any; empty as well where the program is rejected or too large. */
  private static Optional<String> differs(
      UnaryOperator<String> ends, String shape, String profile, long seed) {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    Random random = new Random(seed);
    String text = text(seed, world, shape.charAt(0) > '1', random);
    Judged known = judged(ends, shape, profile, text);
    int[] before = IntStream.range(0, world).map(r -> (r + world - 1) % world).toArray();
    Judged renamed = judged(ends, shape, profile, turned(text, world));
    if (known.cut() || renamed.cut()) {
      return Optional.empty();
    }
    if (!renamed.found().equals(known.found())
        || !renamed.outcomes().equals(known.renamed(before))) {
      return Optional.of("other names of ranks\n" + text);
    }
    if (!judged(ends, shape, profile, shuffled(text, random)).equals(known)) {
      return Optional.of("another order of declarations\n" + text);
    }
    if (text.contains("    barrier B") || text.contains(" in[8]")) {
      return Optional.empty();
    }
    String wider = shape.charAt(0) > '1' ? world + 1 + "x1" : "1x" + (world + 1);
    Judged idle = judged(ends, wider, profile, text);
    return idle.cut()
            || (idle.found().equals(known.found())
                && idle.renamed(IntStream.range(0, world).toArray()).equals(known.outcomes()))
        ? Optional.empty()
        : Optional.of("an idle rank\n" + text);
  }

  private static String text(long seed, int world, boolean rdma, Random random) {
    return random.nextBoolean()
        ? SignallingPrograms.text(seed, world, rdma)
        : PlainPrograms.text(seed, world, rdma);
  }

  private static Judged judged(
      UnaryOperator<String> ends, String shape, String profile, String text) {
    return Judged.of(ends, shape + " " + profile + " all\n" + text);
  }

  /** Every rank takes the part of the rank before it. */
  private static String turned(String text, int world) {
    return RANK.matcher(text)
        .replaceAll((MatchResult m) -> m.group(1) + (m.group(2).charAt(0) - '0' + 1) % world);
  }

  private static String shuffled(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int end = 1;
    while (lines.get(end).matches(DECLARATION)) {
      end++;
    }
    Collections.shuffle(lines.subList(1, end), random);
    return String.join("\n", lines) + "\n";
  }

  @ParameterizedTest
  @CsvSource({
    "1x2, L2, 60",
    "1x2, L0, 30",
    "1x3, L2, 20",
    "2x1, L2, 60",
    "2x1, L1, 30",
    "2x1, L0, 30",
    "2x1, L3, 40",
    "2x1, rdma-strict, 30",
    "2x1, rdma-multirail, 20",
    "2x1, 'L2,proxy=1', 15"
  })
  void namesAndBystandersChangeNothing(String shape, String profile, int all) {
    int programs = Thorough.count(all / 5, all);
    Set<Long> distinct = new HashSet<>();
    for (long seed = SEED << 20; distinct.size() < programs; seed++) {
      try {
        assertThat(differs(new ExhaustiveEndings(), shape, profile, seed))
            .as("%s %s seed=%d", shape, profile, seed)
            .isEmpty();
        distinct.add(seed);
      } catch (ProgramException refused) {
        // Another is drawn in its place.
      }
    }
    System.out.printf("names: %s %s seed=%d programs=%d%n", shape, profile, SEED, programs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2x1 | SimulatedMemory | if (!clean && races) { | if (!clean && races && rank == 0) {
          1x2 | SimulatedMemory | if (!clean && races) { | if (!clean && races && buffer != 1) {
          """)
  void machineThatDependsOnNumbersIsCaught(String shape, String file, String line, String becomes)
      throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.ENDS, new EngineMutant(file, line, becomes));
    Optional<String> caught = Optional.empty();
    for (long seed = SEED << 20; caught.isEmpty() && seed < (SEED << 20) + 2_000; seed++) {
      try {
        caught = differs(changed, shape, "L2", seed);
      } catch (ProgramException refused) {
        // Another is drawn in its place.
      }
    }
    assertThat(caught).isPresent();
    System.out.println(line + " by " + caught.get());
  }
}
