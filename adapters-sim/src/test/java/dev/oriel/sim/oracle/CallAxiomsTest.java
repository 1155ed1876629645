package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.CallAxioms.Hardware;
import dev.oriel.sim.oracle.CallAxioms.Judged;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the machine with {@link CallAxioms}, which share no code, on drawn programs over RDMA.
 * Over every order of synchronisation, the machine must find a race, a mix of atomics or unordered
 * writers exactly where the axioms do. Of all other programs it must show exactly the outcomes that
 * the axioms allow, and a deadlock where a lane may wait for ever.
 *
 * <p>{@code -Doriel.rdma.programs=N} selects the number of programs, no two alike, {@code
 * -Doriel.rdma.seed=S} the seed.
 */
class CallAxiomsTest {
  private static final int PROGRAMS =
      Integer.getInteger("oriel.rdma.programs", Thorough.count(600, 10_000));
  private static final long SEED = Long.getLong("oriel.rdma.seed", 1);
  private static final int CHUNK = 4_000;
  private static final List<String> PROFILES =
      List.of("L2", "L2", "L2", "L2", "rdma-strict", "rdma-multirail", "L3", "L1");
  private static final Set<CallAxiom> ALL = EnumSet.allOf(CallAxiom.class);

  /** Never removed: an event before itself has no clock. */
  private static final Set<CallAxiom> IMPLIED = EnumSet.of(CallAxiom.NO_LOOPS);

