package dev.oriel.sim.museum;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs and judges the case study of an exhibit. Its own detector must find the failure at its own
 * places, again by its token, and in the larger world. It must not be found at a profile with more
 * order or in a smaller world. The repaired program must have no failing execution, including the
 * schedule that broke the original.
 */
public final class CaseStudyReview {
  private final CaseStudy exhibit;
  private final CaseStudyPrograms showcase;
  private final CaseStudyRunner runs;
  private final List<String> complaints = new ArrayList<>();

  private CaseStudyReview(CaseStudy exhibit, CaseStudyPrograms showcase) {
    this.exhibit = exhibit;
    this.showcase = showcase;
    runs = new CaseStudyRunner(showcase);
  }

  /** The broken program alone, under the conditions at which its exhibit says that it fails. */
  public static ProgramResult broken(CaseStudyPrograms showcase) {
    return new CaseStudyRunner(showcase).broken();
  }

  /** The repaired program in another world, in all orders of its synchronisation. */
  public static ProgramResult twin(CaseStudyPrograms showcase, String world) {
    return new CaseStudyRunner(showcase).twin(world);
  }

  /** The differences of a broken program's result from its exhibit's promises, in words. */
  public static List<String> judge(CaseStudy exhibit, ProgramResult broken) {
    return exhibit
        .showcase()
        .map(showcase -> showcase.alarm().differences(broken.kind(), broken.message()))
        .orElse(List.of());
  }

  /** Checks everything that the exhibit promises. */
  public static CaseStudyResult of(CaseStudy exhibit) {
    return new CaseStudyReview(exhibit, exhibit.showcase().orElseThrow()).visit();
  }

  private CaseStudyResult visit() {
    ProgramResult broken = runs.broken();
    complaints.addAll(judge(exhibit, broken));
    StrongerProfile.of(showcase.profile()).ifPresent(this::milder);
    if (showcase.strategy() != Strategy.FIFO) {
      simpler();
    }
    if (exhibit.family() == FailureFamily.ORDERING) {
      inOrder();
    }
    if (!showcase.larger().isEmpty()) {
      larger();
    }
    showcase.conditions().smaller().forEach(this::smaller);
    ProgramResult twin = runs.twin(showcase.profile());
    if (!twin.passed()) {
      complaints.add("the repaired program fails: %s: %s".formatted(twin.kind(), twin.message()));
    }
    broken
        .report()
        .flatMap(CheckReport::found)
        .ifPresent(found -> again(broken, found.token(), twin));
    return new CaseStudyResult(exhibit, broken, twin, complaints);
  }

  private void milder(Profile profile) {
    ProgramResult shown = runs.broken(profile, Strategy.SYNCHRONISATION);
    if (judge(exhibit, shown).isEmpty() && !shown.kind().equals(ExpectedAlarm.REFUSED)) {
      complaints.add("found as well where there is more order: profile=" + profile.name());
    }
  }

  private void simpler() {
    if (judge(exhibit, runs.broken(showcase.profile(), Strategy.FIFO)).isEmpty()) {
      complaints.add("found as well by fifo");
    }
  }

  /**
   * Explores every order of every step: at L0 no race is found, and a reduction relies on finding
   * races.
   */
  private void inOrder() {
    ProgramResult shown = runs.broken(Profile.L0, Strategy.FULL);
    if (!shown.passed()) {
      complaints.add("not a matter of order: found at L0: " + shown.message());
    } else if (!shown.bounds().isEmpty()) {
      complaints.add("not every order was tried at L0: " + shown.bounds());
    }
  }

  private void smaller(RunConditions conditions) {
    ProgramResult shown = runs.broken(conditions);
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

  private void again(ProgramResult broken, Optional<ReplayToken> token, ProgramResult twin) {
    if (token.isEmpty()) {
      complaints.add("no token");
      return;
    }
    Form form = FormParser.parse(showcase.edit().broken());
    String repeated =
        TokenReplay.play(token.get(), form).finding().map(Finding::message).orElse("nothing");
    if (!repeated.equals(broken.message())) {
      complaints.add("the token finds something else: " + repeated);
    }
    if (!twin.kind().equals(ExpectedAlarm.REFUSED)) {
      TokenReplay.ReplayedExecution along =
          TokenReplay.along(token.get(), form, FormParser.parse(showcase.edit().twin()));
      along
          .finding()
          .map(Finding::message)
          .or(along::cut)
          .ifPresent(why ->
              complaints.add("the schedule that breaks it breaks the repaired program: " + why));
    }
  }
}
