package dev.oriel.sim.search;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.code.LoadBuffering;
import dev.oriel.sim.machine.Guide;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Shard;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.trace.Recording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks programs by one strategy under one profile. */
public final class Checker implements ProgramRunner {
  /** Executions and states after which no further round of inputs is drawn. */
  private static final long DRAWN = 10_000;

  private static final String MISSES = Finding.Kind.OVERWRITE.word();

  private final Strategy strategy;
  private final Budget budget;
  private final long seed;
  private final Simulation.Terms terms;
  private final FaultPlan faults;
  private final Shard shard;
  private final Pace pace;
  private final boolean symmetry;
  private final boolean draws;

  /** A checker for the whole campaign. */
  public Checker(Strategy strategy, Budget budget, long seed, Simulation.Terms terms) {
    this(strategy, budget, seed, terms, terms.faults(), Shard.WHOLE);
  }

  /** A checker of executions with those faults, for one part of a campaign. */
  public Checker(
      Strategy strategy,
      Budget budget,
      long seed,
      Simulation.Terms terms,
      FaultPlan faults,
      Shard shard) {
    this(strategy, budget, seed, terms, faults, shard, Pace.DEFAULT, false, false);
  }

  private Checker(
      Strategy strategy,
      Budget budget,
      long seed,
      Simulation.Terms terms,
      FaultPlan faults,
      Shard shard,
      Pace pace,
      boolean symmetry,
      boolean draws) {
    this.strategy = strategy;
    this.budget = budget;
    this.seed = seed;
    this.terms = terms;
    this.faults = faults;
    this.shard = shard;
    this.pace = pace;
    this.symmetry = symmetry;
    this.draws = draws;
  }

  /** The same checker, whose {@link Strategy#WINDOW} uses that pace. */
  public Checker at(Pace other) {
    return new Checker(strategy, budget, seed, terms, faults, shard, other, symmetry, draws);
  }

  /**
   * The same checker. Where it explores everything, one state represents all that differ only in
   * the names of ranks.
   */
  public Checker symmetric() {
    return new Checker(strategy, budget, seed, terms, faults, shard, pace, true, draws);
  }

  /**
   * The same checker, which continues with other input words where it found nothing. Over the
   * draws, each word that lanes load takes each value to which the text compares it.
   */
  public Checker drawing() {
    return new Checker(strategy, budget, seed, terms, faults, shard, pace, symmetry, true);
  }

  /** All detectors, no timeouts. */
  public static Simulation.Terms strict(Profile profile, int launches) {
    return new Simulation.Terms(profile, launches, Detectors.ALL, Timeouts.NEVER);
  }

  @Override
  public Verdict check(Program program, Topology topology) {
    return explore(program, topology).verdict();
  }

  /** Checks these steps instead of those to which the program is lowered. */
  public Verdict check(Program program, Topology topology, LoweredForm lowered) {
    return explore(program, topology, lowered).verdict();
  }

  /** The verdict with the work of each strategy, and the failing execution if there is one. */
  public Report explore(Program program, Topology topology) {
    return explore(program, topology, Simulations.lower(program, topology));
  }

  private Report explore(Program program, Topology topology, LoweredForm lowered) {
    Simulation simulation = Simulations.of(program, topology, lowered, terms, faults);
    Report report = explore(program, topology, lowered, simulation);
    boolean misses =
        report.verdict().violation().filter(v -> v.kind().equals(MISSES)).isPresent()
            && terms.detectors().equals(Detectors.ALL)
            && shard.equals(Shard.WHOLE);
    int round = simulation.roundOfDraws();
    simulation.release();
    if (misses && EndlessWaits.none(program, topology, lowered, terms, faults)) {
      return with(terms.looking(Terms.WAITS_END)).explore(program, topology, lowered);
    }
    return draws && report.found().isEmpty() && shard.equals(Shard.WHOLE)
        ? drawn(program, topology, lowered, report, round)
        : report;
  }

  /**
   * Continues with other input words, with fewer executions for each draw, until one fails. It
   * makes at least one round of draws. It stops once any two values have occurred together, or at
   * the limit.
   */
  private Report drawn(
      Program program, Topology topology, LoweredForm lowered, Report report, int round) {
    Report all = report;
    Strategy quick = visitsAll() ? Strategy.SYNCHRONISATION : Strategy.RANDOM;
    long enough = report.verdict().executions() + report.verdict().states() + DRAWN;
    for (int draw = 1; draw <= round * round && all.found().isEmpty(); draw++) {
      if (draw > round && all.verdict().executions() + all.verdict().states() > enough) {
        break;
      }
      Checker other =
          new Checker(
              quick,
              budget.quick(),
              seed,
              terms.drawing(draw),
              faults,
              shard,
              pace,
              symmetry,
              false);
      all = all.and(other.explore(program, topology, lowered), draw);
    }
    return all;
  }

