package dev.oriel.sim.museum;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.Parser;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.search.Replay;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes an exhibit and judges it: the failure is found by its own detector at its own places, at
 * no milder profile and in no smaller world, again by its token, and in the larger world; the
 * repaired twin has no failing execution, the schedule that broke the original included.
 */
public final class Tour {
  private final Exhibit exhibit;
  private final Showcase showcase;
  private final Runs runs;
  private final List<String> complaints = new ArrayList<>();

  private Tour(Exhibit exhibit, Showcase showcase) {
    this.exhibit = exhibit;
    this.showcase = showcase;
    runs = new Runs(showcase);
  }

  /** The broken program alone, as its exhibit says that it fails. */
  public static Shown broken(Showcase showcase) {
    return new Runs(showcase).broken();
  }

  /** The twin in another world, in every way in which its synchronisation can go. */
  public static Shown twin(Showcase showcase, String world) {
    return new Runs(showcase).twin(world);
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
    Shown broken = runs.broken();
    complaints.addAll(judge(exhibit, broken));
    Milder.of(showcase.profile()).ifPresent(this::milder);
    if (showcase.strategy() != Strategy.FIFO) {
      simpler();
    }
    if (exhibit.family() == Family.ORDERING) {
      inOrder();
    }
    if (!showcase.larger().isEmpty()) {
      larger();
    }
    showcase.conditions().smaller().forEach(this::smaller);
    Shown twin = runs.twin(showcase.profile());
    if (!twin.passed()) {
      complaints.add("the twin fails: %s: %s".formatted(twin.kind(), twin.message()));
    }
    broken.report().flatMap(Report::found).ifPresent(found -> again(broken, found.token(), twin));
    return new Visit(exhibit, broken, twin, complaints);
  }

  private void milder(Profile profile) {
    Shown shown = runs.broken(profile, Strategy.SYNCHRONISATION);
    if (judge(exhibit, shown).isEmpty() && !shown.kind().equals(Alarm.REFUSED)) {
      complaints.add("found as well where there is more order: profile=" + profile.name());
    }
  }

  private void simpler() {
    if (judge(exhibit, runs.broken(showcase.profile(), Strategy.FIFO)).isEmpty()) {
      complaints.add("found as well by fifo");
    }
  }

  /** Every order of every step, since races that a strategy could rely on are none at L0. */
  private void inOrder() {
    Shown shown = runs.broken(Profile.L0, Strategy.FULL);
    if (!shown.passed()) {
      complaints.add("not a matter of order: found at L0: " + shown.message());
    } else if (!shown.bounds().isEmpty()) {
      complaints.add("not every order was tried at L0: " + shown.bounds());
    }
  }

  private void smaller(Conditions conditions) {
    Shown shown = runs.broken(conditions);
    if (judge(exhibit, shown).isEmpty()) {
      complaints.add("found as well in a smaller world: world=" + conditions.world());
    }
  }

  private void larger() {
    String world = showcase.larger();
    judge(exhibit, runs.broken(world, showcase.profile(), showcase.strategy())).stream()
        .map(difference -> "in world %s: %s".formatted(world, difference))
        .forEach(complaints::add);
  }

  private void again(Shown broken, Optional<Token> token, Shown twin) {
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
    if (!twin.kind().equals(Alarm.REFUSED)) {
      Replay.Played along = Replay.along(token.get(), form, Parser.parse(showcase.edit().twin()));
      along
          .finding()
          .map(Finding::message)
          .or(along::cut)
          .ifPresent(why -> complaints.add("the schedule that breaks it breaks the twin: " + why));
    }
  }
}
