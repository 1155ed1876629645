package dev.oriel.sim.search;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.ExecutionCase;
import dev.oriel.sim.replay.ExecutionFailure;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.ScriptedChoices;
import dev.oriel.sim.replay.Shrinker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a failing execution small. It first reduces the world, sizes, launches, schedule and
 * profile, so that the token still replays the unchanged program. Then it also reduces operations
 * and constants.
 */
public final class ExecutionShrinker {
  /** Executions of each of the two descents. */
  public static final int BUDGET = 300;

  private static final Budget TRIAL = new Budget(1, 200, 200_000, 20_000_000);

  /** Steps of all trials of a descent, those of repairs included: some seconds. */
  private static final long EFFORT = 4_000_000;

  /** A trial may take twice the steps of the failing execution, and this many more. */
  private static final long SLACK = 1_000;

  private final Strategy strategy;
  private final DecisionLevel level;
  private final SimulationFactory simulations;

  /**
   * Steps of a trial. Rank code that runs much longer than the failing execution does not fail any
   * more.
   */
  private long most = TRIAL.steps();

  /** The shape that every failure must keep; empty where the program stays the same. */
  private Optional<FailureShape> shape = Optional.empty();

  /** The steps of this descent so far. */
  private long spent;

  private ExecutionShrinker(Strategy strategy, SimulationFactory simulations) {
    this.strategy = strategy;
    this.level = DecisionLevel.of(strategy);
    this.simulations = simulations;
  }

  /** A small case, the token that repeats it, and how it was found. */
  public record Small(ReplayToken token, Form form, Shrinker.Result result) {}

  /**
   * Both small cases.
   *
   * @param same with the unchanged program
   * @param cut with a smaller program, if one keeps the mistake ({@link FailureShape})
   */
  public record Result(Small same, Optional<Small> cut) {}

  /** The smallest cases found that fail as the token's execution does. */
  public static Result shrink(ReplayToken token, Form form, int budget) {
    ExecutionShrinker shrinking =
        new ExecutionShrinker(TokenReplay.strategy(token.strategy()), SimulationFactory.PROGRAMS);
    ExecutionCase failing = token.of(form);
    Small same = shrinking.down(failing, token, budget, true);
    return new Result(same, shrinking.cut(failing, same.result().smallest(), token, budget));
  }

  /**
   * A smaller program whose failure has the shape of the first one. It starts from the small case
   * if that has the same shape, and else from the first case.
   */
  private Optional<Small> cut(
      ExecutionCase first, ExecutionCase small, ReplayToken token, int budget) {
    shape = Optional.empty();
    Optional<FailureShape> wanted = shapeOf(first);
    if (wanted.filter(FailureShape::explains).isEmpty()) {
      return Optional.empty();
    }
    boolean same = shapeOf(small).filter(wanted.get()::keptBy).isPresent();
    shape = wanted;
    Small cut = down(same ? small : first, token, budget, false);
    return Optional.of(cut).filter(c -> c.result().confirmed() && !c.form().equals(first.form()));
  }

  /** The shape of the case's failure by its own choices; empty if it does not fail. */
  private Optional<FailureShape> shapeOf(ExecutionCase failing) {
    Simulation simulation = simulation(failing);
    return follow(simulation, failing.choices())
        .flatMap(failure -> shapeOf(simulation, failing, failure.choices()));
  }

  private Optional<FailureShape> shapeOf(
      Simulation simulation, ExecutionCase failing, ChoiceScript script) {
    ScriptedSchedule schedule = new ScriptedSchedule(() -> ScriptedChoices.strict(script), level);
    List<SamplingSearch> trials = new ArrayList<>();
    Supplier<SamplingSearch> again =
        () -> {
          SamplingSearch trial = new SamplingSearch(simulation, schedule, most);
          trials.add(trial);
          return trial;
        };
    ExecutionRecord plain = simulation.record(() -> again.get().one(0));
    if (plain.finding().isEmpty()) {
      return Optional.empty();
    }
    ExecutionRecord story = RepairAdvisor.advised(simulation, plain, again, 0, Optional.empty());
    spent += trials.stream().mapToLong(trial -> trial.steps).sum();
    return Optional.of(
        FailureShape.of(failing.form(), Topology.of(failing.world().facts()), story));
  }