  private boolean visitsAll() {
    return parts().stream().anyMatch(Strategy::visitsAll);
  }

  private Checker with(Simulation.Terms other) {
    return new Checker(strategy, budget, seed, other, faults, shard, pace, symmetry, draws);
  }

  /**
   * As {@link #explore(Program, Topology)}, for lanes that a guide controls. Where it finds nothing
   * else, it repeats some executions to check that the guided code is a function of its inputs.
   */
  public Report explore(GuidedProgram guided, Topology topology) {
    Simulation simulation = guided.of(guided.program(), topology, terms, faults);
    try {
      return explore(guided.program(), topology, guided.lowered(), simulation);
    } finally {
      simulation.guide().ifPresent(Guide::stop);
    }
  }

  private Report explore(
      Program program, Topology topology, LoweredForm lowered, Simulation simulation) {
    Strategies strategies = new Strategies(simulation, budget, seed, shard, pace, symmetry);
    List<Report.Part> parts = new ArrayList<>();
    List<String> done = new ArrayList<>();
    List<String> untried = new ArrayList<>();
    List<Report.Part> left = new ArrayList<>();
    Optional<Strategies.Outcome> failed = Optional.empty();
    for (Strategy one : parts()) {
      if (strategies.exhausted()) {
        String bound = "memory: not tried: " + one.spelling();
        untried.add(bound);
        left.add(new Report.Part(one, 0, 0, 0, List.of(bound), Report.Part.NONE));
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
    if (!shard.equals(Shard.WHOLE)) {
      bounds.add("shard: " + shard + " of the work; merge all parts");
    }
    Optional<String> early = early(simulation);
    early.ifPresent(bounds::add);
    Optional<Replay.Told> told = failed.map(f -> tell(simulation, f));
    Verdict verdict =
        new Verdict(
            program.digest(),
            lowered.digest(),
            model(),
            spelled(done, failed.isPresent()),
            terms.launches(),
            parts.stream().mapToLong(Report.Part::executions).sum(),
            parts.stream().mapToLong(Report.Part::states).sum(),
            List.copyOf(bounds),
            OutputCoverage.of(program),
            told.map(Checker::violation));
    // A merge knows only the parts, so each part has this bound, too. The bounds of strategies that
    // were not tried are parts of their own.
    parts.addAll(left);
    parts.replaceAll(part -> early.map(part::within).orElse(part));
    return new Report(
        verdict, parts, failed.map(f -> found(program, topology, f, told.orElseThrow())));
  }

  /**
   * A behaviour that a GPU allows and no execution here shows. Guided code is not known in advance,
   * so it has none.
   */
  private Optional<String> early(Simulation simulation) {
    boolean known = simulation.guide().isEmpty() && !terms.profile().ordered();
    return known ? LoadBuffering.of(simulation.code()) : Optional.empty();
  }

  /** Records a strategy's work; returns its failure if there is one. */
  private Optional<Strategies.Outcome> tried(
      Strategies.Outcome outcome, String name, List<Report.Part> parts, List<String> done) {
    Report.Part part = outcome.part();
    boolean failed = outcome.again().isPresent();
    parts.add(failed || parts().stream().anyMatch(Strategy::visitsAll) ? part : part.drawn());
    done.add(name + "=" + part.executions());
    return Optional.of(outcome).filter(o -> failed);
  }

  /** Every bound that was reached, once; with several strategies, also which of them reached it. */
  private List<String> hit(List<Report.Part> parts) {
    Map<String, Set<String>> by = new LinkedHashMap<>();
    for (Report.Part part : parts) {
      for (String bound : part.bounds()) {
        by.computeIfAbsent(bound, b -> new LinkedHashSet<>()).add(part.strategy().spelling());
      }
    }
    List<String> hit = new ArrayList<>();
    by.forEach((bound, strategies) -> {
      boolean named = strategies.stream().anyMatch(one -> bound.startsWith(one + ":"));
      boolean several = strategy == Strategy.PORTFOLIO && !named;
      hit.add(bound + (several ? " (" + String.join(", ", strategies) + ")" : ""));
    });
    return hit;
  }

  /** The execution that always runs the first enabled agent, as an example. */
  public Recording first(Program program, Topology topology) {
    Replay.Told told = told(program, topology);
    String line = token(program, topology, Strategy.FIFO, told).map(Token::toString).orElse("");
    return Recordings.of(told.story(), world(topology), line);
  }

  /** The same execution with its full record. */
  public Story story(Program program, Topology topology) {
    return told(program, topology).story();
  }

  private Replay.Told told(Program program, Topology topology) {
    LoweredForm lowered = Simulations.lower(program, topology);
    Simulation simulation = Simulations.of(program, topology, lowered, terms, faults);
    return new Replay(simulation, budget.steps()).tell(new Schedules.Fifo(), Level.FULL, 0);
  }

  private Replay.Told tell(Simulation simulation, Strategies.Outcome failed) {
    Level level = Level.of(failed.part().strategy());
    simulation.release();
    Replay.Told told;
    try {
      told =
          new Replay(simulation, budget.steps())
              .tell(failed.again().orElseThrow(), level, failed.execution());
    } catch (OutOfMemoryError e) {
      simulation.release();
      Story untold = simulation.untold(failed.finding().orElseThrow());
      return new Replay.Told(
          untold,
          Optional.empty(),
          "the execution is too long to be told in a heap of %d bytes; give a larger one (-Xmx)"
              .formatted(Runtime.getRuntime().maxMemory()));
    }
    if (told.story().finding().isEmpty() && simulation.guide().isPresent()) {
      Story story = told.story().told(Replay.varies("an execution that failed did not fail again"));
      return new Replay.Told(story, Optional.empty(), told.scriptless());
    }
    if (told.story().finding().isEmpty()) {
      throw new AssertionError("an execution failed once and not again: " + failed.part());
    }
    return told;
  }

  private static Violation violation(Replay.Told told) {
    return told.story()
        .finding()
        .map(f -> new Violation(f.kind().word(), f.message(), told.story().lines()))
        .orElseThrow();
  }

  private Report.Found found(
      Program program, Topology topology, Strategies.Outcome failed, Replay.Told told) {
    Strategy by = failed.part().strategy();
    Optional<Token> token = Optional.empty();
    String line = "";
    String tokenless = told.scriptless();
    try {
      // A value that no token can hold must not hide the finding.
      token = token(program, topology, by, told);
      line = token.map(Token::toString).orElse("");
    } catch (dev.oriel.sim.replay.ReplayException e) {
      token = Optional.empty();
      tokenless = String.valueOf(e.getMessage());
    }
    if (token.isEmpty() && tokenless.isEmpty()) {
      tokenless =
          "no token names this topology or profile; use a world that an option can name and a named profile";
    }
    return new Report.Found(
        by,
        failed.execution(),
        Recordings.of(told.story(), world(topology), line),
        token,
        tokenless,
        told.story().places());
  }

  private Optional<Token> token(Program program, Topology topology, Strategy by, Replay.Told told) {
    Optional<WorldShape> shape = Replay.shape(topology);
    Optional<String> profile = Terms.name(terms);
    if (shape.isEmpty() || profile.isEmpty() || told.script().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Token(
            profile.get(),
            program.digest(),
            shape.get(),
            program.params(),
            terms.launches(),
            terms.timeouts(),
            faults,
            by.spelling(),
            seed,
            told.script().get()));
  }

  private static String world(Topology topology) {
    return Replay.shape(topology)
        .map(WorldShape::toString)
        .orElse(topology.world() + " ranks on " + topology.hosts().size() + " hosts");
  }

  private String spelled(List<String> done, boolean found) {
    if (done.size() == 1 && strategy != Strategy.PORTFOLIO) {
      return named(strategy);
    }
    return String.join(", ", done) + (found ? " (found it)" : "");
  }

  private String named(Strategy one) {
    return one.spelling() + (one == Strategy.WINDOW ? " (" + pace + ")" : "");
  }

  private String model() {
    Profile p = terms.profile();
    String after = terms.past() == 0 ? "" : ", after=" + Long.toUnsignedString(terms.past());
    return "profile=%s, visibility=%s, granule=8, timeouts=%s, races=%s, threads per lane modelled=%d, loops=to their end, faults=%s"
            .formatted(
                p.name(),
                p.visibility().name().toLowerCase(Locale.ROOT),
                terms.timeouts().spelling(),
                terms.detectors().finds(Finding.Kind.RACE) ? "found" : "allowed",
                p.ordered() ? 1 : 2,
                faults)
        + after
        + (terms.detectors().equals(Terms.WAITS_END) ? ", missed values=every wait ends" : "");
  }

  private List<Strategy> parts() {
    return strategy == Strategy.PORTFOLIO
        ? List.of(
            Strategy.FIFO,
            Strategy.SYNCHRONISATION,
            Strategy.RANDOM,
            Strategy.PCT,
            Strategy.POS,
            Strategy.WINDOW)
        : List.of(strategy);
  }
}