  /** Programs on which the machine and the axioms once differed, with the correct result. */
  private static final String DIFFERED =
      """
      # An order is one step: it releases what it acquires and makes consistent.
      L3             | none | put box@2[8] <- mine[0] bytes 8 notify N[0] set 1 via 1 nb; await S[0]@2 >= 1 acquire; put box@2[8] <- mine[0] bytes 8 / / await N[0]@0 >= 1 relaxed; order sys; signal S[0]@0 set 1 relaxed
      # Interfaces change a word one at a time, also where a GPU changes it in between.
      L2             | none | await S[1]@2 >= 1 acquire; atomic mine[8] <- flag@1[0] add 2 via 1 nb / wait flag[0] >= 2 acquire; store flag[0] <- 1 release / atomic flag@1[0] set 1; quiet; signal S[1]@0 set 1 relaxed
      # A found atomic is consistent after the acquiring await of another word.
      rdma-strict    | none | atomic flag@1[8] add 1; signal S[0]@1 set 1 release / wait flag[8] >= 1 relaxed; await S[0]@0 >= 1 acquire; load x0 <- flag[8]
      rdma-strict    | race | atomic flag@1[8] add 1; signal S[0]@1 set 1 release / await S[0]@0 >= 1 acquire; wait flag[8] >= 1 relaxed; load x0 <- flag[8]
      # A read comes after the writes of its queue before it, whatever passes both.
      L1             | none | atomic flag@1[0] set 1; move box@1[0] <- mine[0] bytes 8; get mine[0] <- box@1[0] bytes 8 nb; atomic flag@1[8] set 1 /
      # A write in any order passes the signal before it.
      L3             | race | move box@1[0] <- mine[8] bytes 8; signal S[0]@1 set 2 release; move box@1[0] <- mine[0] bytes 8 /
      L2             | none | move box@1[0] <- mine[8] bytes 8; signal S[0]@1 set 2 release; move box@1[0] <- mine[0] bytes 8 /
      # An acquire makes consistent what comes after it, not what it reads itself.
      L3             | race | atomic mine[0] <- flag@1[0] add 2 via 1 nb; put box@1[8] <- mine[8] bytes 8 notify N[0] set 1 via 1; load x0 <- mine[0] acquire /
      L3             | none | atomic mine[0] <- flag@1[0] add 2 via 1 nb; put box@1[8] <- mine[8] bytes 8 notify N[0] set 1 via 1; order sys; load x0 <- mine[0] acquire /
      # A read after a fence may miss an interface's write that is not visible there yet.
      rdma-strict    | none | signal S[0]@1 set 1 relaxed; fence; atomic flag@1[8] set 2 / load x0 <- flag[8] relaxed; put box@0[8] <- mine[8] bytes 8 nb; read x2 <- S[0]@0 acquire
      rdma-strict    | none | signal S[0]@1 set 1 relaxed; fence; atomic flag@1[8] set 2 / load x0 <- flag[8] relaxed; order sys; read x2 <- S[0]@0 acquire
      # A flush shows what was placed at its peer, and no result here.
      L3             | race | atomic mine[8] <- flag@1[0] add 1 nb; flush @1 remote; store mine[8] <- 2 /
      L3             | none | atomic mine[8] <- flag@1[0] add 1 nb; flush @1 remote; order sys; store mine[8] <- 2 /
      # A fence takes no consistency step, an order does.
      rdma-strict    | race | atomic mine[0] <- flag@1[0] cas 0, 1 nb; put box@1[8] <- mine[8] bytes 8; fence; store mine[0] <- 2 /
      rdma-strict    | none | atomic mine[0] <- flag@1[0] cas 0, 1 nb; put box@1[8] <- mine[8] bytes 8; order sys; store mine[0] <- 2 /
      # A source is read before the answer, which need not be acquired.
      L2             | none | await N[0]@1 >= 1 acquire; put box@1[8] <- mine[8] bytes 8 notify N[0] set 1 nb / put box@0[0] <- mine[0] bytes 8 notify N[0] set 1 nb; await N[0]@0 >= 1 relaxed; store mine[0] <- 2
      # A GPU that found an atomic may store after it; another interface needs a consistency step.
      rdma-strict    | none | atomic mine[8] <- flag@1[8] add 2 nb / wait flag[8] >= 2 relaxed; put box@0[8] <- mine[8] bytes 8 nb; store flag[8] <- 2 release
      rdma-multirail | mix  | atomic flag@2[0] add 1 / await S[0]@2 >= 1 acquire; atomic flag@2[0] add 1 via 1 / wait flag[0] >= 1 relaxed; fence; signal S[0]@1 set 1 release
      rdma-multirail | none | atomic flag@2[0] add 1 / await S[0]@2 >= 1 acquire; atomic flag@2[0] add 1 via 1 / wait flag[0] >= 1 acquire; signal S[0]@1 set 1 release
      # An atomic hands on that what its lane acquired is consistent.
      rdma-multirail | none | await N[0]@1 >= 1 acquire; atomic flag@1[0] add 2 / put box@0[0] <- mine[8] bytes 8 notify N[0] set 1; wait flag[0] >= 1 relaxed; get mine[8] <- box@0[0] bytes 8 via 1 nb
      # A relaxed read and a later acquire of the same word are one acquire.
      L2             | none | put box@2[0] <- mine[0] bytes 8; fence; atomic flag@2[0] set 1 / atomic flag@2[0] set 2 / wait flag[0] == 1 relaxed; load x0 <- flag[0] acquire; load x1 <- box[0]
      L2             | race | put box@2[0] <- mine[0] bytes 8; fence; atomic flag@2[0] set 1 / atomic flag@2[0] set 2 / wait flag[0] == 1 relaxed; load x0 <- flag[8] acquire; load x1 <- box[0]
      # A reader that sees a write cannot miss an earlier one that it replaced.
      rdma-strict    | none | atomic flag@2[0] add 1; quiet; signal S[0]@1 set 1 relaxed / await S[0]@0 >= 1 relaxed; atomic flag@2[0] set 2 / wait flag[0] >= 2 acquire; load x0 <- flag[0]
      L2             | none | atomic flag@2[0] add 1; quiet; signal S[0]@1 set 1 relaxed / await S[0]@0 >= 1 relaxed; atomic flag@2[0] set 2; fence; signal S[0]@2 set 1 release / await S[0]@1 >= 1 acquire; load x0 <- flag[0]
      rdma-multirail | none | atomic mine[0] <- flag@1[8] cas 1, 2 nb; put box@1[8] <- mine[8] bytes 8; store mine[0] <- 1; put box@1[0] <- mine[0] bytes 8 via 1 nb /
      rdma-multirail | race | atomic mine[0] <- flag@1[8] cas 1, 2 nb; put box@1[8] <- mine[8] bytes 8; put box@1[0] <- mine[0] bytes 8 via 1 nb /
      # An atomic has ended where a later atomic of its word has ended.
      L2             | none | atomic flag@2[0] add 1; quiet; signal S[0]@1 set 1 relaxed / await S[0]@0 >= 1 relaxed; atomic flag@2[0] set 2 / wait flag[0] >= 2 acquire; store flag[0] <- 1 release
      L2             | mix  | atomic flag@2[0] add 1; signal S[0]@1 set 1 relaxed / await S[0]@0 >= 1 relaxed; atomic flag@2[0] set 2 / wait flag[0] >= 2 acquire; store flag[0] <- 1 release
      # The later atomic must change the word: a fetch ends none before it.
      rdma-multirail | mix  | atomic mine[0] <- flag@1[0] add 1; atomic mine[0] <- flag@1[0] fetch; atomic flag@1[0] add 1 via 1 /
      # A fetch ends before a change that exists because of its result; an addition may not.
      L2             | none | atomic mine[0] <- flag@1[0] fetch; signal S[0]@1 set 1 release / await S[0]@0 >= 1 relaxed; store flag[0] <- 2 release
      L2             | mix  | atomic mine[0] <- flag@1[0] add 1; signal S[0]@1 set 1 release / await S[0]@0 >= 1 relaxed; store flag[0] <- 2 release
      """;

