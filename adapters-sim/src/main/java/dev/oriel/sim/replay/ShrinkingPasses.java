package dev.oriel.sim.replay;

import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.topology.WorldShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The candidates that {@link Shrinker} tries, in order, and their measures. */
final class ShrinkingPasses {

  /**
   * Proposes cases that are smaller in one respect, the boldest first.
   *
   * @param amount that respect as a number
   */
  record Pass(
      String name,
      ToLongFunction<ExecutionCase> amount,
      Function<ExecutionCase, Stream<ExecutionCase>> candidates) {}

  private static final List<Pass> SHARED =
      List.of(
          new Pass("faults", c -> c.faults().faults().size(), ShrinkingPasses::fewerFaults),
          new Pass("ranks", c -> c.world().world(), ShrinkingPasses::fewerRanks),
          new Pass("sizes", ShrinkingPasses::sizes, ShrinkingPasses::smallerSizes),
          new Pass("launches", ExecutionCase::launches, ShrinkingPasses::fewerLaunches),
          new Pass(
              "operations",
              c -> SmallerForms.size(c.form()),
              c -> SmallerForms.smaller(c.form()).map(c::withForm)),
          new Pass(
              "deviations",
              c -> c.choices().deviations().size(),
              c -> SmallerScripts.fewer(c.choices()).map(c::withChoices)),
          new Pass(
              "choices",
              c -> SmallerScripts.sum(c.choices()),
              c -> SmallerScripts.gentler(c.choices()).map(c::withChoices)));

  private final List<String> profiles;
  private final boolean sameProgram;

  /**
   * All passes.
   *
   * @param sameProgram whether the text of the program must not change
   */
  ShrinkingPasses(List<String> profiles, boolean sameProgram) {
    this.profiles = List.copyOf(profiles);
    this.sameProgram = sameProgram;
  }

  List<Pass> inOrder() {
    List<Pass> all = new ArrayList<>();
    for (Pass pass : SHARED) {
      all.add(sameProgram ? keepingProgram(pass) : pass);
    }
    all.add(new Pass("profile", c -> weakness(c.profile()), this::stronger));
    return all;
  }

  CaseSize measure(ExecutionCase c) {
    return new CaseSize(
        List.of(
            (long) c.faults().faults().size(),
            (long) c.world().world(),
            (long) c.world().hosts(),
            sizes(c),
            (long) c.launches(),
            SmallerForms.size(c.form()),
            (long) c.choices().deviations().size(),
            SmallerScripts.sum(c.choices()),
            SmallerScripts.earliness(c.choices()),
            weakness(c.profile())));
  }

  private static Pass keepingProgram(Pass pass) {
    return new Pass(
        pass.name(),
        pass.amount(),
        c -> pass.candidates().apply(c).filter(candidate -> candidate.form().equals(c.form())));
  }

  /**
   * Candidates below {@code value}, the smallest first. One of them is the half, rounded down to a
   * multiple of eight; another is the exact half.
   */
  static List<Long> below(long value) {
    return LongStream.of(0, 1, value / 2 / 8 * 8, value / 2, value - 8, value - 1)
        .filter(v -> v >= 0 && v < value)
        .distinct()
        .boxed()
        .toList();
  }

  private static Stream<ExecutionCase> fewerFaults(ExecutionCase c) {
    int count = c.faults().faults().size();
    return chunks(count)
        .map(chunk ->
            c.withFaults(
                new FaultPlan(FormEdits.without(c.faults().faults(), chunk[0], chunk[1]))));
  }

  /** Runs of {@code count} things, as start and length: all, then halves, down to single ones. */
  static Stream<int[]> chunks(int count) {
    return Stream.iterate(count, size -> size > 0, size -> size / 2)
        .flatMap(size ->
            Stream.iterate(0, start -> start < count, start -> start + size)
                .map(start -> new int[] {start, Math.min(size, count - start)}));
  }

  /** Fewer ranks, or as many on fewer hosts; the fewest first. */
  private static Stream<ExecutionCase> fewerRanks(ExecutionCase c) {
    WorldShape world = c.world();
    Stream<WorldShape> regular =
        upTo(world.hosts()).stream()
            .flatMap(hosts ->
                upTo(world.gpusPerHost()).stream().map(gpus -> new WorldShape(hosts, gpus)));
    Stream<WorldShape> uneven =
        world.isRegular() ? Stream.of() : IntStream.range(1, world.world()).mapToObj(world::first);
    return Stream.concat(regular, uneven)
        .filter(w -> !w.equals(world) && w.world() <= world.world())
        .distinct()
        .sorted(Comparator.comparingInt(WorldShape::world).thenComparingInt(WorldShape::hosts))
        .map(c::withWorld);
  }

  /** Some numbers from 1 to {@code most}, including {@code most}. */
  private static Set<Integer> upTo(int most) {
    Set<Integer> some = new TreeSet<>(List.of(1, Math.min(2, most), most));
    below(most).stream().filter(v -> v > 0).forEach(v -> some.add(v.intValue()));
    return some;
  }

  private static long sizes(ExecutionCase c) {
    long params = c.params().values().stream().reduce(0L, ExprEdits::capped);
    return ExprEdits.capped(params, FormConstants.sum(c.form()));
  }

  private static Stream<ExecutionCase> smallerSizes(ExecutionCase c) {
    Stream<ExecutionCase> params =
        c.params().entrySet().stream()
            .flatMap(
                e -> below(e.getValue()).stream().map(v -> c.withParams(with(c, e.getKey(), v))));
    return Stream.concat(params, FormConstants.smaller(c.form()).map(c::withForm));
  }

  private static Map<String, Long> with(ExecutionCase c, String name, long value) {
    Map<String, Long> params = new TreeMap<>(c.params());
    params.put(name, value);
    return params;
  }

  private static Stream<ExecutionCase> fewerLaunches(ExecutionCase c) {
    return below(c.launches()).stream().filter(v -> v > 0).map(v -> c.withLaunches(v.intValue()));
  }

  /** The number of stronger profiles; 0 for an unknown profile. */
  private long weakness(String profile) {
    int place = profiles.indexOf(profile);
    return place < 0 ? 0 : profiles.size() - 1 - place;
  }

  /** The strongest first. */
  private Stream<ExecutionCase> stronger(ExecutionCase c) {
    return profiles.reversed().stream().limit(weakness(c.profile())).map(c::withProfile);
  }
}
