package dev.oriel.sim.museum;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Shard;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Replay;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Executes an exhibit and judges it: the failure is found by its own detector at its own places, at
 * no milder profile, again by its token, and in the larger world; the repaired twin has no failing
 * execution, the schedule that broke the original included.
 */
public final class Tour {
  private static final Budget BUDGET = new Budget(100, 200_000, 1_000_000, 500_000_000);
  private static final long SEED = 1;

  private final Exhibit exhibit;
  private final Showcase showcase;
  private final List<String> complaints = new ArrayList<>();

  private Tour(Exhibit exhibit, Showcase showcase) {
    this.exhibit = exhibit;
    this.showcase = showcase;
  }

  /** The broken program alone, as its exhibit says that it fails. */
  public static Shown broken(Showcase showcase) {
    return check(
        showcase,
        showcase.edit().broken(),
        showcase.world(),
        showcase.profile(),
        showcase.strategy());
  }

  /** How an execution of the broken program is not as its exhibit promises, in words. */
  public static List<String> judge(Exhibit exhibit, Shown broken) {
    return exhibit
        .showcase()
        .map(showcase -> showcase.alarm().differences(broken.kind(), broken.message()))
        .orElse(List.of());
  }

  /** Everything that the exhibit promises. */
  public static Visit of(Exhibit exhibit) {
    return new Tour(exhibit, exhibit.showcase().orElseThrow()).visit();
  }

  private Visit visit() {
    Shown broken = broken(showcase);
    expect("", broken);
    Milder.of(showcase.profile()).ifPresent(this::milder);
    if (showcase.strategy() != Strategy.FIFO) {
      simpler();
    }
    if (exhibit.family() == Family.ORDERING) {
      inOrder();
    }
    if (!showcase.larger().isEmpty()) {
      expect("in world " + showcase.larger() + ": ", larger());
    }
    Shown twin = twin();
    broken
        .report()
        .flatMap(Report::found)
        .ifPresent(found -> again(broken, found.token(), twin.kind().equals(Alarm.REFUSED)));
    return new Visit(exhibit, broken, twin, complaints);
  }

  private void expect(String where, Shown shown) {
    showcase.alarm().differences(shown.kind(), shown.message()).stream()
        .map(difference -> where + difference)
        .forEach(complaints::add);
  }

  private void milder(Profile profile) {
    Shown shown = everything(showcase.edit().broken(), showcase.world(), profile);
    if (showcase.alarm().differences(shown.kind(), shown.message()).isEmpty()
        && !shown.kind().equals(Alarm.REFUSED)) {
      complaints.add("found as well where there is more order: profile=" + profile.name());
    }
  }

  private void simpler() {
    Shown shown =
        check(
            showcase,
            showcase.edit().broken(),
            showcase.world(),
            showcase.profile(),
            Strategy.FIFO);
    if (judge(exhibit, shown).isEmpty()) {
      complaints.add("found as well by fifo");
    }
  }

  private void inOrder() {
    Shown shown =
        check(showcase, showcase.edit().broken(), showcase.world(), Profile.L0, Strategy.FULL);
    if (!shown.passed()) {
      complaints.add("not a matter of order: found at L0: " + shown.message());
    }
  }

  private Shown larger() {
    return check(
        showcase,
        showcase.edit().broken(),
        showcase.larger(),
        showcase.profile(),
        showcase.strategy());
  }

  private void again(Shown broken, Optional<Token> token, boolean alone) {
    if (token.isEmpty()) {
      complaints.add("no token");
      return;
    }
    Form form = Parser.parse(showcase.edit().broken());
    String repeated =
        Replay.play(token.get(), form).finding().map(Finding::message).orElse("nothing");
    if (!repeated.equals(broken.message())) {
      complaints.add("the token finds something else: " + repeated);
    }
    if (alone) {
      return;
    }
    Form twin = Parser.parse(showcase.edit().twin());
    Replay.along(token.get(), form, twin)
        .finding()
        .ifPresent(
            f -> complaints.add("the schedule that breaks it breaks the twin: " + f.message()));
  }

  private Shown twin() {
    Shown twin = everything(showcase.edit().twin(), showcase.world(), showcase.profile());
    if (!twin.passed()) {
      complaints.add("the twin fails: %s: %s".formatted(twin.kind(), twin.message()));
    }
    return twin;
  }

  private Shown everything(String text, String world, Profile profile) {
    return check(showcase, text, world, profile, Strategy.SYNCHRONISATION);
  }

  private static Shown check(
      Showcase showcase, String text, String world, Profile profile, Strategy strategy) {
    Topology topology = Topology.parse(world);
    Program program;
    try {
      program = Program.bind(Parser.parse(text), topology.world(), Map.of());
    } catch (ProgramException e) {
      return Shown.refused(String.valueOf(e.getMessage()));
    }
    Simulation.Terms terms =
        new Simulation.Terms(profile, showcase.launches(), Detectors.ALL, showcase.timeouts());
    Checker checker = new Checker(strategy, BUDGET, SEED, terms, showcase.faults(), Shard.WHOLE);
    return Shown.of(checker.explore(program, topology));
  }
}
