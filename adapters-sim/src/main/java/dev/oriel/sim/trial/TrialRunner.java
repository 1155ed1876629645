package dev.oriel.sim.trial;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.LostOrder;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.search.ProgramOutcomes;
import dev.oriel.sim.search.Strategy;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Puts the mutants of one form on trial in one setting. */
public final class TrialRunner {
  /** The strategies that sample, and the one that explores every order of synchronisation. */
  public static final List<Strategy> STRATEGIES =
      List.of(
          Strategy.FIFO,
          Strategy.RANDOM,
          Strategy.PCT,
          Strategy.POS,
          Strategy.WINDOW,
          Strategy.SYNCHRONISATION);

  /** From here, the number of launches wraps in the second one. */
  private static final long WRAP = -2;

  private final Form form;
  private final TrialSetting setting;
  private final Clock clock;
  private final RedundancyFinder redundancy;
  private @Nullable ProgramOutcomes outcomes;
  private @Nullable ProgramOutcomes synchronised;

  /** The outcomes of the original by the draw of input words. */
  private final Map<Long, ProgramOutcomes> drawn = new HashMap<>();

  private @Nullable ExecutionRecord story;
  private @Nullable Boolean wrapHolds;

  public TrialRunner(Form form, TrialSetting setting, Clock clock) {
    this.form = form;
    this.setting = setting;
    this.clock = clock;
    this.redundancy = new RedundancyFinder(setting, form);
  }

  /** Tries every strategy; compares a survivor of all in full. */
  public MutantTrial whole(Mutant mutant) {
    MutantTrial t = strategies(mutant);
    Optional<SurvivorAnalysis> survivor =
        t.killed() ? Optional.empty() : Optional.of(compare(mutant));
    return new MutantTrial(
        mutant, t.refusal(), t.checked(), t.valued(), t.wraps(), t.finding(), survivor, t.nanos());
  }

  /** Tries every strategy with every detector, and those that sample also without detectors. */
  public MutantTrial strategies(Mutant mutant) {
    MutantTrial trial = quick(mutant);
    if (!trial.refusal().isEmpty()) {
      return trial;
    }
    Map<Strategy, Long> checked = new EnumMap<>(Strategy.class);
    Map<Strategy, Long> valued = new EnumMap<>(Strategy.class);
    String finding = trial.finding();
    for (Strategy strategy : STRATEGIES) {
      Verdict verdict = setting.check(mutant.form(), strategy, DetectorSet.ALL);
      verdict.violation().ifPresent(v -> checked.put(strategy, verdict.executions()));
      // Without race detection, orders of synchronisation do not cover all outcomes.
      if (strategy != Strategy.SYNCHRONISATION) {
        Verdict seen = setting.check(mutant.form(), strategy, DetectorSet.VALUES);
        seen.violation().ifPresent(v -> valued.put(strategy, seen.executions()));
        finding = finding.isEmpty() ? kind(seen) : finding;
      }
    }
    return new MutantTrial(
        mutant, "", checked, valued, trial.wraps(), finding, Optional.empty(), trial.nanos());
  }

  /**
   * Tries binding, one execution, every order of synchronisation, and one execution in which the
   * number of launches wraps; measures the time until one kills it.
   */
  public MutantTrial quick(Mutant mutant) {
    long start = clock.nanos();
    Map<Strategy, Long> checked = new EnumMap<>(Strategy.class);
    String refusal = "";
    String finding = "";
    boolean wraps = false;
    try {
      for (Strategy strategy : List.of(Strategy.FIFO, Strategy.SYNCHRONISATION)) {
        Verdict verdict = setting.check(mutant.form(), strategy, DetectorSet.ALL);
        if (!verdict.holds()) {
          checked.put(strategy, verdict.executions());
          finding = kind(verdict);
          break;
        }
      }
      if (checked.isEmpty() && wrapHolds()) {
        Verdict verdict = wrapped(mutant.form());
        wraps = !verdict.holds();
        finding = kind(verdict);
      }
    } catch (ProgramException | MachineException e) {
      refusal = String.valueOf(e.getMessage());
    }
    long nanos = clock.nanos() - start;
    return new MutantTrial(
        mutant, refusal, checked, Map.of(), wraps, finding, Optional.empty(), nanos);
  }

  private Verdict wrapped(Form of) {
    return setting.after(WRAP).check(of, Strategy.FIFO, DetectorSet.ALL);
  }

  /** A program that is itself wrong there says nothing about its mutants. */
  private boolean wrapHolds() {
    Boolean known = wrapHolds;
    if (known == null) {
      try {
        known = wrapped(form).holds();
      } catch (ProgramException | MachineException e) {
        known = false;
      }
      wrapHolds = known;
    }
    return known;
  }

