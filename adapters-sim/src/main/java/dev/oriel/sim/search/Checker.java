package dev.oriel.sim.search;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.code.LoadBuffering;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.trace.TraceRecording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks programs by one strategy under one profile. */
public final class Checker implements ProgramRunner {
  /** Executions and states after which no further round of inputs is drawn. */
  private static final long DRAWN = 10_000;

  private static final String MISSES = Finding.Kind.OVERWRITE.word();

  private final CheckOptions options;

  /** A checker for the whole campaign. */
  public Checker(Strategy strategy, Budget budget, long seed, ExecutionSettings settings) {
    this(strategy, budget, seed, settings, settings.faults(), CampaignShard.WHOLE);
  }

  /** A checker of executions with those faults, for one part of a campaign. */
  public Checker(
      Strategy strategy,
      Budget budget,
      long seed,
      ExecutionSettings settings,
      FaultPlan faults,
      CampaignShard shard) {
    this(
        new CheckOptions(
            strategy,
            budget,
            seed,
            settings,
            faults,
            shard,
            WindowTiming.DEFAULT,
            CheckOptions.Extent.ONCE,
            CheckOptions.Workers.ONE));
  }

  private Checker(CheckOptions options) {
    this.options = options;
  }

  /** The same checker, whose {@link Strategy#WINDOW} uses that pace. */
  public Checker at(WindowTiming pace) {
    return new Checker(options.with(pace));
  }

  /**
   * The same checker. Where it explores everything, one state represents all that differ only in
   * the names of ranks.
   */
  public Checker symmetric() {
    return new Checker(options.with(options.extent().symmetric()));
  }

  /**
   * The same checker, which continues with other input words where it found nothing. Over the
   * draws, each word that lanes load takes each value to which the text compares it.
   */
  public Checker drawing() {
    return new Checker(options.with(options.extent().drawing()));
  }

  /**
   * The same checker. Where it explores everything and finds nothing, it then looks for an argument
   * that covers any number of launches, or for a violation in a later launch.
   */
  public Checker anyLaunches() {
    return new Checker(options.with(options.extent().everyLaunch()));
  }

  /**
   * The same checker, which searches every order of every step on those threads. Its verdict is the
   * same.
   */
  public Checker on(SearchThreads threads) {
    return new Checker(
        options.with(new CheckOptions.Workers(threads, options.workers().cluster())));
  }

  /**
   * The same checker, which searches every order of every step on that cluster. Its verdict is the
   * same.
   */
  public Checker on(SearchCluster cluster) {
    return new Checker(
        options.with(new CheckOptions.Workers(options.workers().threads(), Optional.of(cluster))));
  }

  /** All detectors, no timeouts. */
  public static ExecutionSettings strict(Profile profile, int launches) {
    return new ExecutionSettings(profile, launches, DetectorSet.ALL, TimeoutPolicy.NEVER);
  }

  @Override
  public Verdict check(Program program, Topology topology) {
    return explore(program, topology).verdict();
  }

  /** Checks these steps instead of those to which the program is lowered. */
  public Verdict check(Program program, Topology topology, LoweredForm lowered) {
    return explore(program, topology, lowered).verdict();
  }

  /**
   * The program, its steps and the assumptions in one line. It is the same in each part of a
   * campaign, whatever the part finds.
   */
  public String identity(Program program, Topology topology) {
    return named(program, topology).line();
  }

  private CheckIdentity named(Program program, Topology topology) {
    return new CheckIdentity(options, program, topology);
  }

  /** The verdict with the work of each strategy, and the failing execution if there is one. */
  public CheckReport explore(Program program, Topology topology) {
    return explore(program, topology, SimulationFactory.lower(program, topology));
  }

  private CheckReport explore(Program program, Topology topology, LoweredForm lowered) {
    Simulation simulation =
        SimulationFactory.of(program, topology, lowered, options.settings(), options.faults());
    CheckReport report = explore(program, topology, lowered, simulation);
    boolean misses =
        report.verdict().violation().filter(v -> v.kind().equals(MISSES)).isPresent()
            && (options.settings().detectors().equals(DetectorSet.ALL)
                || options.settings().detectors().equals(DetectorSet.RESULTS));
    int round = simulation.roundOfDraws();
    boolean words = simulation.loadsWords();
    simulation.release();
    boolean full = options.strategy() == Strategy.FULL;
    if (misses
        && EndlessWaits.none(
            program, topology, lowered, options.settings(), options.faults(), full)) {
      DetectorSet others = options.settings().detectors().without(Finding.Kind.OVERWRITE);
      return new Checker(options.with(options.settings().looking(others)))
          .explore(program, topology, lowered);
    }
    if (report.found().isPresent() || !options.shard().first()) {
      return report;
    }
    CheckReport all =
        options.extent().anyLaunches() ? closed(program, topology, lowered, report, words) : report;
    return options.extent().draws() && all.found().isEmpty()
        ? drawn(program, topology, lowered, all, round)
        : all;
  }

