package dev.oriel.sim.search;

import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.sim.levels.SearchCuts;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.ScriptedChoices;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Runs the strategies on one machine one after another, as far as they belong to one part of the
 * work.
 */
final class StrategyRunner {
  private static final int DEPTHS = 4;

  /** The number of executions of guided lanes that are repeated. */
  private static final int REPEATED = 3;

  /** The number of executions of guided lanes that look for endless rounds. */
  private static final int ROUNDS = 20;

  private final Simulation simulation;
  private final CheckOptions options;
  private final Budget budget;
  private final long seed;
  private final CampaignShard shard;
  private final boolean symmetry;
  private final SearchThreads threads;
  private final Optional<LevelSearch.Place> cluster;
  private final MemoryGuard fitting;

  /** The post-conditions whose condition held in some execution so far, one bit for each. */
  private long held;

  StrategyRunner(Simulation simulation, CheckOptions options, Optional<LevelSearch.Place> cluster) {
    this.simulation = simulation;
    this.options = options;
    this.budget = options.budget();
    this.seed = options.seed();
    this.shard = options.shard();
    this.symmetry = options.extent().symmetry();
    this.threads = options.workers().threads();
    this.cluster = cluster;
    this.fitting = new MemoryGuard(simulation);
  }

  /**
   * The result of one strategy.
   *
   * @param execution the number of the last execution
   * @param finding its finding
   * @param again repeats it, if it failed
   */
  record Outcome(
      CheckReport.Part part,
      long execution,
      Optional<Finding> finding,
      Optional<ExecutionSchedule> again) {}

  /** Whether memory ran out: that has been reported, and nothing more can be executed. */
  boolean exhausted() {
    return fitting.exhausted();
  }

  /** The conditions of post-conditions that held in no execution, each as a bound. */
  List<String> neverHeld() {
    List<String> bounds = new ArrayList<>();
    List<Ensure> ensures = simulation.ensures();
    for (int i = 0; i < ensures.size(); i++) {
      boolean never = (held >>> Math.min(i, Long.SIZE - 1) & 1) == 0;
      if (ensures.get(i).when().isPresent() && never) {
        bounds.add(
            CheckReport.NEVER_JUDGED
                + "`%s` was false at the end of every launch, so what it promises of %s was never judged"
                    .formatted(
                        FormPrinter.print(ensures.get(i).when().get()),
                        FormPrinter.print(ensures.get(i).actual())));
      }
    }
    return bounds;
  }

  Outcome run(Strategy strategy) {
    long total = budget.executions();
    return switch (strategy) {
      case FIFO -> sample(strategy, new SeededSchedules.Fifo(), 0, 1);
      case RANDOM -> sample(strategy, new SeededSchedules.Random(seed), 0, total);
      case POS -> sample(strategy, new SeededSchedules.Pos(seed), 0, total);
      case WINDOW ->
          sample(
              strategy,
              new TimeWindowSchedule(seed, options.pace()),
              0,
              options.pace().delta().equals(WindowDelta.NONE) ? 1 : total);
      case PCT -> pct();
      case SYNCHRONISATION, FULL -> systematic(strategy);
      case PORTFOLIO -> throw new AssertionError("a portfolio is made of others");
    };
  }

  /** Executions that repeat a round wherever they return to an earlier state. */
  Outcome rounds() {
    return sample(
        Strategy.RANDOM, new FairRoundSchedule(seed), 0, Math.min(ROUNDS, budget.executions()));
  }

  /** Executes each of some executions twice; a finding if the guide acted differently. */
  Outcome repeated() {
    ExecutionSchedule schedule = new SeededSchedules.Random(seed);
    Optional<Finding> varies = Optional.empty();
    long number = 0;
    long steps = 0;
    while (varies.isEmpty() && number < Math.min(REPEATED, budget.executions())) {
      long which = number++;
      SamplingSearch sampling = new SamplingSearch(simulation, schedule, budget.steps());
      sampling.run(() -> LongStream.of(which));
      sampling.run(() -> LongStream.of(which));
      steps += 2 * sampling.steps;
      varies = simulation.guide().flatMap(LaneDriver::difference).map(TokenReplay::varies);
    }
    return new Outcome(
        new CheckReport.Part(
            Strategy.RANDOM, 2 * number, 0, steps, List.of(), CheckReport.Part.NONE),
        number - 1,
        varies,
        varies.map(v -> schedule));
  }

  /**
   * A quarter of the executions for each depth; the length of a first one bounds the change points.
   */
  private Outcome pct() {
    SamplingSearch first =
        new SamplingSearch(simulation, new SeededSchedules.Fifo(), budget.steps());
    first.run(() -> LongStream.of(0));
    Set<String> bounds = new LinkedHashSet<>();
    Outcome outcome = pct(1, first.steps);
    long executions = outcome.part().executions();
    long steps = first.steps + outcome.part().steps();
    bounds.addAll(outcome.part().bounds());
    for (int depth = 2; depth <= DEPTHS && outcome.again().isEmpty() && !exhausted(); depth++) {
      outcome = pct(depth, first.steps);
      executions += outcome.part().executions();
      steps += outcome.part().steps();
      bounds.addAll(outcome.part().bounds());
    }
    return new Outcome(
        new CheckReport.Part(
            Strategy.PCT, executions, 0, steps, List.copyOf(bounds), CheckReport.Part.NONE),
        outcome.execution(),
        outcome.finding(),
        outcome.again());
  }

  private Outcome pct(int depth, long steps) {
    long each = Math.max(1, budget.executions() / DEPTHS);
    ExecutionSchedule schedule = new SeededSchedules.Pct(seed, depth, (int) steps);
    return sample(Strategy.PCT, schedule, (depth - 1) * each, depth * each);
  }