  /** The analysis of a mutant that nothing killed. */
  public SurvivorAnalysis compare(Mutant mutant) {
    if (setting.code(form).same(setting.code(mutant.form()))) {
      return survivor(
          SurvivorAnalysis.Likeness.STEPS,
          Optional.empty(),
          Optional.of(SurvivorAnalysis.Nothing.SAME_STEPS));
    }
    ProgramOutcomes right = original();
    // If the original was not explored in full, there is nothing to compare in full.
    Optional<ProgramOutcomes> other =
        right.exhausted() ? Optional.of(setting.full(mutant.form())) : Optional.empty();
    return survivor(likeness(right, other, mutant), other, reason(mutant));
  }

  /** The comparison by every order of every step alone, for a setting made small for that. */
  public SurvivorAnalysis.Likeness full(Mutant mutant) {
    if (setting.code(form).same(setting.code(mutant.form()))) {
      return SurvivorAnalysis.Likeness.STEPS;
    }
    ProgramOutcomes right = original();
    if (!right.exhausted()) {
      return SurvivorAnalysis.Likeness.BOUNDED;
    }
    ProgramOutcomes other = setting.full(mutant.form());
    if (other.differs(right)) {
      return SurvivorAnalysis.Likeness.DIFFERENT;
    }
    return other.exhausted() ? SurvivorAnalysis.Likeness.SAME : SurvivorAnalysis.Likeness.BOUNDED;
  }

  private SurvivorAnalysis survivor(
      SurvivorAnalysis.Likeness likeness,
      Optional<ProgramOutcomes> full,
      Optional<SurvivorAnalysis.Reason> reason) {
    return new SurvivorAnalysis(
        likeness,
        full.map(o -> OptionalLong.of(o.states())).orElse(OptionalLong.empty()),
        setting.fullLaunches(),
        reason);
  }

  /** Mistakes that remove an edge first: a finding with another operation removed explains most. */
  private Optional<SurvivorAnalysis.Reason> reason(Mutant mutant) {
    return RedundancyFinder.weakens(mutant)
        ? redundancy.of(mutant).or(() -> order(mutant))
        : order(mutant).or(() -> redundancy.of(mutant));
  }

  private Optional<SurvivorAnalysis.Reason> order(Mutant mutant) {
    ExecutionRecord known = story;
    if (known == null) {
      known = setting.story(form);
      story = known;
    }
    LostOrder.Answer lost = LostOrder.between(known, setting.story(mutant.form()));
    if (lost.pairs() == 0) {
      return Optional.of(SurvivorAnalysis.Nothing.NOTHING_LOST);
    }
    if (lost.open()) {
      return Optional.empty();
    }
    Optional<SurvivorAnalysis.Reason> way =
        lost.kept()
            .map(k ->
                new SurvivorAnalysis.Way(
                    k.by(),
                    k.first(),
                    k.second(),
                    k.place().map(at -> redundancy.without(mutant, at))));
    return lost.whole() ? way.or(() -> Optional.of(SurvivorAnalysis.Nothing.NOTHING_SHARED)) : way;
  }

  private ProgramOutcomes original() {
    ProgramOutcomes known = outcomes;
    if (known == null) {
      known = setting.full(form);
      outcomes = known;
    }
    return known;
  }

  private ProgramOutcomes synchronised() {
    ProgramOutcomes known = synchronised;
    if (known == null) {
      known = setting.synchronised(form);
      synchronised = known;
    }
    return known;
  }

  private SurvivorAnalysis.Likeness likeness(
      ProgramOutcomes right, Optional<ProgramOutcomes> other, Mutant mutant) {
    ProgramOutcomes known = synchronised();
    ProgramOutcomes found = setting.synchronised(mutant.form());
    if (found.differs(known) || other.filter(right::differs).isPresent()) {
      return SurvivorAnalysis.Likeness.DIFFERENT;
    }
    if (!known.exhausted() || !found.exhausted()) {
      return SurvivorAnalysis.Likeness.BOUNDED;
    }
    if (!right.exhausted() || other.filter(ProgramOutcomes::exhausted).isEmpty()) {
      return SurvivorAnalysis.Likeness.SYNCHRONISED;
    }
    return withOtherWords(mutant);
  }

  /** The comparison with other input words, by every order of every step. */
  private SurvivorAnalysis.Likeness withOtherWords(Mutant mutant) {
    int draws = Math.max(setting.draws(form), setting.draws(mutant.form()));
    for (long draw = 1; draw <= draws; draw++) {
      ProgramOutcomes known = drawn.computeIfAbsent(draw, d -> setting.full(form, d));
      ProgramOutcomes found = setting.full(mutant.form(), draw);
      if (found.differs(known)) {
        return SurvivorAnalysis.Likeness.DIFFERENT;
      }
      if (!known.exhausted() || !found.exhausted()) {
        return SurvivorAnalysis.Likeness.SYNCHRONISED;
      }
    }
    return SurvivorAnalysis.Likeness.SAME;
  }

  private static String kind(Verdict verdict) {
    return verdict.violation().map(Verdict.Violation::kind).orElse("");
  }
}