  /**
   * Continues with later launches. A violation there is found anew with as many launches. Where not
   * all launches are covered with all inputs, some are drawn.
   *
   * @param words whether lanes load words of inputs, of which only some values are covered
   */
  private CheckReport closed(
      Program program, Topology topology, LoweredForm lowered, CheckReport report, boolean words) {
    AnyLaunches any =
        against(report)
            .map(AnyLaunches::open)
            .orElseGet(() ->
                AnyLaunches.of(program, topology, lowered, options.settings(), options.budget()));
    if (any.found().isEmpty()) {
      return (any.closed() && !words) || !options.faults().equals(FaultPlan.NONE)
          ? report.with(any)
          : later(program, topology, report, any);
    }
    CheckReport later =
        new Checker(
                options.oneMore(
                    Strategy.SYNCHRONISATION,
                    options.budget(),
                    options.settings().launches(any.launch()).drawing(any.draw())))
            .explore(program, topology, lowered);
    return later.found().isPresent()
        ? later
        : report.unrepeated(any.launch(), any.found().get().kind());
  }

  /**
   * Draws executions of more launches than that report has, as many as this checker's budget
   * allows; the report of these if one fails. The same report if it covers any number of launches.
   */
  public CheckReport longer(Program program, Topology topology, CheckReport report) {
    return report
        .anyLaunches()
        .filter(any -> !any.closed())
        .map(any -> later(program, topology, report, any))
        .orElse(report);
  }

  /** Draws executions of more launches; the report of these if one fails. */
  private CheckReport later(
      Program program, Topology topology, CheckReport report, AnyLaunches any) {
    LaterLaunches later =
        LaterLaunches.of(
            program, topology, options.settings(), options.budget(), options.seed(), report);
    return later
        .failed()
        .orElseGet(() -> report.with(any.drawing(later.launches(), later.steps())));
  }

  /** Why further launches are not looked at. */
  private Optional<String> against(CheckReport report) {
    boolean complete =
        report.parts().stream()
            .anyMatch(part -> part.strategy().visitsAll() && part.bounds().isEmpty());
    if (!complete) {
      return Optional.of(
          "not all of %d launches was covered".formatted(options.settings().launches()));
    }
    if (!options.faults().equals(FaultPlan.NONE)) {
      return Optional.of("faults count steps of all launches");
    }
    if (options.settings().profile().ordered()
        || !options.settings().detectors().finds(Finding.Kind.RACE)) {
      return Optional.of("races are not looked for");
    }
    return options.settings().detectors().finds(Finding.Kind.OVERWRITE)
        ? Optional.empty()
        : Optional.of("a wait may miss a value that a later one brings");
  }

  /**
   * Continues with other input words, with fewer executions for each draw, until one fails. It
   * makes at least one round of draws. It stops once any two values of neighbouring words have
   * occurred together, and each word has had every sequence of values in the launches, or at the
   * limit.
   */
  private CheckReport drawn(
      Program program, Topology topology, LoweredForm lowered, CheckReport report, int round) {
    CheckReport all = report;
    Strategy quick = options.visitsAll() ? Strategy.SYNCHRONISATION : Strategy.RANDOM;
    long enough = report.verdict().executions() + report.verdict().states() + DRAWN;
    long most = sequences(round, options.settings().launches());
    for (int draw = 1; draw <= most && all.found().isEmpty(); draw++) {
      if (draw > round && all.verdict().executions() + all.verdict().states() > enough) {
        return all.leaving(most - draw + 1);
      }
      Checker other =
          new Checker(
              options.oneMore(quick, options.budget().quick(), options.settings().drawing(draw)));
      all = all.and(other.explore(program, topology, lowered), draw);
    }
    return all;
  }

  /**
   * The sequences of so many values in that many launches, at least two; not exact above the limit.
   */
  private static long sequences(long values, int launches) {
    long sequences = values;
    for (int i = 1; i < Math.max(2, launches) && sequences < DRAWN; i++) {
      sequences *= values;
    }
    return sequences;
  }