  private record Case(String profile, RandomRdmaCalls calls) {
    String text(String detectors) {
      return "%dx1 %s %s synchronisation%n%s"
          .formatted(calls.world(), profile, detectors, calls.program())
          .replace("\r", "");
    }

    Judged judged(Set<CallAxiom> axioms) {
      return CallAxioms.judge(calls, Hardware.of(profile), axioms);
    }

    /** All cases with one call fewer. */
    Stream<Case> smaller() {
      return IntStream.range(0, calls.lanes().size())
          .boxed()
          .flatMap(lane ->
              IntStream.range(0, calls.lanes().get(lane).size())
                  .mapToObj(call -> new Case(profile, calls.without(lane, call))));
    }
  }

  /** A difference between the machine and the axioms, in one word or two and in detail. */
  private record Difference(String kind, String detail) {}

  /** Programs in the order of their numbers, without repeated texts. */
  private static List<Case> drawn(long from, int count, int steps, Set<String> seen) {
    List<Case> all = new ArrayList<>();
    for (long i = from; i < from + count; i++) {
      RandomRdmaCalls calls =
          RandomRdmaCalls.draw(new SplittableRandom(SEED * 1_000_003 + i), steps);
      Case drawn = new Case(PROFILES.get((int) (i % PROFILES.size())), calls);
      if (seen.add(drawn.text(""))) {
        all.add(drawn);
      }
    }
    return all;
  }

  @Test
  void machineShowsExactlyTheOutcomesThatTheAxiomsAllow() {
    Map<String, Long> results = new ConcurrentSkipListMap<>();
    Set<String> seen = new HashSet<>();
    long from = 0;
    for (int left = PROGRAMS; left > 0; ) {
      int count = Math.min(left, CHUNK);
      List<Case> cases = drawn(from, count, from / CHUNK % 4 == 0 ? 6 : 5, seen);
      cases.parallelStream()
          .map(each -> compared(new ExhaustiveEndings(), each, ALL))
          .forEach(result -> results.merge(result, 1L, Long::sum));
      from += count;
      left -= cases.size();
      System.out.println("machine against axioms of calls: seed=%d %s".formatted(SEED, results));
    }
    assertThat(results.keySet())
        .as("all differences, shrunk")
        .allMatch(result -> result.startsWith("equal"));
    assertThat(results.get("equal, several outcomes")).isGreaterThan(PROGRAMS / 20);
    assertThat(results.get("equal, races")).isGreaterThan(PROGRAMS / 20);
    assertThat(results.get("equal, hangs")).isGreaterThan(PROGRAMS / 100);
  }

  /** A result that begins with {@code equal}, or else the shrunk program and the difference. */
  private static String compared(UnaryOperator<String> ends, Case each, Set<CallAxiom> axioms) {
    Judged judged = each.judged(axioms);
    Optional<Difference> differs = difference(ends, each, judged);
    if (differs.isPresent()) {
      Case least = shrunk(ends, each, axioms, differs.get().kind());
      Difference left = difference(ends, least, least.judged(axioms)).orElseThrow();
      return "%s: %s%n%s".formatted(left.kind(), left.detail(), least.text("")).replace("\r", "");
    }
    return "equal, "
        + (judged.writers()
            ? "writers"
            : judged.races()
                ? "races"
                : judged.mixes()
                    ? "mixes"
                    : judged.hangs()
                        ? "hangs"
                        : judged.outcomes().size() > 1 ? "several outcomes" : "one outcome");
  }

