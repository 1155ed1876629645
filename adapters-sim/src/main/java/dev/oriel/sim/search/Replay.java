package dev.oriel.sim.search;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.sim.machine.Guide;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.replay.Case;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.Script;
import dev.oriel.sim.replay.ScriptedChoices;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.trace.Recording;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Executes exactly the execution that a token names. */
public final class Replay {
  private static final String VARIES =
      "no token repeats code that varies; make it depend on the window alone";

  private final Simulation simulation;
  private final long maxSteps;

  Replay(Simulation simulation, long maxSteps) {
    this.simulation = simulation;
    this.maxSteps = maxSteps;
  }

  /**
   * The execution, its finding, and the operations that the finding names.
   *
   * @param cut where it was stopped before its end, so that its result is unknown; empty if it
   *     ended
   */
  public record Played(
      Optional<Finding> finding,
      Optional<String> cut,
      Recording recording,
      List<Story.Place> places) {}

  /** A recorded execution with its decisions; these are missing if there are too many to store. */
  record Told(Story story, Optional<Script> script, String scriptless) {}

  /**
   * The execution of the form that the token names.
   *
   * @throws ReplayException if the token is of another program, or its choices do not fit
   */
  public static Played play(Token token, Form form) {
    return play(token, form, Simulations.PROGRAMS);
  }

  /** The execution of guided lanes that the token names. */
  public static Played play(Token token, GuidedProgram guided) {
    return play(token, guided.program().form(), guided);
  }

  /**
   * The execution of a changed form by the choices of a token of {@code form}. Choices are followed
   * as far as they fit: if an option does not exist, the last one is taken.
   *
   * @throws ReplayException if the token is of another program
   */
  public static Played along(Token token, Form form, Form changed) {
    return played(
        token,
        token.of(form).withForm(changed),
        Simulations.PROGRAMS,
        () -> ScriptedChoices.lenient(token.choices()));
  }

  private static Played play(Token token, Form form, Simulations simulations) {
    return played(
        token, token.of(form), simulations, () -> ScriptedChoices.strict(token.choices()));
  }

  private static Played played(
      Token token, Case execution, Simulations simulations, Supplier<ScriptedChoices> choices) {
    Topology topology = Topology.of(token.world().facts());
    Simulation simulation =
        simulations.of(execution.program(), topology, Terms.of(execution), token.faults());
    ScriptedChoices[] last = new ScriptedChoices[1];
    Schedule schedule =
        new Answered(() -> last[0] = choices.get(), Level.of(strategy(token.strategy())));
    try {
      // Each choice takes a step, and the token may come from a search with a larger budget.
      long most = Budget.DEFAULT.steps() + token.choices().length();
      Sampling run = new Sampling(simulation, schedule, most);
      Story plain = simulation.record(() -> run.one(0));
      last[0].finish();
      Optional<String> why = simulation.unended();
      Story story =
          Advice.told(simulation, plain, () -> new Sampling(simulation, schedule, most), 0);
      Optional<String> cut =
          Optional.of(
                  "steps: the execution was stopped behind step "
                      + run.steps
                      + why.map(w -> ": " + w).orElse(""))
              .filter(c -> run.cut);
      String line = token.toString();
      Recording recording = Recordings.of(story, token.world().toString(), line);
      return new Played(story.finding(), cut, recording, story.places());
    } finally {
      simulation.guide().ifPresent(Guide::stop);
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
  Told tell(Schedule schedule, Level level, long number) {
    Noted noted = new Noted(schedule, level);
    Story plain = simulation.record(() -> new Sampling(simulation, schedule, maxSteps).one(number));
    Optional<String> difference = simulation.guide().flatMap(Guide::difference);
    if (difference.isPresent()) {
      return new Told(plain.told(varies(difference.get())), Optional.empty(), VARIES);
    }
    Story story =
        Advice.told(simulation, plain, () -> new Sampling(simulation, schedule, maxSteps), number);
    try {
      simulation.exploring(() -> new Sampling(simulation, noted, maxSteps).one(number));
      return new Told(story, Optional.of(noted.script()), "");
    } catch (ReplayException e) {
      return new Told(story, Optional.empty(), String.valueOf(e.getMessage()));
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