  private Simulation simulation(ExecutionCase execution) {
    return simulations.of(
        execution.program(),
        Topology.of(execution.world().facts()),
        ProfileSpelling.of(execution),
        execution.faults());
  }

  /**
   * The execution of guided lanes with the fewest deviations found that fails as the token's does.
   */
  public static Small shrink(ReplayToken token, DrivenProgram guided, int budget) {
    int world = guided.program().world();
    SimulationFactory same =
        (program, topology, settings, faults) -> {
          if (topology.world() != world) {
            throw new MachineException(
                "rank code for another world: world=%d, written for=%d; keep the world"
                    .formatted(topology.world(), world));
          }
          return guided.of(program, topology, settings, faults);
        };
    ExecutionShrinker shrinking =
        new ExecutionShrinker(TokenReplay.strategy(token.strategy()), same);
    return shrinking.down(token.of(guided.program().form()), token, budget, true);
  }

  private Small down(ExecutionCase from, ReplayToken token, int budget, boolean sameProgram) {
    spent = 0;
    Shrinker.Oracle oracle =
        new Shrinker.Oracle() {
          @Override
          public Optional<ExecutionFailure> run(ExecutionCase candidate) {
            return ExecutionShrinker.this.run(candidate);
          }

          @Override
          public boolean isSpent() {
            return spent > EFFORT;
          }
        };
    Shrinker shrinker =
        new Shrinker(oracle, ProfileSpelling.fromWeakest(token.profile()), budget, sameProgram);
    Shrinker.Result result = shrinker.shrink(from);
    ExecutionCase small = result.smallest();
    return new Small(small.token(token.strategy(), token.seed()), small.form(), result);
  }

  /**
   * The case's failure, with its own choices or with those of a short search; empty if there is
   * none.
   */
  private Optional<ExecutionFailure> run(ExecutionCase candidate) {
    if (shape.filter(wanted -> !wanted.possible(candidate.form())).isPresent()) {
      return Optional.empty();
    }
    try {
      Simulation simulation = simulation(candidate);
      try {
        Optional<ExecutionFailure> failure = follow(simulation, candidate.choices());
        return (failure.isPresent() ? failure : search(simulation))
            .filter(found -> keeps(simulation, candidate, found));
      } finally {
        simulation.guide().ifPresent(LaneDriver::stop);
      }
    } catch (MachineException | ProgramException | ReplayException | OutOfMemoryError e) {
      // A case that cannot be executed does not fail; nor does one that does not fit into memory.
      return Optional.empty();
    }
  }

  /** Whether a failure has the shape that a smaller program must keep. */
  private boolean keeps(Simulation simulation, ExecutionCase candidate, ExecutionFailure failure) {
    return shape.isEmpty()
        || shapeOf(simulation, candidate, failure.choices())
            .filter(shape.get()::keptBy)
            .isPresent();
  }

  private Optional<ExecutionFailure> follow(Simulation simulation, ChoiceScript script) {
    RecordingSchedule noted =
        new RecordingSchedule(
            new ScriptedSchedule(() -> ScriptedChoices.lenient(script), level), level);
    SamplingSearch trial = new SamplingSearch(simulation, noted, most);
    Optional<Finding> finding = simulation.exploring(() -> trial.one(0));
    spent += trial.steps;
    if (finding.isPresent() && simulation.guide().isPresent()) {
      most = Math.min(most, 2 * trial.steps + SLACK);
    }
    return finding.map(f ->
        new ExecutionFailure(
            f.about().isEmpty() ? f.kind().word() : f.kind().word() + " of " + f.about(),
            noted.script()));
  }

  private Optional<ExecutionFailure> search(Simulation simulation) {
    if (strategy != Strategy.SYNCHRONISATION) {
      return follow(simulation, ChoiceScript.DEFAULT);
    }
    List<Finding> found = new ArrayList<>();
    ExhaustiveSearch search =
        ExhaustiveSearch.of(
            simulation,
            false,
            false,
            TRIAL,
            finding -> {
              finding.ifPresent(found::add);
              return finding.isEmpty();
            });
    search.run();
    spent += search.steps();
    return found.isEmpty() ? Optional.empty() : follow(simulation, ChoiceScript.of(search.path()));
  }
}