  /** The program without the calls that the difference does not need. */
  private static Case shrunk(
      UnaryOperator<String> ends, Case differs, Set<CallAxiom> axioms, String kind) {
    Case least = differs;
    Optional<Case> next = Optional.of(differs);
    while (next.isPresent()) {
      least = next.get();
      next = least.smaller().filter(each -> kindOf(ends, each, axioms).equals(kind)).findFirst();
    }
    return least;
  }

  /** The kind of the difference; empty if there is none, or if binding rejects the program. */
  private static String kindOf(UnaryOperator<String> ends, Case each, Set<CallAxiom> axioms) {
    try {
      return difference(ends, each, each.judged(axioms)).map(Difference::kind).orElse("");
    } catch (ProgramException refused) {
      return "";
    }
  }

  /** The difference between the machine and the axioms, if any. */
  private static Optional<Difference> difference(
      UnaryOperator<String> machine, Case each, Judged judged) {
    ExhaustiveEndings.Judged ends = ExhaustiveEndings.Judged.of(machine, each.text("some"));
    if (ends.cut()) {
      return differs("states", "too many");
    }
    boolean races = ends.found().contains("RACE");
    boolean writers = ends.found().contains("WRITERS");
    if (writers != judged.writers()) {
      // The first finding ends an execution, so the machine may find the race alone.
      boolean hidden = races && judged.races() && judged.writers();
      return hidden ? Optional.empty() : differs("writers", "machine=" + writers);
    }
    if (writers) {
      return Optional.empty();
    }
    boolean mixes = ends.found().contains("ATOMICITY");
    races |=
        mixes && ExhaustiveEndings.Judged.of(machine, each.text("race")).found().contains("RACE");
    if (races != judged.races() || (!races && mixes != judged.mixes())) {
      return differs("races or mixes", "machine: races=%s, mixes=%s".formatted(races, mixes));
    }
    if (races || mixes) {
      return Optional.empty();
    }
    Set<String> outcomes = ends.outcomes();
    outcomes.remove("");
    if (!outcomes.equals(judged.outcomes())) {
      boolean less = judged.outcomes().containsAll(outcomes);
      return differs(
          less ? "outcomes missing" : "outcomes",
          "machine=%s, axioms=%s".formatted(outcomes, judged.outcomes()));
    }
    boolean hangs = ends.found().contains("DEADLOCK");
    // The machine reports an await that may miss a value where the value may be overwritten.
    hangs |=
        judged.hangs()
            && ExhaustiveEndings.Judged.of(machine, each.text("overwrite"))
                .found()
                .contains("OVERWRITE");
    return hangs == judged.hangs() ? Optional.empty() : differs("hangs", "machine=" + hangs);
  }

  private static Optional<Difference> differs(String kind, String detail) {
    return Optional.of(new Difference(kind, detail));
  }

  /** Without any one of the axioms, the axioms' verdict on some program changes. */
  @ParameterizedTest
  @Sampled(every = 8)
  @EnumSource
  void everyAxiomIsNeeded(CallAxiom axiom) {
    Set<CallAxiom> others = EnumSet.complementOf(EnumSet.of(axiom));
    Optional<Case> needs = witnesses(each -> !each.judged(others).equals(each.judged(ALL)));
    System.out.println("%s: %s".formatted(axiom, needs.map(each -> each.text("")).orElse("none")));
    assertThat(needs.isPresent()).as(axiom.source()).isEqualTo(!IMPLIED.contains(axiom));
  }

  private static Optional<Case> witnesses(Predicate<Case> shows) {
    Stream<Case> drawn =
        IntStream.range(0, 40)
            .boxed()
            .flatMap(i -> drawn(1_000_000L + 500L * i, 500, 6, new HashSet<>()).stream());
    return Stream.concat(knownCases(), drawn).filter(shows).findFirst();
  }