  /**
   * As {@link #explore(Program, Topology)}, for lanes that a guide controls. Where it finds nothing
   * else, it repeats some executions to check that the guided code is a function of its inputs.
   */
  public CheckReport explore(DrivenProgram guided, Topology topology) {
    Simulation simulation =
        guided.of(guided.program(), topology, options.settings(), options.faults());
    try {
      return explore(guided.program(), topology, guided.lowered(), simulation);
    } finally {
      simulation.guide().ifPresent(LaneDriver::stop);
    }
  }

  private CheckReport explore(
      Program program, Topology topology, LoweredForm lowered, Simulation simulation) {
    StrategyRunner strategies =
        new StrategyRunner(
            simulation,
            options,
            options
                .workers()
                .cluster()
                .map(c -> new LevelSearch.Place(c, named(program, topology).job(lowered))));
    List<CheckReport.Part> parts = new ArrayList<>();
    List<String> done = new ArrayList<>();
    List<String> untried = new ArrayList<>();
    List<CheckReport.Part> left = new ArrayList<>();
    Optional<StrategyRunner.Outcome> failed = Optional.empty();
    for (Strategy one : options.strategies()) {
      if (strategies.exhausted()) {
        String bound = CheckReport.MEMORY + "not tried: " + one.spelling();
        untried.add(bound);
        left.add(new CheckReport.Part(one, 0, 0, 0, List.of(bound), CheckReport.Part.NONE));
        continue;
      }
      failed = tried(strategies.run(one), named(one), parts, done);
      if (failed.isPresent()) {
        break;
      }
    }
    if (failed.isEmpty() && simulation.guide().isPresent() && !strategies.exhausted()) {
      failed = tried(strategies.rounds(), "rounds", parts, done);
      if (strategies.exhausted()) {
        untried.add("memory: not tried: rounds of rank code without end, and whether it varies");
      } else if (failed.isEmpty()) {
        failed = tried(strategies.repeated(), "repeated", parts, done);
      }
    }
    List<String> bounds = hit(parts);
    bounds.addAll(untried);
    if (!options.shard().equals(CampaignShard.WHOLE)) {
      bounds.add("shard: " + options.shard() + " of the work; merge all parts");
    }
    Optional<String> early = early(simulation);
    early.ifPresent(bounds::add);
    List<String> never = failed.isPresent() ? List.of() : strategies.neverHeld();
    bounds.addAll(never);
    Optional<TokenReplay.ReplayableRecord> replay =
        failed.map(f -> recorded(program, topology, simulation, f));
    Verdict verdict =
        new Verdict(
            program.digest(),
            lowered.digest(),
            CheckIdentity.model(options),
            spelled(done, failed.isPresent()),
            options.settings().launches(),
            parts.stream().mapToLong(CheckReport.Part::executions).sum(),
            parts.stream().mapToLong(CheckReport.Part::states).sum(),
            List.copyOf(bounds),
            OutputCoverage.of(program),
            replay.map(Checker::violation));
    // A merge knows only the parts, so each part has this bound, too. The bounds of strategies that
    // were not tried are parts of their own.
    parts.addAll(left);
    parts.replaceAll(part -> early.map(part::within).orElse(part));
    for (String bound : never) {
      parts.replaceAll(part -> part.within(bound));
    }
    return new CheckReport(
        verdict,
        parts,
        failed.map(f -> found(program, topology, f, replay.orElseThrow())),
        Optional.empty(),
        0);
  }

  /**
   * A behaviour that a GPU allows and no execution here shows. Guided code is not known in advance,
   * so it has none.
   */
  private Optional<String> early(Simulation simulation) {
    boolean known = simulation.guide().isEmpty() && !options.settings().profile().ordered();
    return known ? LoadBuffering.of(simulation.code()) : Optional.empty();
  }

  /** Records a strategy's work; returns its failure if there is one. */
  private Optional<StrategyRunner.Outcome> tried(
      StrategyRunner.Outcome outcome,
      String name,
      List<CheckReport.Part> parts,
      List<String> done) {
    CheckReport.Part part = outcome.part();
    boolean failed = outcome.again().isPresent();
    parts.add(failed || options.visitsAll() ? part : part.drawn());
    done.add(name + "=" + part.executions());
    return Optional.of(outcome).filter(o -> failed);
  }

