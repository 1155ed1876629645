package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.sim.litmus.axioms.AxiomOutcomes.Race;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.OutcomeComparison.Difference;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs in which several lanes write, swap, add to, compare and swap, and wait for words.
 * The simulator explores them, and the axioms, which share no code with it, decide them as litmus
 * tests.
 *
 * <p>For a program without a race both must give the same outcomes, and agree on whether a wait may
 * never end. Outcomes that no order of steps has (load buffering) are not executed; the verdict
 * then has to name the shape. For a program with a race, the simulator must find the race, and
 * every outcome that it shows must be allowed.
 *
 * <p>{@code -Doriel.axioms.programs=N} selects the number of programs, no two alike, {@code
 * -Doriel.axioms.seed=S} the seed. A difference is printed as the smallest program that has it.
 */
class ProgramsAgainstAxiomsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.axioms.programs", Thorough.count(1_000, 4_000));
  private static final long SEED = Long.getLong("oriel.axioms.seed", 1);
  private static final int MUTANT_PROGRAMS = 10_000;
  private static final int STEPS = 8;
  private static final int FEW_STEPS = 6;

  /** Programs of at most that many steps are explored in every order of every step as well. */
  private static final int FULL_STEPS = 5;

  private static LitmusProgram draw(long number) {
    SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + number);
    return LitmusProgramDrawer.draw(random, number % 8 == 0 ? STEPS : FEW_STEPS);
  }

  /** The numbers of that many programs, no two alike. */
  private static long[] distinct(int count) {
    long[] numbers = new long[count];
    Set<Long> seen = new HashSet<>();
    long next = 0;
    for (int i = 0; i < count; i++) {
      while (!seen.add(digest(draw(next).program()))) {
        next++;
      }
      numbers[i] = next++;
    }
    return numbers;
  }

  /** A digest of 64 bits: a collision means only one program fewer. */
  private static long digest(String text) {
    long digest = 0;
    for (int i = 0; i < text.length(); i++) {
      digest = (digest ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
      digest ^= digest >>> 29;
    }
    return digest;
  }

  private static List<String> levels(LitmusProgram program) {
    return program.steps() <= FULL_STEPS
        ? OutcomeComparison.BOTH_LEVELS
        : OutcomeComparison.SYNCHRONISATION;
  }

  private static OutcomeComparison compare(UnaryOperator<String> simulator, LitmusProgram program) {
    return OutcomeComparison.of(simulator, program, levels(program));
  }

  @Test
  void theSimulatorShowsWhatTheAxiomsAllowAndNothingElse() {
    Map<String, Long> counts = new ConcurrentSkipListMap<>();
    Map<Difference, Long> examples = new ConcurrentSkipListMap<>();
    Arrays.stream(distinct(PROGRAMS))
        .parallel()
        .forEach(number -> {
          LitmusProgram program = draw(number);
          OutcomeComparison compared = compare(new SimulatedOutcomes(), program);
          Stream<String> features = features(program, compared);
          features.forEach(word -> counts.merge(word, 1L, Long::sum));
          compared.differences().keySet().forEach(d -> examples.merge(d, number, Math::min));
        });
    System.out.println("programs against axioms: seed=%d %s".formatted(SEED, counts));
    examples.forEach((difference, number) -> System.out.println(example(difference, number)));
    assertThat(examples).isEmpty();
    // The drawn programs are useful: many have no race, and there are waits that end and that do
    // not.
    assertThat(counts.get("no race")).isGreaterThan(PROGRAMS / 2);
    assertThat(counts.get("race")).isGreaterThan(PROGRAMS / 20);
    assertThat(counts.get("a wait may not end")).isGreaterThan(PROGRAMS / 20);
    assertThat(counts.get("load buffering named")).isPositive();
  }

  private static Stream<String> features(LitmusProgram program, OutcomeComparison compared) {
    Stream.Builder<String> words = Stream.builder();
    words.add(compared.axioms().races() == Race.NONE ? "no race" : "race");
    words.add(levels(program).size() > 1 ? "explored in every order" : "explored");
    if (compared.axioms().hangs()) {
      words.add("a wait may not end");
    }
    if (compared.differences().isEmpty()) {
      words.add(compared.buffered() > 0 ? "load buffering named" : "equal");
    }
    compared.differences().keySet().forEach(difference -> words.add(difference.name()));
    return words.build();
  }

  /** The smallest program with that difference that shrinking that program finds. */
  private static String example(Difference difference, long number) {
    LitmusProgram least =
        new LitmusProgramShrinker(smaller ->
            compare(new SimulatedOutcomes(), smaller).differences().containsKey(difference))
            .shrink(draw(number));
    OutcomeComparison compared = compare(new SimulatedOutcomes(), least);
    return "%s: %s of %s%n%s%s"
        .formatted(
            difference,
            compared.differences().get(difference),
            least.names(),
            least.program(),
            least.litmus());
  }

  /**
   * Reductions that remove too much, each detected by some drawn program: which value a wait finds,
   * which steps are tried in every order, and which steps commute. The last lines are no
   * reductions: they lose a deadlock, an outcome, a race, and an order.
   */
  @ParameterizedTest
  @Sampled(every = 8)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SyncWords     | int oldest = newest ? count(s, word) - 1 : oldest(s, word, lane);    | int oldest = count(s, word) - 1;
          SyncWords     | for (int i = last; i > view; i--, m -= table.message) {              | for (int i = last; i > view + 1; i--, m -= table.message) {
          WordWrites | keep = Math.min(keep, s.words[at] + words.oldest(s, word, lane));   | ;
          CodeScan      | return uneven.get(signal);                                           | return false;
          NonMonotoneReleases | `return plain.get(word) || scope[word] == SEVERAL || !alike || narrow.narrow(word);` | `return false;`
          SyncWords     | other = !covers(s, word, i, candidates[k], lane, scope);             | other = false;
          SyncWords     | ways += updates(s, word, i + 1) ? 0 : 1;                             | ;
          SyncWords     | return predecessorFrom(s, word, inOrder ? 0 : oldest(s, word, lane), branch); | return predecessorFrom(s, word, 0, branch);
          WordWrites | `int marked = reads ? scope | UPDATES : scope;` | `int marked = scope;`
          OrderSensitiveSteps  | `ops[at + 4] == 1 || model.scan.uneven(ops[at + 1]);` | `ops[at + 4] == 1;`
          OrderSensitiveSteps | case LaneOpcode.READ_SLOT, LaneOpcode.LOCK -> true;                          | case LaneOpcode.LOCK -> true;
          OrderSensitiveSteps | case LaneOpcode.FENCE -> ops[at + 2] == 1;                               | case LaneOpcode.FENCE -> false;
          OrderSensitiveSteps  | `case LaneOpcode.RMW -> !updates.on || !AccessOrders.posted(ops, at);` | `case LaneOpcode.RMW -> false;`
          OrderSensitiveSteps | case LaneOpcode.FENCE -> into.changed(model.words.count);                | case LaneOpcode.FENCE -> {}
          OrderSensitiveSteps | into.read(names.slot(model.rank(lane), ops[at + 2], source, index)); | ;
          OrderSensitiveSteps | into.changed(word);                                                  | ;
          OrderSensitiveSteps | into.read(word);                                                     | ;
          StepFootprint  | `((words[i] | other.words[k]) & 1) == 1` | `((words[i] & other.words[k]) & 1) == 1`
          WordWrites | words.footprint.changed(word);                                      | ;
          PendingAtomics   | into.changed(s.updates[entry(lane, i) + WORD]);                      | ;
          PendingAtomics   | int left = branch.choose(ways);                                      | int left = 0;
          PendingAtomics   | on = room > 0;                                                       | on = false;
          WordWrites | if (s.words[reader + TAKEN] <= known) {                              | if (true) {
          SyncWords     | if (foundBefore(model, s, word, i, leader, false)) {                 | if (false) {
          RaceDetector    | if (event <= known) {                                                | if (true) {
          ComponentClocks    | s.clocks.copy(fenced, s.clocks, leader);                             | ;
          """)
  void aMachineThatLeavesOutTooMuchIsCaught(String file, String line, String becomes)
      throws Exception {
    assertCaught(MutantLoader.Engine.DRAWN, new EngineMutant(file, line, becomes));
  }

  /** The same for the search. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SystematicSearch | if (!simulation.open(agent)) {                                       | if (true) {
          SystematicSearch | if (!simulation.commutes(agent, simulation.touched(), room)) {       | if (false) {
          """)
  void searchThatOmitsTooMuchIsCaught(String file, String line, String becomes) throws Exception {
    assertCaught(MutantLoader.Engine.DRAWN_SEARCH, new EngineMutant(file, line, becomes));
  }

  private static void assertCaught(MutantLoader.Engine engine, EngineMutant mutant)
      throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(engine, mutant);
    Optional<LitmusProgram> caught =
        drawn(MUTANT_PROGRAMS).filter(program -> kills(changed, program)).findFirst();
    assertThat(caught).as("%s", mutant).isPresent();
    System.out.println("%s caught by%n%s".formatted(mutant, caught.get().program()));
  }

  /**
   * Whether a changed simulator shows a difference that the simulator does not have. A crash does
   * not count.
   */
  static boolean kills(UnaryOperator<String> changed, LitmusProgram program) {
    Set<Difference> differences;
    try {
      differences = differences(changed, program);
    } catch (RuntimeException e) {
      return false;
    }
    return !differences.isEmpty()
        && !differences(new SimulatedOutcomes(), program).containsAll(differences);
  }

  private static Set<Difference> differences(
      UnaryOperator<String> simulator, LitmusProgram program) {
    return OutcomeComparison.of(simulator, program, OutcomeComparison.SYNCHRONISATION)
        .differences()
        .keySet();
  }

  /** That many programs, each drawn on demand. */
  static Stream<LitmusProgram> drawn(int count) {
    return LongStream.range(0, count).mapToObj(ProgramsAgainstAxiomsTest::draw);
  }
}