  /** Drawn programs catch a machine that lacks one of its rules. */
  @ParameterizedTest
  @Sampled(every = 8)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          FetchStage  | footprint.changed(order.waysOf(queue));                      | ;
          PlaceStage  | into.read(order.waysOf(queue));                              | ;
          FillStage   | s.clocks.copy(component, s.releases.rows, 0);                   | ;
          FetchStage  | clocks.order(s, component, all);                             | ;
          QueueOrder  | after(s, agents.place[queue], arranged);                    | ;
          QueueOrder  | after(s, agents.unordered(queue, i), arranged);                 | ;
          ReadStage   | clocks.order(s, agents.place[queue], component);             | ;
          RequestCompletions | clocks.orderLaneAfter(s, lane, agents.fetch[queue]);                 | ;
          RequestCompletions | clocks.orderLaneAfter(s, lane, agents.fill[queue]);                  | ;
          QueueOrder  | clocks.join(s, row, ClockIndex.arranged(model, queue));       | ;
          RequestQueues      | `s.requests[e + FLAGS] |= UNCOVERED;`                        | ;
          PlaceStage  | passed(s, queue, number);                                    | ;
          LaneSteps       | words.consist(s, lane);                                      | ;
          SyncWords       | if (!sees && !owner && sight.hides(agent, component)) {      | if (false) {
          LaneSteps       | if (ops[model.lane(lane).next(at)] == LaneOpcode.CONSIST) {      | if (false) {
          ComponentClocks      | s.causes.rows.set(row, CausalClockIndex.fetchColumn(model, component), tick(s, component)); | ;
          OrderingAssumptions | boolean arranged = edge.remedy() == OrderRemedy.ARRANGED && | boolean arranged =
          OrderingAssumptions | `fused = profile.fused() || waitsForAll;` | fused = waitsForAll;
          OrderingAssumptions | `acquires = remedy == OrderRemedy.ACQUIRE || acquiresAll;` | acquires = true;
          OrderingAssumptions | consistent = remedy == OrderRemedy.CONSISTENCY | consistent = true
          """)
  void machineWithoutOneRuleIsCaught(String file, String line, String becomes) throws Exception {
    UnaryOperator<String> changed =
        MutantLoader.battery(MutantLoader.Engine.ENDS, new EngineMutant(file, line, becomes));
    Optional<Case> caught =
        witnesses(each -> {
          try {
            return difference(changed, each, each.judged(ALL)).isPresent();
          } catch (RuntimeException | AssertionError e) {
            // A crash is no difference.
            return false;
          }
        });
    System.out.println("%s: %s".formatted(line, caught.map(each -> each.text("")).orElse("none")));
    assertThat(caught).isPresent();
  }

  /**
   * Two repaired defects that the axioms found. A request that may overtake others joined those
   * that a search had tried already, and an answer passed its clock to another answer.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          values | 0,0,2,0,0,0 / 0,0,0,2,0,0 | atomic flag@1[8] add 2; store flag[0] <- 2 relaxed; atomic mine[8] <- flag@1[8] fetch
          values | 0,0,0,0,0,1 / 0,0,1,3,0,0 | atomic mine[8] <- flag@1[8] add 2 nb; atomic mine[0] <- flag@1[0] cas 0, 1 via 1; atomic flag@1[8] set 1
          race   | RACE                      | move box@1[8] <- mine[8] bytes 8; atomic mine[8] <- flag@1[0] set 2 nb; get mine[0] <- box@1[8] bytes 8
          """)
  void missedOutcomesAndRacesAreFound(String detectors, String shown, String calls) {
    String program =
        "form known\nscratch box[16]\nscratch flag[16]\nscratch mine[16]\nlane main: host {\n"
            + "if r == 0 {\n%s\n}\n}\n".formatted(calls.replace("; ", "\n"));
    for (String search : List.of("", " synchronisation")) {
      ExhaustiveEndings.Judged ends =
          ExhaustiveEndings.Judged.of(
              new ExhaustiveEndings(), "2x1 L2 %s%s\n%s".formatted(detectors, search, program));
      Set<String> all = new HashSet<>(ends.outcomes());
      all.addAll(ends.found());
      assertThat(all).contains(shown.replace(" / ", " | "));
    }
  }

  private static Stream<List<String>> rows() {
    return DIFFERED
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> Stream.of(line.split("[|]", -1)).map(String::strip).toList());
  }

  private static Stream<Arguments> differed() {
    return rows().map(row -> Arguments.of(row.toArray()));
  }

  private static Stream<Case> knownCases() {
    return rows().map(row -> new Case(row.get(0), CallTexts.parse(row.get(2))));
  }

  @ParameterizedTest
  @MethodSource("differed")
  void machineAndAxiomsAgreeOnProgramsThatDiffered(String profile, String found, String calls) {
    Case each = new Case(profile, CallTexts.parse(calls));
    assertThat(difference(new ExhaustiveEndings(), each, each.judged(ALL))).isEmpty();
    assertThat(each.judged(ALL).races()).isEqualTo(found.equals("race"));
    assertThat(each.judged(ALL).mixes()).isEqualTo(found.equals("mix"));
  }
}