  /** Every bound that was reached, once; with several strategies, also which of them reached it. */
  private List<String> hit(List<CheckReport.Part> parts) {
    Map<String, Set<String>> by = new LinkedHashMap<>();
    for (CheckReport.Part part : parts) {
      for (String bound : part.bounds()) {
        by.computeIfAbsent(bound, b -> new LinkedHashSet<>()).add(part.strategy().spelling());
      }
    }
    List<String> hit = new ArrayList<>();
    by.forEach((bound, strategies) -> {
      boolean named = strategies.stream().anyMatch(one -> bound.startsWith(one + ":"));
      boolean several = options.strategy() == Strategy.PORTFOLIO && !named;
      hit.add(bound + (several ? " (" + String.join(", ", strategies) + ")" : ""));
    });
    return hit;
  }

  /** The execution that always runs the first enabled agent, as an example. */
  public TraceRecording first(Program program, Topology topology) {
    TokenReplay.ReplayableRecord replay = recorded(program, topology);
    String line =
        named(program, topology).token(Strategy.FIFO, replay).map(ReplayToken::toString).orElse("");
    return TraceConverter.of(replay.story(), named(program, topology).world(), line);
  }

  /** The same execution with its full record. */
  public ExecutionRecord story(Program program, Topology topology) {
    return recorded(program, topology).story();
  }

  private TokenReplay.ReplayableRecord recorded(Program program, Topology topology) {
    LoweredForm lowered = SimulationFactory.lower(program, topology);
    Simulation simulation =
        SimulationFactory.of(program, topology, lowered, options.settings(), options.faults());
    return new TokenReplay(simulation, options.budget().steps(), Optional.empty())
        .record(new SeededSchedules.Fifo(), DecisionLevel.FULL, 0);
  }

  private TokenReplay.ReplayableRecord recorded(
      Program program, Topology topology, Simulation simulation, StrategyRunner.Outcome failed) {
    DecisionLevel level = DecisionLevel.of(failed.part().strategy());
    simulation.release();
    TokenReplay.ReplayableRecord replay;
    try {
      replay =
          new TokenReplay(
                  simulation,
                  options.budget().steps(),
                  Optional.of(
                      new RepairTrial(program, topology, options.settings(), options.faults())))
              .record(failed.again().orElseThrow(), level, failed.execution());
    } catch (OutOfMemoryError e) {
      simulation.release();
      ExecutionRecord unrecorded = simulation.unrecorded(failed.finding().orElseThrow());
      return new TokenReplay.ReplayableRecord(
          unrecorded,
          Optional.empty(),
          "the execution is too long to be recorded in a heap of %d bytes; give a larger one (-Xmx)"
              .formatted(Runtime.getRuntime().maxMemory()));
    }
    if (replay.story().finding().isEmpty() && simulation.guide().isPresent()) {
      ExecutionRecord story =
          replay
              .story()
              .withFinding(TokenReplay.varies("an execution that failed did not fail again"));
      return new TokenReplay.ReplayableRecord(story, Optional.empty(), replay.scriptless());
    }
    if (replay.story().finding().isEmpty()) {
      throw new AssertionError("an execution failed once and not again: " + failed.part());
    }
    return replay;
  }

  private static Violation violation(TokenReplay.ReplayableRecord replay) {
    return replay
        .story()
        .finding()
        .map(f -> new Violation(f.kind().word(), f.message(), replay.story().lines()))
        .orElseThrow();
  }

  private CheckReport.Found found(
      Program program,
      Topology topology,
      StrategyRunner.Outcome failed,
      TokenReplay.ReplayableRecord replay) {
    Strategy by = failed.part().strategy();
    Optional<ReplayToken> token = Optional.empty();
    String line = "";
    String tokenless = replay.scriptless();
    try {
      // A value that no token can hold must not hide the finding.
      token = named(program, topology).token(by, replay);
      line = token.map(ReplayToken::toString).orElse("");
    } catch (dev.oriel.sim.replay.ReplayException e) {
      token = Optional.empty();
      tokenless = String.valueOf(e.getMessage());
    }
    if (token.isEmpty() && tokenless.isEmpty()) {
      tokenless =
          "no token names this topology or profile; use a world that an option can name and a named profile";
    }
    return new CheckReport.Found(
        by,
        failed.execution(),
        TraceConverter.of(replay.story(), named(program, topology).world(), line),
        token,
        tokenless,
        replay.story().named(),
        replay.story().operations());
  }

  private String spelled(List<String> done, boolean found) {
    if (done.size() == 1 && options.strategy() != Strategy.PORTFOLIO) {
      return named(options.strategy());
    }
    return String.join(", ", done) + (found ? " (found it)" : "");
  }

  private String named(Strategy one) {
    return one.spelling() + (one == Strategy.WINDOW ? " (" + options.pace() + ")" : "");
  }
}