  private Outcome sample(Strategy strategy, ExecutionSchedule schedule, long from, long to) {
    if (strategy != Strategy.WINDOW) {
      // A window reads every state, so its transitions cannot be recalled.
      simulation.repeat(Simulation.WARMING);
    }
    SamplingSearch sampling = new SamplingSearch(simulation, schedule, budget.steps());
    List<String> bounds = new ArrayList<>();
    List<Finding> found = new ArrayList<>();
    fitting.run(
        () ->
            sampling
                .run(() -> LongStream.range(from, to).filter(shard::owns))
                .ifPresent(found::add),
        () -> sampling.steps,
        () -> "executions=%d, steps=%d".formatted(sampling.executions, sampling.steps),
        bounds);
    bounds.addAll(JointSearch.cuts(simulation, true).bounds());
    held |= simulation.held();
    if (sampling.cut) {
      simulation
          .unended()
          .ifPresent(why -> bounds.add(CheckReport.STEPS + "an execution was stopped: " + why));
    }
    if (sampling.exhausted) {
      bounds.add(CheckReport.STEPS + "an execution stopped at " + budget.steps());
    }
    return new Outcome(
        new CheckReport.Part(
            strategy, sampling.executions, 0, sampling.steps, bounds, CheckReport.Part.NONE),
        sampling.number,
        found.stream().findFirst(),
        found.stream().<ExecutionSchedule>map(f -> schedule).findFirst());
  }

  private String text(SearchLimit limit) {
    return limit == SearchLimit.ENDLESS ? simulation.unended().orElseThrow() : limit.toString();
  }

  /** The ranks that represent each other, or the reason why none do. */
  private String alike() {
    return simulation.guide().isPresent()
        ? CheckReport.Part.NONE + ": rank code is no program that could be compared"
        : simulation.symmetries();
  }

  /** The executions that an exhaustive search prunes because another execution represents them. */
  private String reduction(Strategy strategy) {
    boolean full = strategy == Strategy.FULL;
    ExecutionSettings settings = simulation.settings();
    // The other order of two accesses has another outcome only if they race, and then the race is
    // found first. Without race detection, only every order of every step covers both.
    boolean oneOrder =
        !full && (settings.profile().ordered() || !settings.detectors().finds(Finding.Kind.RACE));
    return (full ? "" : "sleep sets and ")
        + "fingerprints of 128 bits"
        + (oneOrder ? "; plain accesses that nothing orders in one order" : "")
        + (symmetry ? "; symmetry: " + alike() : "");
  }

  /** Why one thread searched although several may. */
  private String alone(Strategy strategy, ExhaustiveSearch search) {
    boolean together = search instanceof JointSearch joint && joint.together();
    if (together || strategy != Strategy.FULL) {
      return "";
    }
    if (cluster.isPresent()) {
      return "; on one core, since its states are kept as a whole, or no text tells workers what to search";
    }
    return threads.count() == 1 ? "" : "; on one thread, since its states are kept as a whole";
  }

  private ExhaustiveSearch search(boolean full, Predicate<Optional<Finding>> end) {
    boolean plain = full && !symmetry && simulation.guide().isEmpty();
    if (plain && cluster.isPresent()) {
      return new LevelSearch(simulation, budget, cluster.get(), end);
    }
    return plain && threads.count() > 1
        ? new ThreadedSearch(simulation, budget, threads, end)
        : ExhaustiveSearch.of(simulation, full, symmetry, budget, end);
  }

  private Outcome systematic(Strategy strategy) {
    if (!shard.first()) {
      CheckReport.Part none =
          new CheckReport.Part(strategy, 0, 0, 0, List.of(), CheckReport.Part.NONE);
      return new Outcome(none, 0, Optional.empty(), Optional.empty());
    }
    List<Finding> found = new ArrayList<>();
    ExhaustiveSearch search =
        search(
            strategy == Strategy.FULL,
            finding -> {
              finding.ifPresent(found::add);
              return finding.isEmpty();
            });
    List<String> bounds = new ArrayList<>();
    fitting.run(
        search::run,
        search::steps,
        () -> "states=%d, steps=%d".formatted(search.states(), search.steps()),
        bounds);
    boolean full = strategy == Strategy.FULL;
    SearchCuts cuts =
        search instanceof JointSearch joint ? joint.cuts() : JointSearch.cuts(simulation, full);
    bounds.addAll(cuts.bounds());
    held |= cuts.held();
    boolean ordered = simulation.settings().profile().ordered();
    if (cuts.packets()) {
      bounds.add(
          "packets: a flag came to a place that still held it, or a move took a packet that was written in parts, so its content may be another"
              + (ordered ? "; --strategy full looks at both" : ""));
    }
    search
        .cut()
        .ifPresent(limit ->
            bounds.add(
                "%s: stopped at states=%d, steps=%d by %s"
                    .formatted(strategy.spelling(), search.states(), search.steps(), text(limit))));
    Optional<ExecutionSchedule> again = Optional.empty();
    if (!found.isEmpty()) {
      ChoiceScript script = ChoiceScript.of(search.path());
      again =
          Optional.of(
              new ScriptedSchedule(
                  () -> ScriptedChoices.strict(script), DecisionLevel.of(strategy)));
    }
    return new Outcome(
        new CheckReport.Part(
            strategy,
            search.executions(),
            search.states(),
            search.steps(),
            bounds,
            reduction(strategy) + alone(strategy, search)),
        Math.max(0, search.executions() - 1),
        found.stream().findFirst(),
        again);
  }
}
