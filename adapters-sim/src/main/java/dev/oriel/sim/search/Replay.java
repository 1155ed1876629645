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

/** Executes exactly what a token names. */
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
   * What was executed, what was wrong with it, and the operations that this speaks of.
   *
   * @param cut where it was stopped before its end, so that nobody knows; empty if it ended
   */
  public record Played(
      Optional<Finding> finding,
      Optional<String> cut,
      Recording recording,
      List<Story.Place> places) {}

  /** A recorded execution with its decisions, which are missing if there are too many to keep. */
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
   * What the choices of a token of {@code form} come to in a changed form. They are followed as far
   * as they fit: where an option does not exist the last one is taken.
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
      // A choice is a step, and whoever wrote the token may have had more of them to spend.
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

  /** Executes once more what a schedule decides, with everything written down. */
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

  /** What is wrong with rank code that is not the same function of what it sees each time. */
  static Finding varies(String difference) {
    return new Finding(
        Finding.Kind.VARIES,
        "rank code did another thing when everything was repeated: %s; use no clock, no thread, no random source and no memory of earlier executions"
            .formatted(difference));
  }

  /** The world of hosts alone that looks like the topology; empty if none does, or it is long. */
  static Optional<WorldShape> shape(Topology topology) {
    WorldShape shape = new WorldShape(topology.hosts());
    boolean same =
        shape.toString().length() <= WorldShape.MAX_TEXT
            && Topology.of(shape.facts()).digest().equals(topology.digest());
    return same ? Optional.of(shape) : Optional.empty();
  }
}
