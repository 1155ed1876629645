package dev.oriel.sim.search;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.ExecutionCase;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.ScriptedChoices;
import dev.oriel.sim.trace.TraceRecording;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Executes exactly the execution that a token names. */
public final class TokenReplay {
  private static final String VARIES =
      "no token repeats code that varies; make it depend on the window alone";

  private final Simulation simulation;
  private final long maxSteps;

  private final Optional<RepairTrial> trial;

  /** Without a trial, advice comes from machines with more order alone. */
  TokenReplay(Simulation simulation, long maxSteps, Optional<RepairTrial> trial) {
    this.simulation = simulation;
    this.maxSteps = maxSteps;
    this.trial = trial;
  }

  /**
   * The execution, its finding, and the operations that the finding names.
   *
   * @param cut where it was stopped before its end, so that its result is unknown; empty if it
   *     ended
   */
  public record ReplayedExecution(
      Optional<Finding> finding,
      Optional<String> cut,
      TraceRecording recording,
      List<ExecutionRecord.Place> places) {}

  /** A recorded execution with its decisions; these are missing if there are too many to store. */
  record ReplayableRecord(
      ExecutionRecord story, Optional<ChoiceScript> script, String scriptless) {}

  /**
   * The execution of the form that the token names.
   *
   * @throws ReplayException if the token is of another program, or its choices do not fit
   */
  public static ReplayedExecution play(ReplayToken token, Form form) {
    return play(token, form, SimulationFactory.PROGRAMS);
  }

  /** The execution of guided lanes that the token names. */
  public static ReplayedExecution play(ReplayToken token, DrivenProgram guided) {
    return play(token, guided.program().form(), guided);
  }

  /**
   * The execution of a changed form by the choices of a token of {@code form}. Choices are followed
   * as far as they fit: if an option does not exist, the last one is taken.
   *
   * @throws ReplayException if the token is of another program
   */
  public static ReplayedExecution along(ReplayToken token, Form form, Form changed) {
    return played(
        token,
        token.of(form).withForm(changed),
        SimulationFactory.PROGRAMS,
        () -> ScriptedChoices.lenient(token.choices()));
  }

  private static ReplayedExecution play(
      ReplayToken token, Form form, SimulationFactory simulations) {
    return played(
        token, token.of(form), simulations, () -> ScriptedChoices.strict(token.choices()));
  }

  private static ReplayedExecution played(
      ReplayToken token,
      ExecutionCase execution,
      SimulationFactory simulations,
      Supplier<ScriptedChoices> choices) {
    Topology topology = Topology.of(token.world().facts());
    Simulation simulation =
        simulations.of(
            execution.program(), topology, ProfileSpelling.of(execution), token.faults());
    ScriptedChoices[] last = new ScriptedChoices[1];
    ExecutionSchedule schedule =
        new ScriptedSchedule(
            () -> last[0] = choices.get(), DecisionLevel.of(strategy(token.strategy())));
    try {
      // Each choice takes a step, and the token may come from a search with a larger budget.
      long most = Budget.DEFAULT.steps() + token.choices().length();
      SamplingSearch run = new SamplingSearch(simulation, schedule, most);
      ExecutionRecord plain = simulation.record(() -> run.one(0));
      last[0].finish();
      Optional<String> why = simulation.unended();
      ExecutionRecord story =
          RepairAdvisor.advised(
              simulation,
              plain,
              () -> new SamplingSearch(simulation, schedule, most),
              0,
              Optional.of(
                  new RepairTrial(
                      execution.program(),
                      topology,
                      ProfileSpelling.of(execution),
                      token.faults())));
      Optional<String> cut =
          Optional.of(
                  "steps: the execution was stopped after step "
                      + run.steps
                      + why.map(w -> ": " + w).orElse(""))
              .filter(c -> run.cut);
      String line = token.toString();
      TraceRecording recording = TraceConverter.of(story, token.world().toString(), line);
      return new ReplayedExecution(story.finding(), cut, recording, story.named());
    } finally {
      simulation.guide().ifPresent(LaneDriver::stop);
    }
  }

  static Strategy strategy(String spelling) {
    return Arrays.stream(Strategy.values())
        .filter(s -> s.spelling().equals(spelling) && s != Strategy.PORTFOLIO)
        .findFirst()
        .orElseThrow(() ->
            new ReplayException(
                "unknown strategy: found=%s; use the release that wrote it".formatted(spelling)));
  }

  /** Repeats a schedule's execution with a full record. */
  ReplayableRecord record(ExecutionSchedule schedule, DecisionLevel level, long number) {
    RecordingSchedule noted = new RecordingSchedule(schedule, level);
    ExecutionRecord plain =
        simulation.record(() -> new SamplingSearch(simulation, schedule, maxSteps).one(number));
    Optional<String> difference = simulation.guide().flatMap(LaneDriver::difference);
    if (difference.isPresent()) {
      return new ReplayableRecord(
          plain.withFinding(varies(difference.get())), Optional.empty(), VARIES);
    }
    ExecutionRecord story =
        RepairAdvisor.advised(
            simulation,
            plain,
            () -> new SamplingSearch(simulation, schedule, maxSteps),
            number,
            trial);
    try {
      simulation.exploring(() -> new SamplingSearch(simulation, noted, maxSteps).one(number));
      return new ReplayableRecord(story, Optional.of(noted.script()), "");
    } catch (ReplayException e) {
      return new ReplayableRecord(story, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** The finding for rank code that is not a function of its inputs. */
  static Finding varies(String difference) {
    return new Finding(
        Finding.Kind.VARIES,
        "rank code did another thing when everything was repeated: %s; use no clock, no thread, no random source and no memory of earlier executions"
            .formatted(difference));
  }

  /**
   * The world of hosts that is equal to the topology; empty if there is none or its text is too
   * long.
   */
  static Optional<WorldShape> shape(Topology topology) {
    WorldShape shape = new WorldShape(topology.hosts());
    boolean same =
        shape.toString().length() <= WorldShape.MAX_TEXT
            && Topology.of(shape.facts()).digest().equals(topology.digest());
    return same ? Optional.of(shape) : Optional.empty();
  }
}
